"""One call for every picture: which one, of what, in which theme."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.charts import LIGHT, Theme
from core.errors import BadInput, Missing
from core.text import _
from evaluation.metrics.columns import Columns
from evaluation.metrics.compare import take_rows
from evaluation.metrics.crossing import Crossed, cross
from evaluation.reports.names import Names
from evaluation.reports.pictures import MOST_MODELS, PICTURES
from evaluation.reports.pictures.dumbbell import dumbbell
from evaluation.reports.pictures.forest import forest
from evaluation.reports.pictures.heat import heatmap
from evaluation.reports.pictures.radar import FEWEST, axes, radar
from evaluation.reports.pictures.reliability import reliability


@dataclass(frozen=True)
class Material:
    """What pictures are made of: stored measures, and what is counted from answers only where a picture needs it."""

    models: Mapping[str, Mapping[str, Any]]
    names: Names
    compare: Callable[[], Mapping[str, Any]]  # the two models
    panels: Callable[[str], Mapping[str, Crossed]]  # functionality by group, by language, of a model


def picture_chart(kind: str, material: Material, theme: Theme = LIGHT) -> Any:
    """Return a picture as a chart of Altair. Refuses a kind there is not, and material that cannot fill it."""
    require_drawable(kind, material.models)
    models, names = material.models, material.names
    match kind:
        case "dumbbell":
            first, second = models
            return dumbbell(material.compare(), first, second, names, theme)
        case "heatmap":
            return heatmap(_titled_panels(material), names, theme)
        case "reliability":
            return reliability(models, theme)
        case "radar":
            return radar(models, names, theme)
    return forest(models, names, theme)


def require_drawable(kind: str, models: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse what cannot be drawn, with what to choose instead."""
    if kind not in PICTURES:
        raise Missing(_("There is no picture '%(picture)s'. Known: %(known)s.", picture=kind, known=list(PICTURES)))
    if kind == "dumbbell" and len(models) != 2:
        raise BadInput(_("Dumbbells compare two models. Choose exactly two."))
    if not 1 <= len(models) <= MOST_MODELS:
        raise BadInput(_("A picture shows at most %(most)s models. Choose some of them.", most=MOST_MODELS))
    if kind in ("forest", "heatmap") and not any(values["by_functionality"] for values in models.values()):
        raise BadInput(_("These cases have no functionalities, so there is nothing to draw."))
    if kind == "heatmap" and not any(values["by_target"] for values in models.values()):
        raise BadInput(_("No case is about a target group, so there is nothing to draw."))
    if kind == "reliability" and not any(_has_bins(values) for values in models.values()):
        raise BadInput(_("These models give labels without scores, so there is nothing to draw."))
    if kind == "radar" and len(axes(models)) < FEWEST:
        raise BadInput(_("A radar needs at least %(least)s classes of functionalities.", least=FEWEST))


def is_drawable(kind: str, models: Mapping[str, Mapping[str, Any]]) -> bool:
    """Return whether a picture can be drawn of these models."""
    try:
        require_drawable(kind, models)
    except (BadInput, Missing):
        return False
    return True


def panels_of(columns: Columns) -> dict[str, Crossed]:
    """Return the results by functionality and target group for each language; without languages under an empty key."""
    languages = columns.factors["language"]
    found = {
        value: cross(take_rows(columns, languages.rows[languages.codes == code]), "functionality", "target")
        for code, value in enumerate(languages.values)
    }
    return {key: crossed for key, crossed in found.items() if crossed} or {
        "": cross(columns, "functionality", "target")
    }


def _titled_panels(material: Material) -> dict[str, Crossed]:
    """Return the panels of all models by what is written above each: the language, the model, or both."""
    found: dict[str, Crossed] = {}
    is_alone = len(material.models) == 1
    for model in material.models:
        panels = material.panels(model)
        for language, crossed in panels.items():
            name = str(material.names.of("language", language))
            title = name if is_alone else model if len(panels) == 1 else f"{model}, {name}"
            found[title] = crossed
    return found


def _has_bins(values: Mapping[str, Any]) -> bool:
    return bool(values.get("calibration", {}).get("bins"))
