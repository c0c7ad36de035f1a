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

CONSEQUENCES = [("warn", "warn"), ("pause", "pause"), ("end", "end")]
COUNTERS = {"too_fast": "too_fast_in_a_row", "skips_in_a_row": "skips_in_a_row", "failed_checks": "failed_checks"}
SAYS = {
    "too_fast": "{times} texts in a row were answered in less than {seconds:g} seconds each",
    "skips_in_a_row": "{times} texts in a row were skipped",
    "failed_checks": "{times} texts with a known answer were answered differently",
}
ADVICE = {
    "warn": "Please take your time: {what}.",
    "pause": "Your work here is paused, because {what}. The people who run the campaign will look at it.",
    "end": "Your work here has ended, because {what}. What you did until now is kept and paid as announced.",
}


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    times: int
    then: str
    milliseconds: int = 0

    def __str__(self) -> str:
        return SAYS[self.name].format(times=self.times, seconds=self.milliseconds / 1000)


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
    told = ""
    for rule in rules:
        counter = COUNTERS[rule.name]
        if getattr(participation, counter) < rule.times or participation.state != ParticipationState.ACTIVE:
            continue
        setattr(participation, counter, 0)
        told = ADVICE[rule.then].format(what=rule)
        if rule.then == "warn":
            participation.warnings += 1
            continue
        participation.state = ParticipationState.PAUSED if rule.then == "pause" else ParticipationState.ENDED
        participation.reason = str(rule)
    return told
