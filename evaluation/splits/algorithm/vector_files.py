"""Vectors on disk: an .npy file, and beside it a note about the data set and the encoder they belong to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.tables.problems import Problem
from core.text import _, ngettext


@dataclass(frozen=True, slots=True)
class VectorFile:
    """What an import found: the vectors (None with an error among the problems) and the note beside them."""

    vectors: NDArray[np.float32] | None
    note: Mapping[str, object]
    problems: tuple[Problem, ...] = ()


def save_vectors(
    path: str | Path, vectors: NDArray[np.floating], *, checksum: str, facts: Mapping[str, object] | None = None
) -> Path:
    """Write the vectors and a note with the data set's checksum and further facts (encoder, pooling, seed)."""
    path = Path(path).with_suffix(".npy")
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, np.asarray(vectors, dtype=np.float32), allow_pickle=False)
    note = {"dataset_sha256": checksum, "examples": len(vectors), "dimensions": vectors.shape[1], **(facts or {})}
    _note_path(path).write_text(json.dumps(note, indent=2, sort_keys=True, default=str) + "\n", encoding="utf-8")
    return path


def load_vectors(path: str | Path, *, examples: int, checksum: str | None = None) -> VectorFile:
    """Read vectors for a data set of so many examples, ours or brought along by a user.

    Wrong shape, values that are not finite, pickled content and vectors of another data set are errors; vectors without
    a note are taken with a warning, because it is unknown which data they belong to.
    """
    path = Path(path)
    try:
        vectors = np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError):
        fix = _("Save a table of numbers with numpy.save. Pickled content is never read.")
        return _refused(path, _("The file cannot be read as vectors"), fix)
    if (
        not isinstance(vectors, np.ndarray)
        or vectors.ndim != 2
        or vectors.dtype.kind not in "fiu"
        or not vectors.shape[1]
    ):
        fix = _("Save one row of numbers per example.")
        return _refused(path, _("The file does not contain a table of numbers"), fix)
    if len(vectors) != examples:
        fix = _("Encode exactly the rows of the data set, in its order.")
        problem = _(
            "The number of vectors (%(vectors)s) differs from the number of examples (%(examples)s)",
            vectors=len(vectors),
            examples=examples,
        )
        return _refused(path, problem, fix)
    with np.errstate(over="ignore"):
        table = np.asarray(vectors, dtype=np.float32)  # what is too large for single precision becomes infinite here
    finite = np.isfinite(table).all(axis=1)
    if not finite.all():
        row = int(np.argmax(~finite)) + 1
        problem = ngettext(
            "%(count)s vector has a value that is not a finite number: vector %(row)s",
            "%(count)s vectors have a value that is not a finite number, the first is vector %(row)s",
            int((~finite).sum()),
            row=str(row),
        )
        return _refused(path, problem, _("Encode these texts again."), row)
    note = _read_note(path)
    problems: list[Problem] = []
    if not note:
        fix = _("Make sure that the rows are in the order of the data set.")
        problem = _("The file does not say which data set the vectors belong to")
        problems.append(Problem(path.name, None, None, problem, fix, "warning"))
    elif checksum is not None and note.get("dataset_sha256") != checksum:
        fix = _("Encode this data set, or choose the one the vectors were made from.")
        return _refused(path, _("The vectors were made from another data set"), fix)
    return VectorFile(table, note, tuple(problems))


def _note_path(path: Path) -> Path:
    return path.with_suffix(".json")


def _read_note(path: Path) -> dict[str, object]:
    try:
        note = json.loads(_note_path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return note if isinstance(note, dict) and "dataset_sha256" in note else {}


def _refused(path: Path, problem: str, fix: str, row: int | None = None) -> VectorFile:
    return VectorFile(None, {}, (Problem(path.name, row, None, problem, fix),))
