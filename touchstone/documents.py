"""Results as files: HTML, PDF, LaTeX, CSV, JSON and JUnit, as the server writes them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from evaluation.reports.csv_table import as_csv
from evaluation.reports.exchange.evaluated import HUB_ID, Evaluated
from evaluation.reports.exchange.every_eval_ever import as_every_eval_ever
from evaluation.reports.exchange.hub_entries import as_hub_entries
from evaluation.reports.figures import f1_table, score_tables
from evaluation.reports.html_page import as_html
from evaluation.reports.junit import result_suites, write_suites
from evaluation.reports.latex import as_latex
from evaluation.reports.names import FunctionalityName, Names
from evaluation.reports.rules import Outcome
from evaluation.reports.tables import tables_of
from evaluation.results.charting import report_charts
from touchstone.errors import Refused
from touchstone.evaluating import Result
from touchstone.paths import APP_ROOT, data_folder, version

ENDINGS = {
    "html": "html", "pdf": "pdf", "latex": "tex", "csv": "csv", "json": "json", "junit": "xml",
    "eval_results": "eval_results.yaml", "every_eval_ever": "every_eval_ever.json",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class About:
    """What the formats of others name beside the result: where the release is on the hub, and who evaluated."""

    hub_dataset: str = ""
    organisation: str = ""

    def require_dataset(self) -> None:
        """Refuse to write entries for the hub without its dataset, before a model is asked."""
        if not HUB_ID.fullmatch(self.hub_dataset):
            raise Refused("eval_results needs --hub-dataset ORG/NAME, the dataset on the Hugging Face Hub.")


def write_documents(
    result: Result,
    folder: Path,
    formats: Sequence[str],
    *,
    stem: str,
    outcomes: Sequence[Outcome] = (),
    suites: Sequence[ElementTree.Element] = (),
    about: About = About(),  # noqa: B008 - frozen
) -> list[Path]:
    """Write each format into a folder, which is made if need be. `outcomes` and `suites` are tests of JUnit."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for wanted in dict.fromkeys(formats):
            file = folder / f"report-{stem}.{ENDINGS[wanted]}"
            file.write_bytes(make_document(result, wanted, outcomes=outcomes, suites=suites, about=about))
            written.append(file)
    except OSError as error:
        raise Refused(f"{error.filename or folder}: {error.strerror}. Check the path and its permissions.") from error
    return written


def make_document(
    result: Result,
    wanted: str,
    *,
    outcomes: Sequence[Outcome] = (),
    suites: Sequence[ElementTree.Element] = (),
    about: About = About(),  # noqa: B008 - frozen
) -> bytes:
    """Return the result in one format."""
    if wanted in ("eval_results", "every_eval_ever"):
        evaluated = evaluated_of(result, about)
        return (as_hub_entries(evaluated) if wanted == "eval_results" else as_every_eval_ever(evaluated)).encode()
    models = {result.model: result.measures}
    if wanted == "json":
        return (json.dumps(result.as_json(), ensure_ascii=False, default=float) + "\n").encode()
    if wanted == "junit":
        # Held against a baseline, a functionality that was always below 50 % is no news.
        only_baseline = bool(suites) and not outcomes
        found = [] if only_baseline else result_suites(result.release, models, {result.model: outcomes})
        return write_suites(result.release, [*found, *suites]).encode()
    names = catalogue_names()
    figures = [f1_table(models, names), *score_tables(models, names)]
    if wanted == "csv":  # F1 stands beside accuracy
        return as_csv(result.release, tables_of(models, names, focus_words=None), figures[1:]).encode()
    tables = tables_of(models, names)
    if wanted == "latex":
        return as_latex(result.release, result.sha256 or "not a sealed release", tables, figures).encode()
    charts = report_charts(models, names, folder=data_folder() / "charts")
    if wanted == "html":
        return as_html(result.release, facts_of(result), tables, figures, charts=charts).encode()
    from evaluation.reports.pdf import as_pdf

    return as_pdf(result.release, facts_of(result), tables, figures, charts=charts)


def evaluated_of(result: Result, about: About) -> Evaluated:
    """Return a result as the formats of others need it. Refuses one of a part of the cases: it compares with none."""
    if result.run.get("is_partial"):
        raise Refused("Results of a part of the cases are not for others. Leave --limit out.")
    suite, _at, release_version = result.release.partition("@")
    return Evaluated(
        suite=suite,
        version=release_version,
        sha256=result.sha256,
        url="",
        model=result.model,
        finished_at=datetime.fromisoformat(str(result.run["finished_at"])),
        measures=result.measures,
        environment=result.run.get("environment", {}),
        software=version(),
        hub_dataset=about.hub_dataset,
        organisation=about.organisation,
    )


@cache
def catalogue_names() -> Names:
    """Return what the catalogue that comes with Touchstone calls functionalities, classes and languages."""

    def read(name: str) -> list[dict[str, Any]]:
        file = APP_ROOT / "fixtures" / "catalogue" / f"{name}.json"
        found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))[name]
        return found

    classes = {row["key"]: row["title"] for row in read("classes")}
    functionalities = {
        row["key"]: FunctionalityName(
            row["title"],
            f"F{row['number']}" if row["number"] else "",
            classes.get(row["class"], ""),
            " ".join(row["example"]["text"].split()),
        )
        for row in read("functionalities")
    }
    return Names(functionalities, classes, {row["code"]: row["name"] for row in read("languages")})


def facts_of(result: Result) -> dict[str, str]:
    """Return what the figures can be traced to."""
    facts = {
        "Release": result.release,
        "SHA-256 of the release": result.sha256 or "none: these cases are not a sealed release",
        result.model: f"fingerprint {str(result.run.get('fingerprint', ''))[:16]}, {result.run.get('finished_at', '')}",
        "Touchstone": version(),
    }
    return facts | ({"Note": "Only a part of the cases was asked about."} if result.run.get("is_partial") else {})
