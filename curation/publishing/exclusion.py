"""Which cases leave with a rejected one: its template, and the templates that vary that template."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Case = TypeVar("Case", bound=Hashable)
Template = TypeVar("Template", bound=Hashable)

Cascade = Literal["closure", "template", "none"]
Reason = Literal["disagreement", "template", "reference"]


@dataclass(frozen=True, slots=True)
class Excluded(Generic[Case]):
    """Why one case is left out, and the rejected case that it follows."""

    reason: Reason
    because_of: Case


def is_disputed(agreeing: int, raters: int, *, at_least: int, wanted: int) -> bool:
    """Whether too few labels of a case equal its gold label.

    Where it has fewer labels than have to agree, it is disputed only if those it lacks of the `wanted` ones could not
    mend that: three of three for gold are no dispute where four of five are asked for, and one of three is one.
    """
    missing = max(wanted - raters, 0) if raters < at_least else 0
    return agreeing + missing < at_least


def close_over(
    failed: Iterable[Case],
    *,
    template_of: Mapping[Case, Template | None],
    refers_to: Mapping[Template, Template | None],
    cascade: Cascade = "closure",
) -> dict[Case, Reason]:
    """Every case to leave out, with the reason. `refers_to` maps a template to the one it varies.

    `cascade` says how far to go: `closure` (template, then templates that refer to it, and so on), `template`, or
    `none`. A case without a template (None) leaves alone. Refuses failed cases that are not in `template_of`.
    """
    explained = explain_exclusions(failed, template_of=template_of, refers_to=refers_to, cascade=cascade)
    return {case: excluded.reason for case, excluded in explained.items()}


def explain_exclusions(
    failed: Iterable[Case],
    *,
    template_of: Mapping[Case, Template | None],
    refers_to: Mapping[Template, Template | None],
    cascade: Cascade = "closure",
) -> dict[Case, Excluded[Case]]:
    """As `close_over`, and which failed case each exclusion goes back to."""
    explained: dict[Case, Excluded[Case]] = {}
    for case in failed:
        if case not in template_of:
            raise ValueError(f"case {case} failed but is not in the suite; name only cases of the suite")
        explained[case] = Excluded("disagreement", case)
    befallen = close_over_templates(
        {case: template_of[case] for case in explained}, refers_to=refers_to, cascade=cascade
    )
    for case, template in template_of.items():
        if template in befallen:
            explained.setdefault(case, befallen[template])
    return explained


def close_over_templates(
    failed: Mapping[Case, Template | None],
    *,
    refers_to: Mapping[Template, Template | None],
    cascade: Cascade = "closure",
) -> dict[Template | None, Excluded[Case]]:
    """What befalls the other cases of each template, where it is known of which template each failed case is."""
    culprit: dict[Template, Case] = {}
    for case, template in failed.items():
        if template is not None:
            culprit.setdefault(template, case)
    if cascade == "none":
        return {}
    bad = set(culprit)
    if cascade == "closure":
        _follow_references(culprit, refers_to)
    return {
        template: Excluded("template" if template in bad else "reference", case) for template, case in culprit.items()
    }


def _follow_references(culprit: dict[Template, Case], refers_to: Mapping[Template, Template | None]) -> None:
    """Add every template that refers, directly or through others, to one that is already out."""
    variations: defaultdict[Template, list[Template]] = defaultdict(list)
    for template, origin in refers_to.items():
        if origin is not None:
            variations[origin].append(template)
    waiting = list(culprit)
    while waiting:
        origin = waiting.pop()
        for template in variations[origin]:
            if template not in culprit:
                culprit[template] = culprit[origin]
                waiting.append(template)
