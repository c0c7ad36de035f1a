"""Rules that look after quality while people work: too fast, too many skips, failed checks.

{"too_fast": {"milliseconds": 600, "times": 5, "then": "warn"},
 "skips_in_a_row": {"times": 5, "then": "pause"},
 "failed_checks": {"times": 3, "then": "end"}}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from annotation.models import Participation
from annotation.people.models import ParticipationState
from core.text import Text, _, ngettext

CONSEQUENCES = [("warn", _("Warn")), ("pause", _("Pause")), ("end", _("End participation"))]
COUNTERS = {"too_fast": "too_fast_in_a_row", "skips_in_a_row": "skips_in_a_row", "failed_checks": "failed_checks"}


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    times: int
    then: str
    milliseconds: int = 0

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Text:
        """What happened when the rule applies, without a full stop."""
        if self.name == "too_fast":
            return ngettext(
                "%(count)s text was answered in less than %(seconds)s seconds",
                "%(count)s texts in a row were answered in less than %(seconds)s seconds each",
                self.times,
                seconds=_seconds(self.milliseconds),
            )
        if self.name == "skips_in_a_row":
            return ngettext("%(count)s text was skipped", "%(count)s texts in a row were skipped", self.times)
        return ngettext(
            "%(count)s text with a known answer was answered differently",
            "%(count)s texts with a known answer were answered differently",
            self.times,
        )

    @property
    def consequence(self) -> Text:
        """What follows, in a word."""
        return dict(CONSEQUENCES)[self.then]

    @property
    def advice(self) -> Text:
        """What the annotator is told when the rule applies."""
        if self.then == "warn":
            return _("Please take your time: %(what)s.", what=self.sentence)
        if self.then == "pause":
            return _(
                "Your work here is paused: %(what)s. The people who run the campaign will look at it.",
                what=self.sentence,
            )
        return _(
            "Your work here has ended: %(what)s. Your answers until now are kept and paid as announced.",
            what=self.sentence,
        )


def read_rules(values: Mapping[str, Any]) -> tuple[Rule, ...]:
    """Return the rules of a campaign, which its options have checked."""
    return tuple(Rule(name, **value) for name, value in values.items())


def note_answer(participation: Participation, rules: tuple[Rule, ...], *, milliseconds: int | None) -> None:
    """Count one answer: it ends a run of skips, and it is fast or not."""
    participation.skips_in_a_row = 0
    limit = next((rule.milliseconds for rule in rules if rule.name == "too_fast"), 0)
    is_fast = milliseconds is not None and milliseconds < limit
    participation.too_fast_in_a_row = participation.too_fast_in_a_row + 1 if is_fast else 0


def apply_rules(participation: Participation, rules: tuple[Rule, ...]) -> str:
    """Warn, pause or end where a counter has reached its rule; returns what to tell the person, "" for nothing.

    Changes the object, not the row. A counter starts again after its rule was applied.
    """
    told: str = ""
    for rule in rules:
        counter = COUNTERS[rule.name]
        if getattr(participation, counter) < rule.times or participation.state != ParticipationState.ACTIVE:
            continue
        setattr(participation, counter, 0)
        told = rule.advice
        if rule.then == "warn":
            participation.warnings += 1
            continue
        participation.state = ParticipationState.PAUSED if rule.then == "pause" else ParticipationState.ENDED
        participation.reason = rule.sentence
    return told


def _seconds(milliseconds: int) -> int | float:
    """Whole seconds as a whole number, so that no one reads 2.0."""
    seconds = milliseconds / 1000
    return int(seconds) if seconds.is_integer() else seconds
