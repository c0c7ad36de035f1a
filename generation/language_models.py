"""Loading a causal language model once per process, by folder, hub id, or a GGUF file inside either."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any


class ModelNotLoaded(ValueError):
    """A model cannot be loaded; the message says which and what to do."""


def silence_progress_bars() -> None:
    """Keep transformers from drawing bars into logs: progress goes through the callers' callbacks."""
    from transformers.utils import logging

    library_logging: Any = logging
    library_logging.disable_progress_bar()


def require_folder(model: str) -> None:
    """Refuses a path to nothing, which transformers would take for a name on the hub."""
    if model.startswith(("/", "./", "../", "~")) and not Path(model).is_dir():
        raise ModelNotLoaded(f"there is no folder '{model}' on this machine")


def load_causal_model(model: str, *, gguf_file: str | None = None) -> tuple[Any, Any]:
    """Tokenizer and network of a causal model, ready for inference. A path to a GGUF file names its folder, too.

    Refuses a folder without the named GGUF file and whatever transformers cannot read.
    """
    if not gguf_file and model.endswith(".gguf"):
        model, gguf_file = str(Path(model).parent), Path(model).name
    return _load(model, gguf_file)


@lru_cache(maxsize=2)
def _load(model: str, gguf_file: str | None) -> tuple[Any, Any]:
    require_folder(model)
    if gguf_file and Path(model).is_dir() and not (Path(model) / gguf_file).is_file():
        raise ModelNotLoaded(f"the folder '{model}' has no file '{gguf_file}': check `gguf_file`")
    from transformers import AutoModelForCausalLM, AutoTokenizer

    silence_progress_bars()
    extra = {"gguf_file": gguf_file} if gguf_file else {}
    try:
        tokenizer = AutoTokenizer.from_pretrained(model, **extra)
        network: Any = AutoModelForCausalLM.from_pretrained(model, **extra)
    except (OSError, ValueError, ImportError) as problem:
        raise ModelNotLoaded(
            f"the model '{model}' cannot be loaded ({problem}): "
            "give a folder with config.json, a hub id, or a folder and `gguf_file`"
        ) from problem
    network.eval()
    return tokenizer, network
