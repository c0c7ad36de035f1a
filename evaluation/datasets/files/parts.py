"""Train, dev and test: from three files, or from lists of ids beside one file."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.tables.problems import Problem
from core.text import _, ngettext
from evaluation.datasets.files.values import LabelledData, Reading

# What people call the parts of a data set and of its splits; files and the API use the names on the left.
PART_TITLES = {
    "train": _("Training"),
    "dev": _("Validation"),
    "test": _("Test"),
    "independent": _("Independent"),
    "all": _("All"),
}


def join_parts(parts: Mapping[str, LabelledData]) -> LabelledData:
    """One data set out of several files, each row marked with the part it came in. Refuses no part at all."""
    if not parts:
        raise ValueError("give at least one part, for example {'train': ..., 'test': ...}")
    shared = set.intersection(*(set(data.extra) for data in parts.values()))
    return LabelledData(
        texts=tuple(text for data in parts.values() for text in data.texts),
        labels=tuple(label for data in parts.values() for label in data.labels),
        splits=tuple(name for name, data in parts.items() for _ in data.texts),
        ids=tuple(f"{name}-{identifier}" for name, data in parts.items() for identifier in data.ids),
        rows=tuple(row for data in parts.values() for row in data.rows),
        extra={key: tuple(cell for data in parts.values() for cell in data.extra[key]) for key in sorted(shared)},
        source=" + ".join(data.source for data in parts.values()),
    )


def assign_parts(data: LabelledData, ids: Mapping[str, Sequence[str]]) -> Reading:
    """Mark each row with the part whose list holds its id; rows in no list stay without a part.

    An id in two lists, twice in one, or in no row is a problem, and then nothing is assigned.
    """
    problems: list[Problem] = []
    known = set(data.ids)
    listed = Counter(identifier for part in ids.values() for identifier in part)
    for part, identifiers in ids.items():
        file = _("Ids of “%(part)s”", part=PART_TITLES.get(part, part))
        for position, identifier in enumerate(identifiers, start=1):
            if identifier not in known:
                problem, fix = _("No row has the id '%(id)s'", id=identifier), _("Check which column has the ids.")
                problems.append(Problem(file, position, None, problem, fix))
            elif listed[identifier] > 1:
                problem, fix = _("'%(id)s' is listed more than once", id=identifier), _("Leave it in one part only.")
                problems.append(Problem(file, position, None, problem, fix))
    twice = [identifier for identifier, count in Counter(data.ids).items() if count > 1 and identifier in listed]
    if twice:
        problem = ngettext(
            "%(count)s id belongs to several rows: '%(example)s'",
            "%(count)s ids belong to several rows, for example '%(example)s'",
            len(twice),
            example=twice[0],
        )
        problems.append(Problem(data.source, None, None, problem, _("Name a column whose values are unique.")))
    if problems:
        return Reading(None, tuple(problems[:200]))
    part_of = {identifier: part for part, identifiers in ids.items() for identifier in identifiers}
    return Reading(replace(data, splits=tuple(part_of.get(identifier, "") for identifier in data.ids)))
