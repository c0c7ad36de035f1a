"""Figures as stored measures hold them: a value and a list of two bounds, either of which may be undefined."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.reader import listed, show
from core.text import _, ngettext, pgettext, recall
from evaluation.metrics.reasons import recall_reason
from evaluation.models import EvaluationRun
from evaluation.reports.figures import Figure, FigureLine
from evaluation.reports.names import Names, always
from evaluation.reports.tables import Cell, Line, Table
from evaluation.runs.failing import FILTERS
from evaluation.runs.models import RunSource
from ui import numbers
from ui.templatetags.ui import measure

register = template.Library()
FILTER_OF = {"functionality_class": "class"}
UNDEFINED_HERE = _("It is undefined here.")
VERDICTS = {
    "lower": pgettext("accuracy on the second release", "lower"),
    "higher": pgettext("accuracy on the second release", "higher"),
    "tie": pgettext("accuracy on the second release", "tie"),
}
# What a runner records about itself; names of settings that are not here are shown as they are.
FACTS = {
    "arguments": _("Arguments"),
    "asks_language": _("Language is in the request"),
    "classifier": _("Classifier"),
    "cleaning": _("Cleaning of texts"),
    "code_version": _("Version of Touchstone"),
    "column": _("Column"),
    "commit": _("Commit of Touchstone"),
    "content_hash": _("Hash of the files"),
    "currency": _("Currency"),
    "device": _("Device"),
    "dtype": _("Number format"),
    "fingerprint": _("Fingerprint"),
    "hypotheses": _("Hypotheses"),
    "is_preview": _("Preview"),
    "kind": _("Kind"),
    "label_map": _("Label of each class"),
    "label_map_guessed": _("Labels were guessed"),
    "labels": _("Labels"),
    "languages": _("Languages"),
    "machine": _("Machine"),
    "max_length": _("Longest text in tokens"),
    "model": _("Model"),
    "packages": _("Packages"),
    "platform": _("Platform"),
    "problems": _("Problems"),
    "prompt": _("Prompt"),
    "python": _("Python"),
    "release_sha256": _("SHA-256 of the release"),
    "revision": _("Revision"),
    "seed": _("Seed"),
    "settings_hash": _("Hash of the settings"),
    "system": _("System prompt"),
    "temperature": _("Temperature"),
    "threads": _("Threads"),
    "threshold": _("Threshold"),
    "token_budget": _("Tokens per batch"),
    "touchstone": _("Touchstone"),
    "url": _("Address"),
    "used": _("Used"),
}


@register.simple_tag
def figure(
    value: float | None,
    interval: Sequence[float] | None,
    unit: str = "percent",
    digits: int | None = None,
    reason: str = "",
) -> SafeString:
    """A value with its interval; without one the value alone."""
    low, high = interval or (None, None)
    if value is None or low is None or high is None or low >= 0:
        return measure(value, low, high, unit=unit, digits=digits, reason=reason)
    # A dash between two negative numbers would be read as a third minus.
    print_number = numbers.format_percent if unit == "percent" else numbers.format_number
    places = digits if digits is not None else (1 if unit == "percent" else 3)
    alone = measure(value, unit=unit, digits=digits)
    bounds = _("%(low)s to %(high)s", low=print_number(low, places), high=print_number(high, places))
    return format_html('{} <span class="interval">({})</span>', alone, bounds)


@register.filter
def fact(value: object) -> str:
    """A recorded fact as people read it: lists and tables with commas, a dash for nothing."""
    value = recall(value)
    if isinstance(value, dict):
        return listed([f"{name}: {fact(each)}" for name, each in value.items()]) or "–"
    if isinstance(value, list | tuple):
        return listed([fact(each) for each in value]) or "–"
    if isinstance(value, bool):
        return str(_("yes") if value else _("no"))
    return "–" if value is None or value == "" else str(value)


@register.filter
def fact_title(name: str) -> str:
    """What a recorded fact is called."""
    return FACTS.get(name) or name.replace("_", " ").capitalize()


@register.filter
def reason(stored: str) -> str:
    """Why a figure is undefined, in the reader's language."""
    return recall_reason(stored)


@register.filter
def verdict(stored: str) -> str:
    """What a comparison of two suites says about the second one."""
    return VERDICTS.get(stored, stored)


@register.filter
def baseline(name: str) -> str:
    """What a trivial model is called that stored measures name."""
    return always(name.removeprefix("always "))


@register.filter
def shown(text: str) -> str:
    """A text in the reader's language, for filters that cut it."""
    return str(text)


@register.simple_tag
def rests_on(cases: int, templates: int | None) -> str:
    """How many cases, of how many templates, a figure rests on."""
    if not templates:
        return str(_("of %(cases)s", cases=cases))
    return str(
        ngettext("of %(cases)s, %(count)s template", "of %(cases)s, %(count)s templates", templates, cases=cases)
    )


@register.filter
def pair_counts(pairs: Mapping[str, Any]) -> str:
    """How many pairs of how many templates a figure rests on; empty without any."""
    if not pairs["n"]:
        return ""
    told = [ngettext("%(count)s pair", "%(count)s pairs", pairs["n"])]
    if pairs.get("templates") is not None:
        told.append(ngettext("%(count)s template", "%(count)s templates", pairs["templates"]))
    return show(told)


@register.filter
def functionality_title(key: str, names: Names) -> str:
    """The title of a functionality, for a page that has its key."""
    return names.of("functionality", key)


@register.filter
def points(share: float) -> str:
    """A difference of two shares in percentage points, without the word."""
    return numbers.format_number(share * 100, 1)


@register.simple_tag
def difference(share: float | None, interval: Sequence[float] | None = None) -> SafeString:
    """A difference of two shares in percentage points with its sign, and its interval: +3.0 (0.7 to 5.3)."""
    if share is None:
        return numbers.undefined()
    shown = format_html('<span class="number">{}</span>', _signed(share))
    if not interval:
        return shown
    low, high = (points(bound) for bound in interval)
    return format_html('{} <span class="interval">({})</span>', shown, _("%(low)s to %(high)s", low=low, high=high))


def _signed(share: float) -> str:
    return f"+{points(share)}" if round(share * 100, 1) > 0 else points(share)


@register.simple_tag
def model_heads(table: Table, runs: Sequence[EvaluationRun] = ()) -> SafeString:
    """The heads of the models' columns; with their runs each leads to its report, and uploads are marked."""
    if len(runs) != len(table.models):
        return format_html_join("", '<th scope="col">{}</th>', ((name,) for name in table.models))
    uploaded = format_html(' <small class="interval">{}</small>', _("uploaded"))
    return format_html_join(
        "",
        '<th scope="col"><a href="{}">{}</a>{}</th>',
        (
            (run.get_absolute_url(), name, uploaded if run.source == RunSource.UPLOAD else "")
            for name, run in zip(table.models, runs, strict=True)
        ),
    )


@register.simple_tag
def heat_cells(line: Line, table: Table | None = None, runs: Sequence[EvaluationRun] = ()) -> SafeString:
    """The cells of one line of a heat map; in one go, because a page with ten models has a thousand of them.

    With the runs of the columns each cell leads to the cases behind it.
    """
    language = translation.get_language() or ""
    links = [_cases_of(run, table, line) for run in runs] if table and runs else [""] * len(line.cells)
    cells = (_heat_cell(cell, language, link) for cell, link in zip(line.cells, links, strict=True))
    return mark_safe("".join(cells))  # noqa: S308 - escaped cell by cell


@register.simple_tag
def crossed_cells(line: Line, table: Table, run: EvaluationRun) -> SafeString:
    """The cells of one line by two dimensions; each leads to the cases of its row and column."""
    language = translation.get_language() or ""
    rows, columns = (FILTER_OF.get(name, name) for name in table.key.partition(":")[0].split("_by_"))
    address = _cases_address(run.key) if {rows, columns} <= FILTERS.keys() else ""
    cells = (
        _heat_cell(cell, language, address and f"{address}?{urlencode({rows: line.key, columns: head})}")
        for cell, head in zip(line.cells, table.columns, strict=True)
    )
    return mark_safe("".join(cells))  # noqa: S308 - escaped cell by cell


def _cases_of(run: EvaluationRun, table: Table, line: Line) -> str:
    """The address of the failing cases of a slice; empty where cases cannot be filtered by it."""
    name, functionality = table.key.removeprefix("by_").partition(".")[::2]
    if line.key == "overall":
        return _cases_address(run.key)
    wanted = {"functionality": functionality, "focus_word": line.key} if name == "slur" else {name: line.key}
    return f"{_cases_address(run.key)}?{urlencode(wanted)}" if wanted.keys() <= FILTERS.keys() else ""


@lru_cache(maxsize=256)
def _cases_address(run: str) -> str:
    return reverse("evaluation:run-cases", args=[run])


@register.simple_tag
def figure_cells(line: FigureLine) -> SafeString:
    """The cells of one line of figures; in one go, as above."""
    language = translation.get_language() or ""
    cells = [_f1_cell(figure, language) for figure in line.figures]
    cells += [f'<td class="number muted">{_f1(figure.value, language)}</td>' for figure in line.baselines]
    return mark_safe("".join(cells))  # noqa: S308 - numbers in the reader's locale and our own words


def _f1_cell(figure: Figure, language: str) -> str:
    shown = _f1(figure.value, language)
    if figure.is_best:
        shown = f"<strong>{shown}</strong>"
    if figure.low is not None and figure.high is not None:
        low, high = _f1(figure.low, language), _f1(figure.high, language)
        shown += f'<br><small class="muted">{low}–{high}</small>'
    if figure.note:
        shown += f'<br><small class="muted">{escape(figure.note)}</small>'
    return f'<td class="number">{shown}</td>'


def _f1(value: float | None, language: str) -> str:
    return numbers.undefined(UNDEFINED_HERE) if value is None else _thousandths(round(value, 3), language)


def _heat_cell(cell: Cell, language: str, link: str) -> str:
    marks = f"{' best' if cell.is_best else ''}{' below-chance' if cell.is_below_chance else ''}"
    # As printed in every document: rounded from the exact fraction, which a float may miss.
    shown = numbers.undefined() if cell.share is None else _percent(float(cell.printed), 1, language)
    if link and cell.share is not None:
        shown = f'<a href="{escape(link)}">{shown}</a>'
    if cell.low is not None and cell.high is not None:
        low, high = (_percent(round(bound * 100), 0, language) for bound in (cell.low, cell.high))
        shown += f'<small class="interval">{low}–{high}</small>'
    if cell.note:
        shown += f'<small class="interval">{escape(cell.note)}</small>'
    # Failures are the darkest cells: they are what one looks for.
    return f'<td class="{numbers.heat_step(None if cell.share is None else 1 - cell.share)}{marks}">{shown}</td>'


@lru_cache(maxsize=2048)
def _thousandths(value: float, language: str) -> str:
    return escape(numbers.format_number(value, 3))


@lru_cache(maxsize=4096)
def _percent(percent: float, digits: int, language: str) -> str:
    """There are few different ones, and each is looked up in the locale only once."""
    return escape(numbers.format_percent(percent / 100, digits))
