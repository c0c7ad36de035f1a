"""From a labelled file to a stored split and its release, in this process: what a command needs."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.db import transaction

from core.errors import BadInput
from core.jobs import services as jobs
from core.jobs.models import JobState
from core.models import Job
from core.text import _
from curation.models import Release
from curation.releases.building import build_release
from curation.releases.services import publish_release
from evaluation.artefacts.services import folder_of
from evaluation.datasets.services import Mapped, import_dataset
from evaluation.models import Split
from evaluation.splits.options import SplitOptions, SplitReleaseOptions
from evaluation.splits.releases import request_split_release
from evaluation.splits.services import request_split

Progress = Callable[[int, int | None, str], None]
LOOK_EVERY = 1.0  # seconds


def store_split(options: SplitOptions, *, progress: Progress | None = None) -> Split:
    """Import the file as a data set and build a split of it here and now; both stay. Refuses what cannot be split."""
    path: Path = options.data
    dataset = import_dataset(
        path,
        title=options.dataset_title or path.stem,
        by=None,
        language=options.language,
        mapped=Mapped(text_column=options.text_column, label_column=options.label_column),
    )
    if options.dataset_title and dataset.title != options.dataset_title:
        # The same rows are one data set; it is called as it was asked for last.
        dataset.title = options.dataset_title[:160]
        dataset.save(update_fields=["title"])
    split = request_split(dataset, options, by=None, ring_now=False)
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
        ended = _("The job ended in the state “%(state)s”.", state=job.get_state_display())
        raise BadInput(job.reason or job.message or ended)


def copy_files(split: Split, out: Path) -> None:
    """The files of a stored split, in a folder of the user's choice."""
    shutil.copytree(folder_of(split), out, dirs_exist_ok=True)


@transaction.atomic
def publish_split(split: Split, options: SplitOptions, *, progress: Progress | None = None) -> Release:
    """Build a release of the split and publish it, unless it shall stay a candidate. A failed one leaves no trace."""
    asked = SplitReleaseOptions(key=options.release, version=options.release_version, licence=options.licence)
    release = request_split_release(split, asked, by=None, build=False)
    build_release(release, progress=progress)
    if options.candidate or settings.SECOND_MAINTAINER_PUBLISHES:
        return release
    return publish_release(release, by=None)
