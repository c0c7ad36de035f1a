"""Where the vectors of a latent split come from: a file, or an encoder, as it is or trained on the labels first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from core.errors import BadInput, sentence_of
from core.text import _, ngettext
from evaluation.datasets.files.values import LabelledData
from evaluation.datasets.labelled_files import refuse_problems
from evaluation.registry.services import runner_settings
from evaluation.runners import InferenceError
from evaluation.splits.options import SplitRecipe

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Progress = Callable[[int, int, str], None]
DECIDE_VECTORS = (
    "independent_share", "independent_seed", "seed", "pooling", "fine_tune", "reduce", "dimensions", "epochs",
    "learning_rate", "max_length",
)  # fmt: skip


def read_vectors(path: str | Path, data: LabelledData) -> tuple[NDArray[np.float32], list[dict[str, Any]]]:
    """Ready vectors for the data set, with warnings. Refuses what is not one row of finite numbers per example."""
    from evaluation.splits.algorithm.vector_files import load_vectors

    if not Path(path).is_file():
        raise BadInput(_("The file %(file)s does not exist. Check the path and the name.", file=str(path)))
    found = load_vectors(path, examples=len(data), checksum=data.checksum)
    refuse_problems(_("The vectors cannot be used."), found.problems)
    assert found.vectors is not None
    return found.vectors, [asdict(problem) for problem in found.problems]


def check_vectors(path: Path, *, examples: int, called: str = "") -> None:
    """Refuses a file that does not hold so many vectors, under the name its owner knows it by."""
    from evaluation.splits.algorithm.vector_files import load_vectors

    problems = load_vectors(path, examples=examples).problems
    refuse_problems(_("The vectors cannot be used."), [replace(one, file=called or path.name) for one in problems])


def make_vectors(
    data: LabelledData, encoder: str, options: SplitRecipe, progress: Progress | None, *, work: Path | None = None
) -> NDArray[np.float32]:
    """Return vectors of every text by an encoder, trained and reduced as the options say.

    With a folder to work in, an attempt goes on where a broken one was: finished epochs are not trained again, and
    vectors that were computed are read. Refuses encoders that cannot be loaded and more dimensions than there are.
    """
    name = encoder.removeprefix("hf:")
    try:
        place = work / _fingerprint(data, name, options) if work else None
        vectors = _once(place, "encoded.npy", lambda: _encoded(data, name, options, progress, place))
    except (InferenceError, ValueError) as error:
        raise BadInput(_("The texts cannot be encoded. %(reason)s", reason=sentence_of(error))) from error
    if options.reduce not in ("umap", "pca"):
        return vectors
    return _once(place, "reduced.npy", lambda: reduced(vectors, options, progress))


def _fingerprint(data: LabelledData, encoder: str, options: SplitRecipe) -> str:
    """Return what decides the vectors: the work of another encoder, other data or other options is never mixed in."""
    from core.inference.model_files import find_model, split_revision
    from evaluation.runners.environment import digest

    name, revision = split_revision(encoder)
    content = find_model(name, revision=revision, settings=runner_settings()).content_hash
    return digest([data.checksum, content, *(getattr(options, name) for name in DECIDE_VECTORS)])[:16]


def _once(place: Path | None, name: str, make: Callable[[], NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return the vectors a broken attempt has left, or else those made now, kept for the next attempt."""
    import numpy as np

    from evaluation.training.algorithm.checkpoints import write_whole

    if place is None:
        return make()
    path = place / name
    if path.is_file():
        kept: NDArray[np.float32] = np.load(path, allow_pickle=False)
        return kept
    vectors = make()

    def save(new: Path) -> None:
        with new.open("wb") as out:
            np.save(out, vectors, allow_pickle=False)

    write_whole(path, save)
    return vectors


def _encoded(
    data: LabelledData, encoder: str, options: SplitRecipe, progress: Progress | None, place: Path | None
) -> NDArray[np.float32]:
    import numpy as np

    is_trained = options.fine_tune or options.reduce == "bottleneck"
    if is_trained:
        vectors = _train(data, encoder, options, progress, place)
    else:
        vectors = _encode(data, encoder, options, progress)
    if not np.isfinite(vectors).all():
        raise BadInput(
            _("The encoder gives vectors that are not finite numbers. Train it with a lower learning rate.")
            if is_trained
            else _("The encoder gives vectors that are not finite numbers. Choose another encoder.")
        )
    return vectors


def reduced(
    vectors: NDArray[np.float32], options: SplitRecipe, progress: Progress | None = None
) -> NDArray[np.float32]:
    """The vectors in as many dimensions as the options ask for. Refuses more dimensions than the vectors have."""
    if options.reduce not in ("umap", "pca"):
        return vectors
    from evaluation.splits.algorithm.representations import reduce_vectors

    if progress:
        step = ngettext("reducing to %(count)s dimension", "reducing to %(count)s dimensions", options.dimensions)
        progress(0, 1, step)
    method: Literal["umap", "pca"] = "pca" if options.reduce == "pca" else "umap"
    try:
        return reduce_vectors(vectors, dimensions=options.dimensions, method=method, seed=options.seed)
    except ValueError as error:
        raise BadInput(_("The vectors cannot be reduced. %(reason)s", reason=sentence_of(error))) from error


def describe_vectors(encoder: str, options: SplitRecipe) -> str:
    """Return what a reader needs to know about the vectors, in a few words."""
    # Folders are often called just "model", so the one above is named as well; a hub id has two parts anyway.
    name = "/".join(Path(encoder.removeprefix("hf:")).parts[-2:])
    size = str(options.dimensions)
    if options.reduce == "bottleneck":
        return _("%(encoder)s (fine-tuned, bottleneck %(dimensions)s)", encoder=name, dimensions=size)
    how = f"{options.reduce} {size}" if options.reduce else ""
    if options.fine_tune and how:
        return _("%(encoder)s (fine-tuned, cls, %(reduction)s)", encoder=name, reduction=how)
    if options.fine_tune:
        return _("%(encoder)s (fine-tuned, cls)", encoder=name)
    return f"{name} ({options.pooling}, {how})" if how else f"{name} ({options.pooling})"


def _encode(data: LabelledData, encoder: str, options: SplitRecipe, progress: Progress | None) -> NDArray[np.float32]:
    from evaluation.splits.algorithm.representations import encode_texts

    return encode_texts(
        data.texts,
        encoder=encoder,
        pooling="mean" if options.pooling == "mean" else "cls",
        settings=runner_settings(),
        max_length=options.max_length,
        progress=_told(progress, _("encoding")),
    )


def _train(
    data: LabelledData, encoder: str, options: SplitRecipe, progress: Progress | None, place: Path | None
) -> NDArray[np.float32]:
    """Train on everything but the independent part, which no step of making a split may have seen."""
    from evaluation.splits.algorithm.bottleneck import BottleneckSettings, train_bottleneck
    from evaluation.splits.algorithm.values import set_aside
    from evaluation.training.algorithm.checkpoints import Checkpoint

    rest, _aside = set_aside(data.labels, share=options.independent_share, seed=options.independent_seed)
    known = data.take(rest)
    trained = train_bottleneck(
        known.texts,
        known.labels,
        settings=BottleneckSettings(
            encoder=encoder,
            size=options.dimensions if options.reduce == "bottleneck" else None,
            epochs=options.epochs,
            learning_rate=options.learning_rate,
            max_length=options.max_length,
            seed=options.seed,
        ),
        allowed=runner_settings(),
        checkpoint=Checkpoint(place, fingerprint=place.name) if place else None,
        progress=_told(progress, _("training the encoder")),
    )
    return trained.vectors(data.texts, progress=_told(progress, _("encoding")))


def _told(progress: Progress | None, step: str) -> Callable[[int, int], None] | None:
    return (lambda done, total: progress(done, total, step)) if progress else None
