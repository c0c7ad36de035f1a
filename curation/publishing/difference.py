"""What changed between two releases, and a first draft of the changelog."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from curation.fields import FIELDS
from curation.publishing.canonical import natural_order, to_record
from curation.publishing.values import FrozenCase, ReleaseHead

VERDICT_FIELDS = frozenset(
    {"label_gold", "label_annotated", "label_annotated_maj", "disagreement_in_case", "disagreement_in_template"}
)


@dataclass(frozen=True, slots=True)
class ChangedCase:
    """A case that is in both releases, but not the same; `fields` are the names of what differs."""

    before: FrozenCase
    after: FrozenCase
    fields: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.after.key


@dataclass(slots=True)
class Difference:
    """All differences, each list in natural order of the keys. A case may be in several of the `changed_` lists."""

    added: list[FrozenCase] = field(default_factory=list)
    removed: list[FrozenCase] = field(default_factory=list)
    changed_text: list[ChangedCase] = field(default_factory=list)
    changed_verdict: list[ChangedCase] = field(default_factory=list)
    changed_otherwise: list[ChangedCase] = field(default_factory=list)
    unchanged: int = 0
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.removed or self.changed_text or self.changed_verdict or self.changed_otherwise)


def changed_between(before: FrozenCase, after: FrozenCase) -> tuple[str, ...]:
    """Return the names of the published fields in which two cases differ."""
    old, new = to_record(before), to_record(after)
    return tuple(field.column for field in FIELDS if old.get(field.column) != new.get(field.column))


def compare(
    old: Iterable[FrozenCase], new: Iterable[FrozenCase], *, reasons: Mapping[str, str] | None = None
) -> Difference:
    """Compare two releases by case id. `reasons` says why a case is missing from the new one, by case id."""
    difference = Difference(reasons=reasons or {})
    before = {case.key: case for case in old}
    for after in sorted(new, key=lambda case: natural_order(case.key)):
        was = before.pop(after.key, None)
        if was is None:
            difference.added.append(after)
        elif was == after:
            difference.unchanged += 1
        else:
            _file_change(difference, ChangedCase(was, after, changed_between(was, after)))
    difference.removed = sorted(before.values(), key=lambda case: natural_order(case.key))
    return difference


def _file_change(difference: Difference, change: ChangedCase) -> None:
    fields = set(change.fields)
    if not fields:
        difference.unchanged += 1  # the values differ only in what is not published, such as the order of extra columns
    if "test_case" in fields:
        difference.changed_text.append(change)
    if fields & VERDICT_FIELDS:
        difference.changed_verdict.append(change)
    if fields - VERDICT_FIELDS - {"test_case"}:
        difference.changed_otherwise.append(change)


def changelog_draft(difference: Difference, *, old: ReleaseHead, new: ReleaseHead) -> str:
    """Markdown to be edited by a person: what changed, counted, with the ids of the first cases."""
    lines = [f"## {new.version} ({new.created[:10]})", "", *_rules(old, new)]
    if difference.is_empty:
        return "\n".join([*lines, f"No case differs from {old.version}.", ""])
    sections = (
        ("Added", [case.key for case in difference.added], _by_functionality(difference.added) + _back(difference)),
        ("Removed", [case.key for case in difference.removed], _by_reason(difference)),
        ("Changed text", [change.key for change in difference.changed_text], ""),
        ("Changed verdict", [change.key for change in difference.changed_verdict], ""),
        ("Changed otherwise", [change.key for change in difference.changed_otherwise], _by_field(difference)),
    )
    for title, keys, detail in sections:
        if keys:
            lines += [f"### {title}", "", f"- {_cases(len(keys))}{detail}: {_shortened(keys)}", ""]
    lines += [f"Unchanged from {old.version}: {_cases(difference.unchanged)}.", ""]
    return "\n".join(lines)


def _rules(old: ReleaseHead, new: ReleaseHead) -> list[str]:
    """Return what is decided otherwise than before; cases often come and go for that reason alone."""
    named = (
        ("Cases people disagree on", old.policy, new.policy),
        ("Minimum agreement", old.min_agree, new.min_agree),
        ("What goes with a disputed case", old.cascade, new.cascade),
        ("Cases that were never labelled", old.without_labels or "include", new.without_labels or "include"),
        ("Labels", ", ".join(old.labels), ", ".join(new.labels)),
        ("Licence", old.licence or "none", new.licence or "none"),
    )
    changed = [f"- {name}: {before}, now {after}" for name, before, after in named if before != after]
    return ["### Rules", "", *changed, ""] if changed else []


def _back(difference: Difference) -> str:
    """Return how many of the added cases were left out before, and why."""
    why = [difference.reasons[case.key] for case in difference.added if difference.reasons.get(case.key)]
    return f"; of these {_counted(why).strip(' ()')}" if why else ""


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"


def _shortened(keys: list[str], most: int = 10) -> str:
    shown = ", ".join(keys[:most])
    return f"{shown} and {len(keys) - most} more" if len(keys) > most else shown


def _counted(names: Iterable[str]) -> str:
    counts = sorted(Counter(names).items(), key=lambda item: (-item[1], item[0]))
    return f" ({', '.join(f'{name} {count}' for name, count in counts)})"


def _by_functionality(cases: list[FrozenCase]) -> str:
    return _counted(case.functionality for case in cases)


def _by_reason(difference: Difference) -> str:
    return _counted(difference.reasons.get(case.key, "no reason recorded") for case in difference.removed)


def _by_field(difference: Difference) -> str:
    hidden = VERDICT_FIELDS | {"test_case"}
    return _counted(name for change in difference.changed_otherwise for name in change.fields if name not in hidden)
