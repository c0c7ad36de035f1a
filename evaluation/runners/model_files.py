"""Finding a model: a local folder, or a hub id at one fixed commit. Only safetensors are ever read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluation.runners.environment import digest_files
from evaluation.runners.errors import ModelUnusable, NotAllowed, SpecError
from evaluation.runners.settings import RunnerSettings

# No *.bin, *.pt, *.py: a pickle or a script inside a model folder is never even downloaded.
HUB_FILES = ("*.safetensors", "*.json", "*.txt", "*.model", "*.jinja")


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model on disk. `revision` is the hub's commit, "" for a local folder; `content_hash` covers its files."""

    name: str
    folder: Path
    revision: str
    content_hash: str


def split_revision(reference: str) -> tuple[str, str | None]:
    """`name@revision` in two; a folder whose name has an @ in it is left whole."""
    if "@" not in reference or Path(reference).expanduser().is_dir():
        return reference, None
    name, _, revision = reference.rpartition("@")
    if not name or not revision:
        raise SpecError(f"'{reference}' has nothing on one side of the @. Write name@revision, or leave out the @.")
    return name, revision


def find_model(name: str, *, revision: str | None, settings: RunnerSettings) -> ModelFiles:
    """The model's files, downloaded if need be.

    Refuses folders outside the permitted roots, a revision of a local folder, and models without safetensors.
    """
    folder = Path(name).expanduser()
    if not folder.is_absolute() and settings.base_folder is not None and (settings.base_folder / folder).is_dir():
        folder = settings.base_folder / folder
    commit = ""
    if folder.is_dir():
        if revision:
            raise SpecError(f"'{name}' is a local folder and has no revision. Leave out '@{revision}'.")
        folder = folder.resolve()
        if settings.model_roots is not None and not any(
            folder.is_relative_to(r.resolve()) for r in settings.model_roots
        ):
            raise NotAllowed(f"models may not be read from {folder}. Move it into one of the permitted model folders.")
    else:
        folder, commit = _download(name, revision=revision, settings=settings)
    weights = sorted(path.name for path in folder.glob("*.safetensors"))
    if not weights:
        raise ModelUnusable(
            f"'{name}' has no *.safetensors file; other weight formats can run code and are not read. "
            "Convert it with save_pretrained(..., safe_serialization=True)."
        )
    names = [*weights, *(path.name for pattern in ("*.json", "*.txt", "*.model") for path in folder.glob(pattern))]
    names = [each for each in names if each != "metrics.json"]
    return ModelFiles(name=name, folder=folder, revision=commit, content_hash=digest_files(folder, names))


def _download(name: str, *, revision: str | None, settings: RunnerSettings) -> tuple[Path, str]:
    if name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise SpecError(f"no model folder at '{name}'. Check the path, or give a hub id such as owner/model.")
    if not settings.allow_hub:
        raise NotAllowed(f"'{name}' is not a local folder, and downloads from the model hub are switched off here.")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, revision=revision, allow_patterns=list(HUB_FILES)))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ModelUnusable(
            f"'{name}' is neither a local folder nor a model that could be fetched from the hub "
            f"({type(error).__name__}). Check the name, the revision and the network."
        ) from error
    return folder, folder.name
