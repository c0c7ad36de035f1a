"""Pictures of results as a library and the command draw them: `result.plot("forest").save("forest.pdf")`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from core.charts import FORMS, THEMES, Form, Theme, draw, themed
from core.errors import DomainError
from core.extras import missing_extra
from evaluation.metrics.compare import compare_models
from evaluation.reports.pictures.drawing import Material, panels_of, picture_chart
from touchstone.documents import catalogue_names
from touchstone.errors import Refused
from touchstone.evaluating import Result


@dataclass(frozen=True)
class Picture:
    """A chart that a notebook shows and that is saved as SVG, PDF or PNG."""

    kind: str
    chart: Any
    theme: Theme

    def save(self, path: str | Path) -> Path:
        """Write the picture; the ending of the file says the format. Return the path."""
        file = Path(path)
        form = file.suffix.lower().removeprefix(".")
        if form not in FORMS:
            raise Refused(f"{file}: a picture is written as .svg, .pdf or .png.")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(draw(self.chart, cast(Form, form), self.theme))
        except OSError as error:
            raise Refused(f"{file}: {error.strerror}. Check the path and its permissions.") from error
        return file

    def as_vega_lite(self) -> dict[str, Any]:
        """Return the picture as a Vega-Lite specification, to be changed or shown elsewhere."""
        return themed(self.chart, self.theme)

    def _repr_svg_(self) -> str:
        return draw(self.chart, "svg", self.theme).decode()


def plot_results(kind: str, results: Sequence[Result], *, theme: str = "light") -> Picture:
    """Draw some results. Refuses an unknown picture or theme, and results that cannot fill it."""
    if theme not in THEMES:
        raise Refused(f"There is no theme '{theme}'. Known: {', '.join(THEMES)}.")
    by_title = dict(zip(_titles(results), results, strict=True))

    def compare() -> dict[str, Any]:
        first, second = results
        return compare_models(first.columns, second.columns)

    models = {title: result.measures for title, result in by_title.items()}
    material = Material(models, catalogue_names(), compare, lambda title: panels_of(by_title[title].columns))
    try:
        return Picture(kind, picture_chart(kind, material, THEMES[theme]), THEMES[theme])
    except ValueError as error:  # results on different cases
        raise Refused(f"{error}.") from error
    except DomainError as error:
        raise Refused(str(error)) from error
    except ModuleNotFoundError as error:
        if (refusal := missing_extra(error)) is None:
            raise
        raise Refused(str(refusal)) from error


def _titles(results: Sequence[Result]) -> list[str]:
    """Return the names of the models; those that two results share are numbered."""
    names = [result.model for result in results]
    return [f"{name} ({place})" if names.count(name) > 1 else name for place, name in enumerate(names, 1)]
