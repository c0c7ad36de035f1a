"""What a labelled data set is once it has been read: columns of equal length, without a database."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from core.tables.problems import Problem


@dataclass(frozen=True, slots=True)
class LabelledData:
    """Texts with their labels, in file order.

    `splits` holds train, dev, test or "" per row, `rows` the row of the file each text came from (the header is row 1)
    and `extra` further columns asked for by name. Columns of unequal length are refused.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    splits: tuple[str, ...]
    ids: tuple[str, ...]
    rows: tuple[int, ...]
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    source: str = ""

    def __post_init__(self) -> None:
        columns = [self.labels, self.splits, self.ids, self.rows, *self.extra.values()]
        if any(len(column) != len(self.texts) for column in columns):
            raise ValueError("every column of a data set needs as many rows as there are texts")

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def checksum(self) -> str:
        """SHA-256 over texts, labels and splits in order; file name, format and further columns do not matter."""
        digest = hashlib.sha256()
        for row in zip(self.texts, self.labels, self.splits, strict=True):
            digest.update(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
            digest.update(b"\n")
        return digest.hexdigest()

    @property
    def class_counts(self) -> dict[str, int]:
        """How many rows carry each label, by label name."""
        return dict(sorted(Counter(self.labels).items()))

    @property
    def split_counts(self) -> dict[str, int]:
        """How many rows belong to each part; rows without a part count under ""."""
        return dict(sorted(Counter(self.splits).items()))

    def part(self, *names: str) -> LabelledData:
        """Only the rows of the named parts, in file order. Refuses a part that no row belongs to."""
        missing = sorted(set(names) - set(self.splits))
        if missing:
            present = ", ".join(name or "(none)" for name in self.split_counts)
            raise ValueError(f"no row belongs to {', '.join(missing)}; the data set has: {present}")
        return self.take(index for index, split in enumerate(self.splits) if split in names)

    def take(self, indices: Iterable[int]) -> LabelledData:
        """The rows at these positions, in the order given."""
        chosen = list(indices)
        return LabelledData(
            texts=tuple(self.texts[index] for index in chosen),
            labels=tuple(self.labels[index] for index in chosen),
            splits=tuple(self.splits[index] for index in chosen),
            ids=tuple(self.ids[index] for index in chosen),
            rows=tuple(self.rows[index] for index in chosen),
            extra={name: tuple(column[index] for index in chosen) for name, column in self.extra.items()},
            source=self.source,
        )

    def is_label(self, *labels: str) -> tuple[bool, ...]:
        """Per row whether its label is one of these (abusive or not). Refuses a label that never occurs."""
        unknown = sorted(set(labels) - set(self.labels))
        if unknown:
            raise ValueError(f"no row is labelled {', '.join(unknown)}; labels: {', '.join(self.class_counts)}")
        return tuple(label in labels for label in self.labels)


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of reading a file: the data, or None where an error stands among the problems."""

    data: LabelledData | None
    problems: tuple[Problem, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)  # which column of the file was taken as text, label, ...
    file_sha256: str = ""

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")
