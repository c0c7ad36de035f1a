"""Results as files: HTML, PDF, LaTeX, CSV, JSON and JUnit, as the server writes them."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from evaluation.reports.csv_table import as_csv
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

ENDINGS = {"html": "html", "pdf": "pdf", "latex": "tex", "csv": "csv", "json": "json", "junit": "xml"}


def write_documents(
    result: Result,
    folder: Path,
    formats: Sequence[str],
    *,
    stem: str,
    outcomes: Sequence[Outcome] = (),
    suites: Sequence[ElementTree.Element] = (),
) -> list[Path]:
    """Write each format into a folder, which is made if need be. `outcomes` and `suites` are tests of JUnit."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for wanted in dict.fromkeys(formats):
            file = folder / f"report-{stem}.{ENDINGS[wanted]}"
            file.write_bytes(make_document(result, wanted, outcomes=outcomes, suites=suites))
            written.append(file)
    except OSError as error:
        raise Refused(f"{error.filename or folder}: {error.strerror}. Check the path and its permissions.") from error
    return written


def make_document(
    result: Result, wanted: str, *, outcomes: Sequence[Outcome] = (), suites: Sequence[ElementTree.Element] = ()
) -> bytes:
    """Return the result in one format."""
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
