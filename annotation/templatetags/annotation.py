"""Guidelines in Markdown (raw HTML in them stays text), questions, labels, spans of time, and figures of agreement."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from annotation.models import Campaign
from annotation.questions import label_name, question_of
from core.text import _, ngettext
from ui.templatetags.ui import LABELS, badge, measure

register = template.Library()


@cache
def _renderer() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML, one heading level down, because the page has its own first heading."""
    lowered = "\n".join(f"#{line}" if line.startswith("#") else line for line in text.splitlines())
    html: str = _renderer().render(lowered)
    return mark_safe(html)  # noqa: S308  (the renderer escapes HTML)


@register.filter
def minutes(seconds: float | None) -> str:
    """A span of time as people say it."""
    if seconds is None:
        return _("unknown")
    total = round(seconds / 60)
    if total < 1:
        return _("under a minute")
    if total < 60:
        return _("%(minutes)s min", minutes=total)
    hours, rest = divmod(total, 60)
    return (
        _("%(hours)s h %(minutes)s min", hours=hours, minutes=rest)
        if rest and hours < 10
        else _("%(hours)s h", hours=hours)
    )


@register.filter
def basis(values: Mapping[str, Any]) -> str:
    """What a summary was measured on: "3,901 cases, 5 labels per case"."""
    fewest, most = values.get("fewest_labels"), values.get("most_labels")
    cases = ngettext("%(count)s case", "%(count)s cases", values["cases"])
    if fewest is None or most is None:
        return cases
    if fewest == most:
        labels = ngettext("%(count)s label per case", "%(count)s labels per case", most)
    else:
        labels = ngettext(
            "%(fewest)s to %(count)s label per case", "%(fewest)s to %(count)s labels per case", most, fewest=fewest
        )
    return _("%(cases)s, %(labels)s", cases=cases, labels=labels)


@register.simple_tag
def measured(values: Mapping[str, Any], name: str, unit: str = "number") -> SafeString:
    """A figure of a summary with its interval where there is one, or "undefined" with the reason."""
    low, high = values.get(f"{name}_ci95") or (None, None)
    reason = str(values.get(f"{name}_reason") or "")
    return measure(values[name], low, high, unit=unit, digits=3 if unit == "number" else 1, reason=reason)


@register.filter
def prompt(campaign: Campaign) -> str:
    """The question of a campaign as annotators read it."""
    return question_of(campaign).shown_prompt


@register.filter
def answer(label: str, campaign: Campaign) -> str:
    """A label as annotators of the campaign read it."""
    return question_of(campaign).name_of(label)


@register.filter("label_name")
def named_label(label: str) -> str:
    """A label as people read it outside a campaign: standard labels in their language."""
    return label_name(label)


@register.simple_tag
def answer_badge(label: str, campaign: Campaign) -> SafeString:
    """An answer in the colour of its label, as annotators of the campaign read it."""
    return badge(question_of(campaign).name_of(label), LABELS.get(label.lower(), ""))
