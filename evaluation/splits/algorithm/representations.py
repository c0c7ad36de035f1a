"""One vector per text from any encoder: a folder (pretrained or fine-tuned here) or a hub id."""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.inference.batches import plan_batches
from core.inference.loading import load_network, load_tokenizer
from core.inference.model_files import find_model, split_revision
from core.inference.settings import InferenceSettings
from core.text import _

Pooling = Literal["cls", "mean"]
Progress = Callable[[int, int], None]
TOKENS_AT_ONCE = 2048


def encode_texts(
    texts: Sequence[str],
    *,
    encoder: str,
    pooling: Pooling = "cls",
    settings: InferenceSettings,
    max_length: int = 128,
    token_budget: int = TOKENS_AT_ONCE,
    progress: Progress | None = None,
) -> NDArray[np.float32]:
    """Return the [CLS] vector of each text, or the mean of its token vectors, in the order of the texts.

    `encoder` is a folder or `hub/id@revision`. Only safetensors are read and no code of the model is run. Refuses no
    text at all; longer texts are cut to `max_length` tokens, or to what the encoder reads.
    """
    if not texts:
        raise ValueError(_("There is no text to encode."))
    tokenizer, model = load_encoder(encoder, settings=settings)
    return run_encoder(
        texts, tokenizer, lambda batch: _pooled(model(**batch).last_hidden_state, batch["attention_mask"], pooling),
        max_length=max_length, token_budget=token_budget, progress=progress,
    )  # fmt: skip


def load_encoder(encoder: str, *, settings: InferenceSettings) -> tuple[Any, Any]:
    """Tokenizer and encoder of a model, without its classification head. What `find_model` refuses is refused."""
    from transformers import AutoModel

    name, revision = split_revision(encoder)
    files = find_model(name, revision=revision, settings=settings)
    tokenizer = load_tokenizer(files)
    model = load_network(AutoModel, files, what="text encoder")  # many come without a trained pooler, which is not used
    # Some tokenizers do not say how much their encoder reads; more than it has places for would break it.
    places = getattr(model.config, "max_position_embeddings", None) or tokenizer.model_max_length
    tokenizer.model_max_length = min(tokenizer.model_max_length, places)
    return tokenizer, model.eval()


def tokens_of(texts: Sequence[str], tokenizer: Any, *, max_length: int) -> list[list[int]]:
    """Return the tokens of each text, cut to `max_length` and to what the encoder reads."""
    longest = min(max_length, tokenizer.model_max_length)
    found: list[list[int]] = tokenizer(list(texts), truncation=True, max_length=longest)["input_ids"]
    return found


def run_encoder(
    texts: Sequence[str],
    tokenizer: Any,
    vectors_of: Callable[[Any], Any],
    *,
    max_length: int,
    token_budget: int = TOKENS_AT_ONCE,
    progress: Progress | None = None,
) -> NDArray[np.float32]:
    """Feed texts to `vectors_of` in batches by token budget and put the vectors back in order."""
    import torch

    encoded = tokens_of(texts, tokenizer, max_length=max_length)
    batches = plan_batches([len(ids) for ids in encoded], budget=token_budget)
    table: NDArray[np.float32] | None = None
    done = 0
    for positions in batches:
        batch = tokenizer.pad({"input_ids": [encoded[position] for position in positions]}, return_tensors="pt")
        with torch.inference_mode():
            vectors = vectors_of(batch).to(torch.float32).cpu().numpy()
        if table is None:
            table = np.empty((len(texts), vectors.shape[1]), dtype=np.float32)
        table[positions] = vectors
        done += len(positions)
        if progress is not None:
            progress(done, len(texts))
    assert table is not None
    return table


def reduce_vectors(
    vectors: NDArray[np.floating], *, dimensions: int, method: Literal["umap", "pca"] = "umap", seed: int = 42
) -> NDArray[np.float32]:
    """Return vectors of fewer dimensions, by UMAP (as in the paper: 10, 50 or 200) or by principal components.

    Refuses more dimensions than the vectors have or than there are examples.
    """
    if not 1 <= dimensions <= min(vectors.shape):
        raise ValueError(
            _(
                "%(examples)s vectors of %(size)s numbers each cannot be reduced to %(dimensions)s dimensions.",
                examples=vectors.shape[0],
                size=vectors.shape[1],
                dimensions=dimensions,
            )
        )
    if method == "pca":
        centred = np.asarray(vectors, dtype=np.float64) - vectors.mean(axis=0, dtype=np.float64)
        values, axes = np.linalg.eigh(centred.T @ centred)
        axes = axes[:, np.argsort(-values)[:dimensions]]
        # Without a rule for the sign, equal data could give mirrored pictures.
        axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), np.arange(dimensions)] < 0, -1.0, 1.0)
        return np.asarray(centred @ axes, dtype=np.float32)
    import umap

    # One thread, because UMAP is only repeatable so; spectral starting points cannot have as many dimensions as points.
    start = "spectral" if dimensions + 1 < len(vectors) else "random"
    neighbours = max(2, min(15, len(vectors) - 1))
    reducer = umap.UMAP(n_neighbors=neighbours, n_components=dimensions, random_state=seed, n_jobs=1, init=start)
    return np.asarray(reducer.fit_transform(np.asarray(vectors, dtype=np.float32)), dtype=np.float32)


def _pooled(hidden: Any, mask: Any, pooling: Pooling) -> Any:
    if pooling == "cls":
        return hidden[:, 0]
    weights = mask.unsqueeze(-1).to(hidden.dtype)
    return (hidden * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)
