"""The components that need more than a class name. docs/ui.md shows each in use."""

from typing import Any

from django import template
from django.core.paginator import Page
from django.http import QueryDict
from django.template.context import RequestContext
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.text import _
from ui import numbers
from ui.numbers import Figure

register = template.Library()

# Icons that point along the reading direction turn round in right-to-left pages.
DIRECTED_ICONS = frozenset({"chevron-next", "chevron-back", "sign-out", "undo", "external", "list"})
MESSAGE_TONES = {"error": "danger", "warning": "warning"}
LABELS = {"hateful": "hateful", "hate": "hateful", "non-hateful": "non-hateful", "non-hate": "non-hateful"}


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """An icon of the sprite; decorative unless it has a label."""
    flips = " icon--flips" if name in DIRECTED_ICONS else ""
    described = format_html('role="img" aria-label="{}"', label) if label else SafeString('aria-hidden="true"')
    return format_html(
        '<svg class="icon{}" {} focusable="false"><use href="{}#{}"/></svg>',
        flips,
        described,
        static("ui/icons.svg"),
        name,
    )


@register.simple_tag
def badge(text: str, tone: str = "") -> SafeString:
    """A short state word. Tones: good, warning, danger; none is neutral."""
    return format_html('<span class="badge{}">{}</span>', f" badge--{tone}" if tone else "", text)


@register.simple_tag
def label_badge(label: str | None) -> SafeString:
    """A label in its colour of the blue and orange pair; other labels stay neutral, none is undefined."""
    if not label:
        return numbers.undefined(_("There is no label yet."))
    return badge(str(label), LABELS.get(str(label).lower().replace("_", "-").replace(" ", "-"), ""))


@register.inclusion_tag("ui/components/progress.html")
def progress(done: int, total: int, label: str, note: str = "") -> dict[str, Any]:
    """How far something is: `done` of `total`, always with a label."""
    return {"done": done, "total": total, "label": label, "note": note}


@register.inclusion_tag("ui/components/empty_state.html")
def empty_state(title: str, text: str = "", action: str = "", url: str = "", icon: str = "box") -> dict[str, Any]:
    """What to show instead of an empty list: what is missing and the one thing to do about it."""
    return {"title": title, "text": text, "action": action, "url": url, "icon_name": icon}


@register.inclusion_tag("ui/components/stat.html")
def stat(label: str, value: object, note: str = "", reason: str = "") -> dict[str, Any]:
    """One figure of a row of figures (inside `<dl class="stats">`); None is shown as undefined with its reason."""
    return {"label": label, "value": numbers.undefined(reason) if value is None else value, "note": note}


@register.inclusion_tag("ui/components/pagination.html", takes_context=True)
def pagination(context: RequestContext, page: Page[Any], what: str = "") -> dict[str, Any]:
    """Links to the other pages of a list; keeps the search and filters of the address. `what` names the list."""
    numbers_shown = page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
    return {"page": page, "numbers": list(numbers_shown), "what": what}


@register.inclusion_tag("ui/components/sort_header.html", takes_context=True)
def sort_header(
    context: RequestContext, title: str, key: str, css: str = "", parameter: str = "sort"
) -> dict[str, Any]:
    """A column head that sorts on the server: `?sort=key`, then `?sort=-key`."""
    request = context.get("request")
    current = request.GET.get(parameter, "") if request else ""
    direction = {key: "ascending", f"-{key}": "descending"}.get(current, "")
    query = request.GET.copy() if request else QueryDict(mutable=True)
    query[parameter] = f"-{key}" if direction == "ascending" else key
    query.pop("page", None)
    return {"title": title, "css": css, "direction": direction, "url": f"?{query.urlencode()}"}


@register.inclusion_tag("ui/components/case_text.html")
def case_text(text: str, language: str, large: bool = False, covered: bool = False) -> dict[str, Any]:
    """The text of a case with its language and direction; covered texts open with one key."""
    return {"text": text, "language": language, "large": large, "covered": covered}


@register.inclusion_tag("ui/components/field.html")
def field(bound_field: Any) -> dict[str, Any]:
    """One field of a form with label, help and errors."""
    return {"field": bound_field}


@register.inclusion_tag("ui/components/notice.html")
def notice(text: str, tone: str = "") -> dict[str, Any]:
    """A sentence that matters on this page. Tones: good, warning, danger; none is neutral."""
    icons = {"good": "check-circle", "warning": "warning", "danger": "warning"}
    return {"text": text, "tone": tone, "icon_name": icons.get(tone, "info")}


@register.filter
def number(value: Figure, digits: int = 0) -> str:
    """A number in the reader's locale; None and a missing value are undefined."""
    found = numbers.known(value)
    return numbers.undefined() if found is None else numbers.format_number(found, int(digits))


@register.filter
def percent(share: Figure, digits: int = 1) -> str:
    """A share between 0 and 1 as per cent; None and a missing value are undefined."""
    found = numbers.known(share)
    return numbers.undefined() if found is None else numbers.format_percent(found, int(digits))


@register.simple_tag
def measure(
    value: Figure,
    low: Figure = None,
    high: Figure = None,
    *,
    reason: str = "",
    unit: str = "percent",
    digits: int | None = None,
) -> SafeString:
    """A figure with its interval: 92.9% (91.8–93.9). unit="percent" takes shares, unit="number" plain figures."""
    value, low, high = numbers.known(value), numbers.known(low), numbers.known(high)
    if value is None:
        return numbers.undefined(reason)
    as_percent = unit == "percent"
    places = digits if digits is not None else (1 if as_percent else 3)
    text = numbers.format_percent(value, places) if as_percent else numbers.format_number(value, places)
    if low is None or high is None:
        return format_html('<span class="number">{}</span>', text)
    interval = numbers.format_interval(low, high, as_percent=as_percent, digits=places)
    return format_html('<span class="number">{}</span> <span class="interval">({})</span>', text, interval)


@register.filter
def heat(share: Figure) -> str:
    """The class of a heat map cell for a share between 0 and 1."""
    return numbers.heat_step(numbers.known(share))


@register.filter
def tone(level: str) -> str:
    """The tone of a message of django.contrib.messages by its level tag."""
    return MESSAGE_TONES.get(level, "good")
