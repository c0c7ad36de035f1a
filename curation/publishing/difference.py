"""What changed between two releases, and a first draft of the changelog."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from core.text import _, ngettext
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
        return _lines([*lines, _("No case differs from %(version)s.", version=old.version), ""])
    new_cases = [case for case in difference.added if not difference.reasons.get(case.key)]
    sections: tuple[tuple[str, list[str], str, list[str]], ...] = (
        (_("Added"), [case.key for case in new_cases], _by_functionality(new_cases), _restored(difference)),
        (_("Removed"), [case.key for case in difference.removed], _by_reason(difference), []),
        (_("Changed text"), [change.key for change in difference.changed_text], "", []),
        (_("Changed verdict"), [change.key for change in difference.changed_verdict], "", []),
        (_("Changed otherwise"), [change.key for change in difference.changed_otherwise], _by_field(difference), []),
    )
    for title, keys, detail, more in sections:
        if keys or more:
            counted = [f"- {_cases(len(keys))}{detail}: {_shortened(keys)}"] if keys else []
            lines += [f"### {title}", "", *counted, *more, ""]
    unchanged = ngettext(
        "Unchanged from %(version)s: %(count)s case.",
        "Unchanged from %(version)s: %(count)s cases.",
        difference.unchanged,
        version=old.version,
    )
    return _lines([*lines, unchanged, ""])


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(str(part) for part in parts)


def _rules(old: ReleaseHead, new: ReleaseHead) -> list[str]:
    """Return what is decided otherwise than before; cases often come and go for that reason alone."""
    named = (
        (_("Cases with a disagreement"), old.policy, new.policy),
        (_("Minimum agreement"), old.min_agree, new.min_agree),
        (_("Cascade"), old.cascade, new.cascade),
        (_("Cases that were never labelled"), old.without_labels or "include", new.without_labels or "include"),
        (_("Labels"), list(old.labels), list(new.labels)),
        (_("Licence"), old.licence or _("none"), new.licence or _("none")),
    )
    changed = [
        _("%(rule)s: %(before)s, now %(now)s", rule=name, before=before, now=now)
        for name, before, now in named
        if before != now
    ]
    heading = _("Rules")
    return [f"### {heading}", "", *(f"- {line}" for line in changed), ""] if changed else []


def _restored(difference: Difference) -> list[str]:
    """Return which of the added cases were excluded before, and why they are back; one line for each reason."""
    keys: dict[str, list[str]] = {}
    for case in difference.added:
        if why := difference.reasons.get(case.key):
            keys.setdefault(why, []).append(case.key)
    return [
        ngettext(
            "- Restored %(count)s case: %(cases)s. %(reason)s",
            "- Restored %(count)s cases: %(cases)s. %(reason)s",
            len(found),
            cases=_shortened(found),
            reason=why,
        )
        for why, found in keys.items()
    ]


def _cases(count: int) -> str:
    return ngettext("%(count)s case", "%(count)s cases", count)


def _shortened(keys: list[str], most: int = 10) -> str:
    more = len(keys) - most
    if more <= 0:
        return ", ".join(keys)
    return ngettext("%(cases)s and %(count)s more", "%(cases)s and %(count)s more", more, cases=keys[:most])


def _counted(names: Iterable[str]) -> str:
    counts = sorted(Counter(map(str, names)).items(), key=lambda item: (-item[1], item[0]))
    return f" ({', '.join(f'{name} {count}' for name, count in counts)})"


def _by_functionality(cases: list[FrozenCase]) -> str:
    return _counted(case.functionality for case in cases)


def _by_reason(difference: Difference) -> str:
    return _counted(difference.reasons.get(case.key) or _("no reason recorded") for case in difference.removed)


def _by_field(difference: Difference) -> str:
    hidden = VERDICT_FIELDS | {"test_case"}
    return _counted(name for change in difference.changed_otherwise for name in change.fields if name not in hidden)
