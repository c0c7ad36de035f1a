"""The job and the files of an artefact."""

import zipfile
from collections.abc import Collection
from io import BytesIO
from pathlib import Path

from accounts.models import User
from core.jobs.services import request_job
from core.text import _
from evaluation import file_store
from evaluation.artefacts.errors import Unusable
from evaluation.artefacts.models import Artefact, BuiltArtefact


def give_job(artefact: Artefact, kind: str, *, title: str, by: User | None, ring_now: bool = True) -> None:
    """Queue a job of this kind for the artefact; it leads to the artefact's page."""
    name = str(artefact._meta.model_name)
    artefact.job = request_job(
        kind,
        {name: artefact.key},
        title=title,
        by=by,
        result_url=artefact.get_absolute_url(),
        ring_now=ring_now,
    )
    artefact.save(update_fields=["job"])


def folder_of(artefact: BuiltArtefact) -> Path:
    """Return where the files of a built artefact are. Refuses one that is not built yet."""
    if not artefact.is_built:
        sentence = _("“%(title)s” is not built yet. Wait until its job is done.", title=artefact.title)
        raise Unusable(sentence, now="not built yet", wanted="used")
    return file_store.path_of(f"{artefact._meta.model_name}s/{artefact.key}")


def archive_of(artefact: BuiltArtefact) -> bytes:
    """Return everything a publication needs as one zip archive, the same bytes every time."""
    return zip_folder(folder_of(artefact), leave_out=artefact.not_handed_out)


def zip_folder(folder: Path, *, leave_out: Collection[str] = ()) -> bytes:
    """Return the files of a folder as one zip archive, the same bytes every time."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            if path.name not in leave_out:
                archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return content.getvalue()
