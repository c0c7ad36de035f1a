"""Finding a model: a local folder, or a hub id at one fixed commit. Only safetensors and GGUF are ever read."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.inference.errors import ModelUnusable, NotAllowed, SpecError
from core.inference.settings import InferenceSettings
from core.text import _

# No *.bin, *.pt, *.py: a pickle or a script inside a model folder is never even downloaded.
HUB_FILES = ("*.safetensors", "*.json", "*.txt", "*.model", "*.jinja")


# Longer names are no path of common file systems, and looking for one is an error there.
LONGEST_NAME = 1000


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on disk. `revision` is the hub's commit, "" for a local folder."""

    name: str
    folder: Path
    revision: str


@dataclass(frozen=True, slots=True)
class ModelFiles(ModelFolder):
    """A model on disk with a hash over its files."""

    content_hash: str


def split_revision(reference: str) -> tuple[str, str | None]:
    """`name@revision` in two; a folder whose name has an @ in it is left whole. Refuses endless names."""
    if len(reference) > LONGEST_NAME:
        raise SpecError(_("the name of the model has more than %(most)s characters. Shorten it.", most=LONGEST_NAME))
    if "@" not in reference or Path(reference).expanduser().is_dir():
        return reference, None
    name, revision = reference.rpartition("@")[::2]
    if not name or not revision:
        raise SpecError(
            _(
                "'%(name)s' has nothing on one side of the @. Write name@revision, or leave out the @.",
                name=reference,
            )
        )
    return name, revision


def find_model(name: str, *, revision: str | None, settings: InferenceSettings) -> ModelFiles:
    """The model's files with their hash, downloaded if need be. What `locate_model` refuses is refused."""
    found = locate_model(name, revision=revision, settings=settings)
    patterns = ("*.safetensors", "*.json", "*.txt", "*.model")
    names = [path.name for pattern in patterns for path in found.folder.glob(pattern) if path.name != "metrics.json"]
    return ModelFiles(found.name, found.folder, found.revision, content_hash=digest_files(found.folder, names))


def locate_model(
    name: str, *, revision: str | None, settings: InferenceSettings, gguf_file: str | None = None
) -> ModelFolder:
    """The folder a model may be loaded from, downloaded if need be.

    Refuses folders outside the permitted roots, a revision of a local folder, the hub where it is switched off, models
    without safetensors, and a GGUF file that is named but not there: GGUF holds numbers only, so it may stand instead.
    """
    if gguf_file and (Path(gguf_file).name != gguf_file or not gguf_file.endswith(".gguf")):
        raise SpecError(
            _("'%(name)s' is not the name of a GGUF file. Give the file's name without its folder.", name=gguf_file)
        )
    folder = Path(name).expanduser()
    if not folder.is_absolute() and settings.base_folder is not None and (settings.base_folder / folder).is_dir():
        folder = settings.base_folder / folder
    commit = ""
    if folder.is_dir():
        if revision:
            raise SpecError(
                _(
                    "'%(name)s' is a local folder and has no revision. Leave out '%(revision)s'.",
                    name=name,
                    revision=f"@{revision}",
                )
            )
        folder = folder.resolve()
        require_permitted(folder, settings)
    else:
        folder, commit = _download(name, revision=revision, settings=settings, gguf_file=gguf_file)
    if gguf_file and not (folder / gguf_file).is_file():
        raise ModelUnusable(_("'%(model)s' has no file '%(file)s'. Check `gguf_file`.", model=name, file=gguf_file))
    if not gguf_file and not any(folder.glob("*.safetensors")):
        raise ModelUnusable(
            _(
                "'%(model)s' has no *.safetensors file; other weight formats can run code and are not read. "
                "Convert it with save_pretrained(..., safe_serialization=True).",
                model=name,
            )
        )
    return ModelFolder(name=name, folder=folder, revision=commit)


def digest_files(folder: Path, names: Iterable[str]) -> str:
    """SHA-256 over the named files that exist in a folder, with their names."""
    total = hashlib.sha256()
    for name in sorted(names):
        path = folder / name
        if path.is_file():
            total.update(name.encode())
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def require_permitted(folder: Path, settings: InferenceSettings) -> None:
    """Refuse a folder outside the permitted roots. `folder` is resolved: a link does not lead around the list."""
    roots = settings.model_roots
    if roots is not None and not any(folder.is_relative_to(root.resolve()) for root in roots):
        raise NotAllowed(
            _(
                "models may not be read from %(folder)s. Move it into one of the permitted model folders.",
                folder=str(folder),
            )
        )


def _download(
    name: str, *, revision: str | None, settings: InferenceSettings, gguf_file: str | None
) -> tuple[Path, str]:
    if name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise SpecError(
            _("no model folder at '%(path)s'. Check the path, or give a hub id such as owner/model.", path=name)
        )
    if not settings.allow_hub:
        raise NotAllowed(
            _("'%(name)s' is not a local folder, and downloads from the model hub are switched off here.", name=name)
        )
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    # A repository of GGUF files holds one for each way of rounding: only the named one is wanted.
    wanted = [gguf_file, *HUB_FILES[1:]] if gguf_file else list(HUB_FILES)
    try:
        folder = Path(snapshot_download(name, revision=revision, allow_patterns=wanted))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ModelUnusable(
            _(
                "'%(name)s' is neither a local folder nor a model that could be fetched from the hub (%(error)s). "
                "Check the name, the revision and the network.",
                name=name,
                error=type(error).__name__,
            )
        ) from error
    return folder, folder.name
