"""Results as files: HTML, PDF, LaTeX, CSV, JSON, JUnit; and the rules that a build may fail on."""

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.utils import translation

from core.errors import BadInput
from core.text import _, in_english
from curation.models import Release
from evaluation.metrics.crossing import DIMENSIONS
from evaluation.metrics.slices import gold_counts
from evaluation.models import EvaluationRun
from evaluation.reports.csv_table import as_csv
from evaluation.reports.figures import (
    FigureTable,
    f1_table,
    group_table,
    language_table,
    operating_table,
    score_tables,
)
from evaluation.reports.html_page import as_html
from evaluation.reports.junit import as_junit
from evaluation.reports.latex import as_latex, as_paper
from evaluation.reports.names import Names
from evaluation.reports.rules import Outcome, Rule, RuleError, check_rule
from evaluation.reports.rules import read_rules as rules_for
from evaluation.reports.tables import Table, crossed_table, tables_of
from evaluation.results.charting import report_charts
from evaluation.results.comparing import cross_runs, operating_points_of
from evaluation.results.exchanging import EXCHANGED, exchange
from evaluation.results.naming import names_of
from evaluation.results.options import DocumentOptions
from evaluation.results.reporting import as_json, titled
from evaluation.runs.models import RunSource
from evaluation.runs.scoring import case_rows


def read_rules(texts: Sequence[str], release: Release) -> list[Rule]:
    """Return the rules, a star spelled out. Refuses those that cannot be held against this release."""
    if not texts:
        return []
    try:
        return rules_for(texts, gold_counts(case[1] for case in case_rows(release)))
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
    "paper": ("paper.tex", "application/x-tex; charset=utf-8"),
    "csv": ("csv", "text/csv; charset=utf-8"),
    "json": ("json", "application/json"),
    "junit": ("xml", "application/xml"),
    **EXCHANGED,
}
TITLES = {
    "html": "HTML", "pdf": "PDF", "latex": "LaTeX", "paper": _("LaTeX as in the papers"), "csv": "CSV", "json": "JSON",
    "junit": "JUnit",
}  # fmt: skip
FOR_READERS = ("html", "pdf", "latex", "paper")  # in a language; scripts and build servers read the others


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Scope:
    """What a document has beside the stored measures: results by two dimensions, and a chosen operating point.

    `with_examples` adds the text of a case to each functionality, for readers who may see the cases. `language` is that
    of documents for readers. The last two are for formats in which others collect results.
    """

    cross: tuple[str, str] | None = None
    threshold: float | None = None
    prevalence: float | None = None
    with_examples: bool = False
    language: str = "en"
    hub_dataset: str = ""
    organisation: str = ""

    @property
    def has_point(self) -> bool:
        return self.threshold is not None or self.prevalence is not None


def read_scope(given: Mapping[str, Any], *, with_examples: bool) -> Scope:
    """Return what the options of a document ask for. Refuses what cannot be used."""
    chosen = DocumentOptions.given({name: value for name, value in given.items() if value not in (None, "")})
    return Scope(
        read_cross(chosen.cross), chosen.threshold, chosen.prevalence, with_examples, chosen.language,
        chosen.hub_dataset, chosen.organisation,
    )  # fmt: skip


def read_cross(text: str) -> tuple[str, str] | None:
    """Return the two dimensions of `functionality,language`; None for nothing. Refuses what cannot be crossed."""
    if not text.strip(", "):
        return None
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or names[0] == names[1] or not set(names) <= DIMENSIONS.keys():
        raise BadInput(
            _(
                "'%(dimensions)s' cannot be crossed. Name two different ones of: %(known)s.",
                dimensions=text,
                known=list(DIMENSIONS),
            )
        )
    return names[0], names[1]


STORED = Scope()


def make_document(
    release: Release,
    runs: Sequence[EvaluationRun],
    wanted: str,
    *,
    rules: Sequence[Rule] = (),
    scope: Scope = STORED,
) -> Document:
    """Return the results of these runs in one format; JUnit tests `rules`. Refuses formats it does not know.

    `scope` may add results by two dimensions, one table per model, and what a chosen threshold gives; it also says in
    which language HTML, PDF and LaTeX are written. The others are always English.
    """
    if wanted not in FORMATS:
        raise BadInput(
            _("There is no format '%(format)s'. Choose from: %(known)s.", format=wanted, known=list(FORMATS))
        )
    with _language_of(wanted, scope):
        return _make(release, runs, wanted, rules=rules, scope=scope)


def _language_of(wanted: str, scope: Scope) -> AbstractContextManager[None]:
    """Show texts in the language of a document while it is made."""
    return translation.override(scope.language) if wanted in FOR_READERS else in_english()


def _make(
    release: Release, runs: Sequence[EvaluationRun], wanted: str, *, rules: Sequence[Rule], scope: Scope
) -> Document:
    ending, content_type = FORMATS[wanted]
    name = f"report-{release.suite.key}-{release.version}.{ending}"
    if wanted in EXCHANGED:
        told = exchange(release, runs, wanted, hub_dataset=scope.hub_dataset, organisation=scope.organisation)
        return Document(name, content_type, told.encode())
    names = names_of(release, with_examples=scope.with_examples)
    if wanted == "paper":
        text = as_paper(release.key, release.sha256, *paper_tables(release, runs, names))
        return Document(name, content_type, text.encode())
    result = results_of(release, runs, scope, names)
    models = result["models"]
    if wanted == "junit":
        outcomes = {model: check_rules(rules, values) for model, values in models.items()}
        return Document(name, content_type, as_junit(release.key, models, outcomes).encode())
    crossed, figures = [], [f1_table(models, names), *score_tables(models, names)]
    if scope.cross:
        found = result["crossed"]["models"]
        crossed = [crossed_table(model, scope.cross, cells, names) for model, cells in found.items()]
    if result.get("operating_points"):
        figures.append(operating_table(result["operating_points"], names))
    if wanted == "json":
        content = json.dumps(result, ensure_ascii=False, indent=1, default=float).encode()
    elif wanted == "csv":
        tables = [*tables_of(models, names, focus_words=None), *crossed]
        content = as_csv(release.key, tables, figures[1:]).encode()  # F1 stands beside accuracy
    else:
        tables = [*tables_of(models, names), *crossed]
        if wanted == "latex":
            content = as_latex(release.key, release.sha256, tables, figures).encode()
        else:
            from evaluation.reports.pdf import as_pdf

            language = scope.language
            facts, charts = facts_of(release, runs), report_charts(models, names, language=language)
            if wanted == "html":
                content = as_html(release.key, facts, tables, figures, charts=charts, language=language).encode()
            else:
                content = as_pdf(release.key, facts, tables, figures, charts=charts, language=language)
    return Document(name, content_type, content)


def results_of(
    release: Release, runs: Sequence[EvaluationRun], scope: Scope, names: Names | None = None
) -> dict[str, Any]:
    """Return every measure as plain values: {release, models, names}, and what the scope adds."""
    result = as_json(release, runs) | {"names": (names or names_of(release)).as_json()}
    if scope.cross:
        found = cross_runs(release, runs, scope.cross)
        result["crossed"] = {"rows": scope.cross[0], "columns": scope.cross[1], "models": found}
    if scope.has_point:
        result["operating_points"] = operating_points_of(
            release, runs, threshold=scope.threshold, prevalence=scope.prevalence
        )
    return result


def paper_tables(
    release: Release, runs: Sequence[EvaluationRun], names: Names
) -> tuple[list[Table], list[FigureTable]]:
    """Return tables 1 to 4 of HateCheck's paper; for several languages 1 to 3 of Multilingual HateCheck's.

    HateCheck: accuracy by functionality, by label and in total, by slur, by target group, all models side by side.
    Multilingual HateCheck: accuracy by functionality and language, F1 by language, macro F1 by target group and
    language, each for one model.
    """
    models = {title: run.report.values for title, run in titled(runs).items()}
    labels = {key: found["label"] for values in models.values() for key, found in values["by_functionality"].items()}
    if all(len(values["by_language"]) < 2 for values in models.values()):
        order = ("by_functionality", "by_label", "by_slur", "by_target")
        total, *made = tables_of(models, names)
        of_paper = [table for table in made if table.key.partition(".")[0] in order]
        of_paper.sort(key=lambda table: order.index(table.key.partition(".")[0]))
        return [
            replace(table, lines=(*table.lines, *total.lines)) if table.key == "by_label" else table
            for table in of_paper
        ], []
    by_functionality = cross_runs(release, runs, ("functionality", "language"))
    by_group = cross_runs(release, runs, ("target", "language"))
    tables = [
        crossed_table(model, ("functionality", "language"), cells, names, labels)
        for model, cells in by_functionality.items()
    ]
    figures = []
    for model, values in models.items():
        figures += [language_table(model, values, names), group_table(model, by_group[model], names)]
    return tables, figures


def write_documents(
    release: Release,
    runs: Sequence[EvaluationRun],
    out: Path,
    formats: Sequence[str],
    *,
    rules: Sequence[Rule] = (),
    scope: Scope = STORED,
) -> list[Path]:
    """Write each format into a folder, which is made if need be."""
    made = []
    for wanted in formats:
        if wanted not in EXCHANGED:
            made.append(make_document(release, runs, wanted, rules=rules, scope=scope))
            continue
        for run in runs:  # they are about one model each
            one = make_document(release, [run], wanted, scope=scope)
            made.append(replace(one, name=f"{run.model_version.model.key}-{one.name}") if len(runs) > 1 else one)
    out.mkdir(parents=True, exist_ok=True)
    for document in made:
        (out / document.name).write_bytes(document.content)
    return [out / document.name for document in made]


def facts_of(release: Release, runs: Sequence[EvaluationRun]) -> dict[str, str]:
    """Return what the figures can be traced to."""
    facts: dict[str, str] = {_("Release"): release.key, _("SHA-256 of the release"): release.sha256}
    for title, run in titled(runs).items():
        version = run.model_version
        values = {
            "run": run.key,
            "version": str(version.number),
            "fingerprint": version.fingerprint[:16],
            "date": run.finished_at.date().isoformat() if run.finished_at else _("unfinished"),
        }
        if run.source == RunSource.RUN:
            facts[title] = _("%(run)s, computed here, version %(version)s (%(fingerprint)s), %(date)s", **values)
        else:
            facts[title] = _("%(run)s, uploaded predictions, version %(version)s (%(fingerprint)s), %(date)s", **values)
    return facts
