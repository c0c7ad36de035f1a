"""Reading the files of a model with transformers: no code of the model is run, and what cannot be read is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.inference.errors import ModelUnusable
from core.inference.model_files import ModelFolder
from core.text import _

NO_CODE = {"trust_remote_code": False}


def hush() -> None:
    """Switch off the progress bars and load reports of transformers; errors still come as exceptions."""
    from transformers import utils

    logging: Any = utils.logging
    logging.set_verbosity_error()
    logging.disable_progress_bar()


def load_tokenizer(model: ModelFolder, *, gguf_file: str | None = None) -> Any:
    """Return the tokenizer of a model. Refuses files that cannot be read, and a folder without them.

    For a folder without a vocabulary transformers makes a tokenizer of special tokens only, to which every word is
    unknown.
    """
    from transformers import AutoTokenizer

    hush()
    options = {"gguf_file": gguf_file} if gguf_file else {}
    tokenizer = _read(model, _("tokenizer"), lambda: AutoTokenizer.from_pretrained(model.folder, **options, **NO_CODE))
    if len(tokenizer) <= len(set(tokenizer.all_special_ids)):
        raise ModelUnusable(
            _(
                "'%(model)s' has no tokenizer, so that every word would be unknown. Save the tokenizer in its folder.",
                model=model.name,
            )
        )
    return tokenizer


def load_network(
    kind: Any, model: ModelFolder, *, what: str, trained: str = "", gguf_file: str | None = None, **options: Any
) -> Any:
    """Return the network of a model, loaded by `kind`, one of the Auto classes; `what` names it in refusals.

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
            _(
                "'%(model)s' has no trained %(part)s (%(weights)s would be random). "
                "Fine-tune it first, or give a model that has one.",
                model=model.name,
                part=trained,
                weights=missing[:3],
            )
        )
    return network


def load_state(path: Path) -> Any:
    """Return what this product saved of a training under way: tensors and plain values, never objects."""
    import torch

    # weights_only: a checkpoint is data; a doctored one must not run code.
    return torch.load(path, weights_only=True, map_location="cpu")


def _read(model: ModelFolder, what: str, read: Callable[[], Any]) -> Any:
    try:
        return read()
    # On damaged files transformers, tokenizers and safetensors raise whatever they come across, even bare Exception.
    except Exception as error:
        why = str(error) if isinstance(error, OSError | ValueError) else f"{type(error).__name__}: {error}"
        raise ModelUnusable(
            _(
                "'%(model)s' does not load as a %(kind)s: %(why)s. Check the files of its folder, or fetch it again.",
                model=model.name,
                kind=what,
                why=why.rstrip("."),
            )
        ) from error
