"""Loading a causal language model once per process, by folder, hub id, or a GGUF file inside either."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from curation.inference.devices import choose_device
from curation.inference.loading import load_network, load_tokenizer
from curation.inference.model_files import locate_model, split_revision
from curation.inference.settings import InferenceSettings


def load_causal_model(model: str, *, settings: InferenceSettings, gguf_file: str | None = None) -> tuple[Any, Any]:
    """Tokenizer and network of a causal model, ready for inference. A path to a GGUF file names its folder, too.

    Only safetensors and GGUF are read and no code of the model is run. Refuses what `locate_model` refuses, a device
    that is not there, files that transformers cannot read, and a model that was not trained to predict words.
    """
    if not gguf_file and model.endswith(".gguf"):
        model, gguf_file = str(Path(model).parent), Path(model).name
    return _load(model, gguf_file, settings)


@lru_cache(maxsize=2)
def _load(model: str, gguf_file: str | None, settings: InferenceSettings) -> tuple[Any, Any]:
    name, revision = split_revision(model)
    files = locate_model(name, revision=revision, settings=settings, gguf_file=gguf_file)
    device = choose_device(settings.device)
    from transformers import AutoModelForCausalLM

    tokenizer = load_tokenizer(files, gguf_file=gguf_file)
    network = load_network(
        AutoModelForCausalLM, files, what="language model", trained="language model head", gguf_file=gguf_file
    )
    return tokenizer, network.to(device).eval()
