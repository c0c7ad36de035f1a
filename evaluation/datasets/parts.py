"""Data sets that come in several files: one per part, or one with lists of ids beside it."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from core.errors import BadInput
from evaluation.datasets.files.parts import assign_parts, join_parts
from evaluation.datasets.files.values import LabelledData
from evaluation.datasets.labelled_files import refuse_problems
from evaluation.datasets.services import Mapped


@contextmanager
def joined_file(files: Mapping[str, Path], mapped: Mapped, *, name: str) -> Iterator[Path]:
    """One JSON Lines file out of one file per part, for as long as the block lasts. Refuses a part with a bad row."""
    parts: dict[str, LabelledData] = {}
    for part, path in files.items():
        reading = mapped.read(path)
        refuse_problems(f"Nothing was imported. The {part} file:", reading.problems)
        assert reading.data is not None
        parts[part] = reading.data
    if not parts:
        raise BadInput("Give at least one file.")
    with _written(join_parts(parts), name) as path:
        yield path


@contextmanager
def marked_file(file: Path, ids: Mapping[str, Sequence[str]], mapped: Mapped, *, name: str) -> Iterator[Path]:
    """One JSON Lines file in which every row carries the part whose list holds its id. Refuses ids that no row has."""
    reading = mapped.read(file)
    refuse_problems("Nothing was imported.", reading.problems)
    assert reading.data is not None
    marked = assign_parts(reading.data, ids)
    refuse_problems("Nothing was imported.", marked.problems)
    assert marked.data is not None
    with _written(marked.data, name) as path:
        yield path


@contextmanager
def _written(data: LabelledData, name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        plain_name = "".join(letter if letter.isalnum() else "-" for letter in name)[:60]
        path = Path(folder) / f"{plain_name}.jsonl"
        with path.open("w", encoding="utf-8", newline="\n") as out:
            for place, (text, label, part, key) in enumerate(
                zip(data.texts, data.labels, data.splits, data.ids, strict=True)
            ):
                extra = {column: cells[place] for column, cells in data.extra.items()}
                row = {**extra, "id": key, "text": text, "label": label, "split": part}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
        yield path
