"""What `from touchstone import ...` gives: releases, results and comparisons as data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from touchstone.answers import AnswerStore
from touchstone.comparing import Comparison, compare_results
from touchstone.evaluating import Result, ShouldStop, ShowProgress, read_result, run_model
from touchstone.models import Model, load_model, name_of
from touchstone.paths import data_folder
from touchstone.pictures import Picture
from touchstone.registry import fetch_release, is_reference
from touchstone.releases import Release, read_release

__all__ = ["Comparison", "Picture", "Release", "Result", "compare", "evaluate", "load_release"]


def load_release(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    labels: Sequence[str] | None = None,
    gold_map: Mapping[str, str] | None = None,
    sha256: str = "",
    source: str = "",
) -> Release:
    """Return the cases of an exported release (folder or zip), a CSV, JSONL or Parquet file, or a dataset folder.

    SUITE@VERSION is fetched once from the indexes that are known, or from the one at the address `source`.

    The seal of a release is verified. `columns` maps text, label, id, functionality, language, target, template and
    others to the columns of a table; `labels` names the labels, the positive one first; `gold_map` says what other
    words mean; `sha256` is the checksum that the release must have. Raises `touchstone.errors.Refused`.
    """
    if is_reference(path):
        path = fetch_release(str(path), source=source)
    return read_release(path, columns=columns, labels=labels, gold_map=gold_map, sha256=sha256)


def evaluate(
    release: Release | str | Path,
    model: Model,
    *,
    name: str = "",
    limit: int | None = None,
    cache: str | Path | None = None,
    trained_on: Sequence[str] | None = None,
    progress: ShowProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> Result:
    """Run a model on a release and return what is measured.

    `model` is a spec (`hf:PATH_OR_ID`, `http:FILE.yaml`, ...) or a function that takes a list of texts and returns a
    label or a score for each. Answers of specs are kept by the model's fingerprint and the text, in `cache` or the data
    folder, so an interrupted evaluation continues where it was; a function is always asked. `limit` takes some cases of
    every functionality. Raises `touchstone.errors.Refused`.
    """
    chosen = release if isinstance(release, Release) else load_release(release)
    if limit is not None:
        chosen = chosen.first(limit)
    runner = load_model(model, chosen.labels)
    store = None
    if not callable(model) or cache is not None:
        store = AnswerStore(Path(cache) if cache is not None else data_folder() / "answers", runner.fingerprint)
    try:
        return run_model(
            chosen,
            runner,
            name=name or name_of(model),
            store=store,
            progress=progress,
            should_stop=should_stop,
            trained_on=trained_on,
        )
    finally:
        if store is not None:
            store.close()


def compare(before: Result | str | Path, after: Result | str | Path, *, max_drop: float | None = None) -> Comparison:
    """Compare two results, or the JSON files that hold them: which functionalities got worse or better?

    Tests count templates and are corrected after Holm. `max_drop` is a share that no functionality may lose, certain or
    not. Raises `touchstone.errors.Refused`.
    """
    one, other = (found if isinstance(found, Result) else read_result(found) for found in (before, after))
    return compare_results(one, other, max_drop=max_drop)
