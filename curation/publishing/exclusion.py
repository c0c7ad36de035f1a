"""Which cases leave with a rejected one: its template, and the templates that vary that template."""

from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeVar

Case = TypeVar("Case", bound=Hashable)
Template = TypeVar("Template", bound=Hashable)

Cascade = Literal["closure", "template", "none"]


class Failed(NamedTuple, Generic[Template]):
    """A rejected case: its name, and its template (None where it has none)."""

    name: str
    template: Template | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Why one case is left out, and the name of the case it goes back to."""

    reason: str
    because_of: str


def is_disputed(agreeing: int, raters: int, *, at_least: int, wanted: int) -> bool:
    """Tell whether too few labels of a case equal its gold label.

    Where it has fewer labels than have to agree, it is disputed only if those it lacks of the `wanted` ones could not
    mend that: three of three for gold are no dispute where four of five are asked for, and one of three is one.
    """
    missing = max(wanted - raters, 0) if raters < at_least else 0
    return agreeing + missing < at_least


def close_over(
    cases: Iterable[tuple[Case, Template | None]],
    failed: Mapping[Case, Failed[Template]],
    *,
    refers_to: Mapping[Template, Template | None],
    cascade: Cascade = "closure",
    kept: Container[Case] = (),
) -> Iterator[tuple[Case, LeftOut]]:
    """Yield every case to leave out, in the order of `cases`, with the reason.

    `cases` are pairs of a case and its template, `refers_to` maps a template to the one it varies. `cascade` says how
    far to go: `closure` (template, then templates that refer to it, and so on), `template`, or `none`. A case without a
    template leaves alone, and a `kept` case stays whatever happens to its template. Only `failed` and what it does to
    templates is held in memory. Refuses failed cases that are not among `cases`.
    """
    templates = _templates_left_out(failed, refers_to=refers_to, cascade=cascade)
    unseen = set(failed)
    for case, template in cases:
        if case in failed:
            unseen.discard(case)
            yield case, LeftOut("disagreement", failed[case].name)
        elif template in templates and case not in kept:
            yield case, templates[template]
    if unseen:
        raise ValueError(f"case {min(map(str, unseen))} failed but is not in the suite; name only cases of the suite")


def _templates_left_out(
    failed: Mapping[Case, Failed[Template]], *, refers_to: Mapping[Template, Template | None], cascade: Cascade
) -> dict[Template | None, LeftOut]:
    """Return why the other cases of each template leave, one object per template."""
    culprit: dict[Template, str] = {}
    for name, template in failed.values():
        if template is not None:
            culprit.setdefault(template, name)
    if cascade == "none":
        return {}
    bad = set(culprit)
    if cascade == "closure":
        _follow_references(culprit, refers_to)
    return {
        template: LeftOut("template" if template in bad else "reference", name) for template, name in culprit.items()
    }


def _follow_references(culprit: dict[Template, str], refers_to: Mapping[Template, Template | None]) -> None:
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
