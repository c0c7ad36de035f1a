"""Results as files: HTML, PDF, LaTeX, CSV, JSON, JUnit; and the rules that a build may fail on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BadInput
from curation.models import Release
from evaluation.metrics.crossing import DIMENSIONS, cross
from evaluation.metrics.slices import gold_counts
from evaluation.models import EvaluationRun
from evaluation.reports.csv_table import as_csv
from evaluation.reports.f1_table import f1_table
from evaluation.reports.html_page import as_html
from evaluation.reports.junit import as_junit
from evaluation.reports.latex import as_latex
from evaluation.reports.rules import Outcome, Rule, RuleError, check_rule
from evaluation.reports.rules import read_rules as rules_for
from evaluation.reports.tables import crossed_table, tables_of
from evaluation.results.charting import report_charts
from evaluation.results.comparing import columns_of
from evaluation.results.reporting import as_json, titled
from evaluation.runs.scoring import case_rows


def read_rules(texts: Sequence[str], release: Release) -> list[Rule]:
    """Return the rules, a star spelled out. Refuses those that cannot be held against this release."""
    if not texts:
        return []
    try:
        return rules_for(texts, gold_counts(row for _, row in case_rows(release)))
    except RuleError as error:
        raise BadInput(str(error)) from error


def check_rules(rules: Sequence[Rule], values: Mapping[str, Any]) -> list[Outcome]:
    """Hold rules against the measures of one model."""
    try:
        return [check_rule(rule, values) for rule in rules]
    except RuleError as error:
        raise BadInput(str(error)) from error


FORMATS = {
    "html": ("html", "text/html; charset=utf-8"),
    "pdf": ("pdf", "application/pdf"),
    "latex": ("tex", "application/x-tex; charset=utf-8"),
    "csv": ("csv", "text/csv; charset=utf-8"),
    "json": ("json", "application/json"),
    "junit": ("xml", "application/xml"),
}
TITLES = {"html": "HTML", "pdf": "PDF", "latex": "LaTeX", "csv": "CSV", "json": "JSON", "junit": "JUnit"}


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    content_type: str
    content: bytes


def read_cross(text: str) -> tuple[str, str] | None:
    """Return the two dimensions of `functionality,language`; None for nothing. Refuses what cannot be crossed."""
    if not text.strip(", "):
        return None
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or names[0] == names[1] or not set(names) <= DIMENSIONS.keys():
        raise BadInput(f"'{text}' cannot be crossed. Name two different ones of: {', '.join(DIMENSIONS)}.")
    return names[0], names[1]


def make_document(
    release: Release,
    runs: Sequence[EvaluationRun],
    wanted: str,
    *,
    rules: Sequence[Rule] = (),
    crossing: tuple[str, str] | None = None,
) -> Document:
    """Return the results of these runs in one format; JUnit tests `rules`. Refuses formats it does not know.

    With `crossing` results by these two dimensions follow, one table per model.
    """
    if wanted not in FORMATS:
        raise BadInput(f"There is no format '{wanted}'. Choose from: {', '.join(FORMATS)}.")
    ending, content_type = FORMATS[wanted]
    result = as_json(release, runs)
    tables, f1 = tables_of(result["models"]), f1_table(result["models"])
    crossed = []
    if crossing:
        cases, key = case_rows(release), "_by_".join(crossing)
        title = f"{DIMENSIONS[crossing[0]]} by {DIMENSIONS[crossing[1]].lower()}"
        found = {name: cross(columns_of(run, cases), *crossing) for name, run in titled(runs).items()}
        crossed = [crossed_table(name, title, key, cells) for name, cells in found.items()]
        result["crossed"] = {"rows": crossing[0], "columns": crossing[1], "models": found}
        tables += crossed
    if wanted == "json":
        text = json.dumps(result, ensure_ascii=False, indent=1, default=float)
    elif wanted == "csv":
        text = as_csv(release.key, [*tables_of(result["models"], focus_words=None), *crossed])
    elif wanted == "latex":
        text = as_latex(release.key, release.sha256, tables, f1)
    elif wanted == "junit":
        outcomes = {name: check_rules(rules, values) for name, values in result["models"].items()}
        text = as_junit(release.key, result["models"], outcomes)
    elif wanted == "html":
        text = as_html(release.key, facts_of(release, runs), tables, f1, charts=report_charts(result["models"]))
    else:
        from evaluation.reports.pdf import as_pdf

        content = as_pdf(release.key, facts_of(release, runs), tables, f1, charts=report_charts(result["models"]))
        return Document(f"{_stem(release)}.pdf", content_type, content)
    return Document(f"{_stem(release)}.{ending}", content_type, text.encode())


def write_documents(
    release: Release,
    runs: Sequence[EvaluationRun],
    out: Path,
    formats: Sequence[str],
    *,
    rules: Sequence[Rule] = (),
    crossing: tuple[str, str] | None = None,
) -> list[Path]:
    """Write each format into a folder, which is made if need be."""
    made = [make_document(release, runs, wanted, rules=rules, crossing=crossing) for wanted in formats]
    out.mkdir(parents=True, exist_ok=True)
    for document in made:
        (out / document.name).write_bytes(document.content)
    return [out / document.name for document in made]


def facts_of(release: Release, runs: Sequence[EvaluationRun]) -> dict[str, str]:
    """Return what the figures can be traced to."""
    facts = {"Release": release.key, "SHA-256 of the release": release.sha256}
    for title, run in titled(runs).items():
        how = "computed here" if run.source == "run" else "uploaded predictions"
        when = run.finished_at.date().isoformat() if run.finished_at else "unfinished"
        version = run.model_version
        facts[title] = f"{run.key}, {how}, version {version.number} ({version.fingerprint[:16]}), {when}"
    return facts


def _stem(release: Release) -> str:
    return f"report-{release.suite.key}-{release.version}"
