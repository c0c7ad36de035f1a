"""From a labelled file to a stored split and its release, in this process: what a command needs."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from curation.errors import BadInput
from curation.models import Job, Release
from curation.models.jobs import JobState
from curation.services import jobs
from curation.services.releases import build_release, publish_release
from evaluation.models import Split
from evaluation.services import file_store
from evaluation.services.datasets import Mapped, import_dataset
from evaluation.services.split_releases import request_split_release
from evaluation.services.splitting import folder_of, request_split

Progress = Callable[[int, int | None, str], None]
LOOK_EVERY = 1.0  # seconds


def store_split(
    path: Path,
    *,
    title: str = "",
    language: str = "en",
    text_column: str = "",
    label_column: str = "",
    extra_columns: Sequence[str] = (),
    hiddens: Path | None = None,
    progress: Progress | None = None,
    **choices: Any,
) -> Split:
    """Import the file as a data set and build a split of it here and now; both stay. Refuses what cannot be split."""
    mapped = Mapped(text_column=text_column, label_column=label_column, extra_columns=tuple(extra_columns))
    dataset = import_dataset(path, title=title or path.stem, by=None, language=language, mapped=mapped)
    split = request_split(
        dataset,
        by=None,
        ring_now=False,
        vectors_file=_keep_vectors(hiddens) if hiddens else "",
        vectors_name=hiddens.name if hiddens else "",
        **choices,
    )
    assert split.job is not None
    try:
        finish_here(split.job, progress=progress)
    except BadInput:
        split.delete()
        raise
    split.refresh_from_db()
    return split


def finish_here(job: Job, *, progress: Progress | None = None) -> None:
    """Do a queued job in this process, or wait for the worker that has it. Refuses with its reason when it fails."""
    while not job.is_finished:
        if jobs.perform(job.key, worker="command", on_progress=progress) is None:
            time.sleep(LOOK_EVERY)
        job.refresh_from_db()
    if job.state != JobState.DONE:
        raise BadInput(job.reason or job.message or f"The job ended as '{job.state}'.")


def copy_files(split: Split, out: Path) -> None:
    """The files of a stored split, in a folder of the user's choice."""
    shutil.copytree(folder_of(split), out, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.svg"))


@transaction.atomic
def publish_split(
    split: Split,
    *,
    key: str,
    version: str,
    licence: str = "",
    candidate: bool = False,
    progress: Progress | None = None,
) -> Release:
    """Build a release of the split and publish it, unless it shall stay a candidate. A failed one leaves no trace."""
    release = request_split_release(split, key=key, version=version, licence=licence, by=None, build=False)
    build_release(release, progress=progress)
    if candidate or settings.SECOND_MAINTAINER_PUBLISHES:
        return release
    return publish_release(release, by=None)


def _keep_vectors(path: Path) -> str:
    """Store ready vectors with the note beside them, which says which data they belong to."""
    if not path.is_file():
        raise BadInput(f"The vectors {path} do not exist. Check the path and the name.")
    stored = file_store.keep_file(path, "vectors")[0]
    note = path.with_suffix(".json")
    if note.is_file():
        shutil.copyfile(note, file_store.path_of(stored).with_suffix(".json"))
    return stored
