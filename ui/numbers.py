"""Numbers as people read them: in their locale, with uncertainty, and "undefined" where there is none."""

from typing import Literal, TypeAlias

from django.utils import formats, translation
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.text import _

NO_REASON = _("There is nothing to compute it from.")
NO_BREAK_SPACE = "\u00a0"
# Languages that set a space before the per cent sign (Unicode CLDR).
SPACED_PERCENT = frozenset({"cs", "da", "de", "es", "fi", "fr", "nb", "ru", "sk", "sv"})
HEAT_STEPS = 10
# What a template hands to a filter: Django passes "" where a name or a key is missing.
Figure: TypeAlias = float | Literal[""] | None


def known(value: Figure) -> float | None:
    """The value, or None where the template had none to give."""
    return None if value is None or value == "" else value


def format_number(value: float, digits: int = 0) -> str:
    """A number with grouped thousands and the reader's decimal sign; minus is a real minus sign."""
    text = formats.number_format(round(value, digits), decimal_pos=digits, use_l10n=True, force_grouping=True)
    return text.replace("-", "\u2212", 1) if text.startswith("-") else text


def percent_sign() -> str:
    language = (translation.get_language() or "en").split("-")[0]
    return f"{NO_BREAK_SPACE}%" if language in SPACED_PERCENT else "%"


def format_percent(share: float, digits: int = 1) -> str:
    """A share between 0 and 1 as per cent."""
    return format_number(share * 100, digits) + percent_sign()


def undefined(reason: str = "") -> SafeString:
    """Return the word "undefined" with the reason, for eyes (title) and for screen readers (hidden text)."""
    because = reason or NO_REASON
    return format_html(
        '<span class="undefined" title="{}">{}<span class="visually-hidden"> ({})</span></span>',
        because,
        _("undefined"),
        because,
    )


def format_interval(low: float, high: float, *, as_percent: bool, digits: int) -> str:
    """Both ends of a confidence interval, the unit being that of the value before it."""
    factor = 100 if as_percent else 1
    ends = {"low": format_number(low * factor, digits), "high": format_number(high * factor, digits)}
    # A dash beside a minus is not read.
    return str(_("%(low)s to %(high)s", **ends)) if low < 0 else f"{ends['low']}\u2013{ends['high']}"


def heat_step(share: float | None) -> str:
    """The class of the heat map cell for a share between 0 and 1; values outside are cut off."""
    if share is None:
        return "hole"
    return f"heat-{round(min(1.0, max(0.0, share)) * HEAT_STEPS)}"
