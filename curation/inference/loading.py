"""Reading the files of a model with transformers: no code of the model is run, and what cannot be read is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from curation.inference.errors import ModelUnusable
from curation.inference.model_files import ModelFolder
from curation.inference.quiet import hush

NO_CODE = {"trust_remote_code": False}


def load_tokenizer(model: ModelFolder, *, gguf_file: str | None = None) -> Any:
    """The tokenizer of a model. Refuses files that cannot be read, and a folder without them.

    For a folder without a vocabulary transformers makes a tokenizer of special tokens only, to which every word is
    unknown.
    """
    from transformers import AutoTokenizer

    hush()
    options = {"gguf_file": gguf_file} if gguf_file else {}
    tokenizer = _read(model, "tokenizer", lambda: AutoTokenizer.from_pretrained(model.folder, **options, **NO_CODE))
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):
        raise ModelUnusable(
            f"'{model.name}' has no tokenizer, so that every word would be unknown. Save the tokenizer in its folder."
        )
    return tokenizer


def load_network(
    kind: Any, model: ModelFolder, *, what: str, trained: str = "", gguf_file: str | None = None, **options: Any
) -> Any:
    """The network of a model, loaded by `kind`, one of the Auto classes; `what` names it in refusals.

    Only safetensors and GGUF are read. Refuses files that cannot be read, and, where `trained` names a part that the
    files have to hold, a network without it: transformers would fill it with random numbers.
    """
    hush()
    options |= {"gguf_file": gguf_file} if gguf_file else {"use_safetensors": True}
    network, found = _read(
        model, what, lambda: kind.from_pretrained(model.folder, output_loading_info=True, **options, **NO_CODE)
    )
    if trained and (missing := sorted(found["missing_keys"])):
        raise ModelUnusable(
            f"'{model.name}' has no trained {trained} ({', '.join(missing[:3])} would be random). "
            "Fine-tune it first, or give a model that has one."
        )
    return network


def _read(model: ModelFolder, what: str, read: Callable[[], Any]) -> Any:
    try:
        return read()
    # On damaged files transformers, tokenizers and safetensors raise whatever they come across, even bare Exception.
    except Exception as error:
        why = str(error) if isinstance(error, OSError | ValueError) else f"{type(error).__name__}: {error}"
        raise ModelUnusable(
            f"'{model.name}' does not load as a {what}: {why.rstrip('.')}. "
            "Check the files of its folder, or fetch it again."
        ) from error
