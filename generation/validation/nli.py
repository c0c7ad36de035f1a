"""Natural-language inference with any sequence-classification model: how far does a premise entail a hypothesis?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curation.inference.devices import choose_device
from curation.inference.loading import load_network, load_tokenizer
from curation.inference.model_files import locate_model, split_revision
from curation.inference.settings import InferenceSettings
from generation.batching import batch_by_tokens

_NAMES = ("entailment", "contradiction")


class NotAnInferenceModel(ValueError):
    """The model has no class for entailment or none for contradiction; the message says which it has."""


@dataclass(frozen=True, slots=True)
class Classes:
    """The positions of the two classes that count; all others, such as neutral, are left out."""

    entailment: int
    contradiction: int


def find_classes(id2label: Mapping[int, str], *, given: Mapping[str, int] | None = None) -> Classes:
    """Which outputs of a model mean entailment and contradiction, by their names or as given.

    A model with the single pair "entailment" / "not_entailment" counts. Refuses a model that names neither.
    """
    if given is not None:
        positions = {name: given.get(name) for name in _NAMES}
        if any(position not in id2label for position in positions.values()):
            raise NotAnInferenceModel(f"the classes given ({dict(given)}) are not all among {dict(id2label)}")
        return Classes(given["entailment"], given["contradiction"])
    found: dict[str, int] = {}
    for position, label in id2label.items():
        name = label.lower().replace("-", "_")
        if name.startswith(("not_entail", "contradict")):
            found["contradiction"] = position
        elif name.startswith("entail"):
            found["entailment"] = position
    if len(found) < 2:
        raise NotAnInferenceModel(
            f"the model's classes are {', '.join(id2label.values())}: name those for entailment and contradiction, "
            "e.g. classes: {entailment: 2, contradiction: 0}"
        )
    return Classes(found["entailment"], found["contradiction"])


class NliScorer:
    """Scores pairs with a model from a folder or the hub, loaded at the first use.

    Only safetensors are read and no code of the model is run; what `locate_model` refuses is refused then. The score is
    the softmax over entailment and contradiction alone, as in GPT-HateCheck.
    """

    def __init__(
        self,
        model: str,
        *,
        settings: InferenceSettings,
        classes: Mapping[str, int] | None = None,
        token_budget: int = 2048,
        max_tokens: int = 512,
    ) -> None:
        self.model = model
        self.settings = settings
        self.token_budget = token_budget
        self.max_tokens = max_tokens
        self._given = classes
        self._loaded: tuple[Any, Any, Classes] | None = None

    def _load(self) -> tuple[Any, Any, Classes]:
        if self._loaded is None:
            from transformers import AutoModelForSequenceClassification

            name, revision = split_revision(self.model)
            files = locate_model(name, revision=revision, settings=self.settings)
            device = choose_device(self.settings.device)
            tokenizer = load_tokenizer(files)
            network = load_network(
                AutoModelForSequenceClassification, files, what="sequence classifier", trained="classification head"
            )
            network = network.to(device).eval()
            labels = {int(position): str(label) for position, label in network.config.id2label.items()}
            self._loaded = tokenizer, network, find_classes(labels, given=self._given)
        return self._loaded

    def score(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> list[float | None]:
        """How far each premise entails its hypothesis, between 0 and 1; None for pairs not reached when stopped."""
        if not pairs:
            return []
        import torch

        tokenizer, network, classes = self._load()
        encoded = tokenizer(
            [premise for premise, _ in pairs],
            [hypothesis for _, hypothesis in pairs],
            truncation=True,
            max_length=self.max_tokens,
        )
        scores: list[float | None] = [None] * len(pairs)
        done = 0
        for batch in batch_by_tokens([len(ids) for ids in encoded["input_ids"]], budget=self.token_budget):
            if should_stop():
                break
            inputs = tokenizer.pad({key: [encoded[key][i] for i in batch] for key in encoded}, return_tensors="pt")
            inputs = inputs.to(network.device)
            with torch.inference_mode():
                logits = network(**inputs).logits.float()
            chances = torch.softmax(logits[:, [classes.contradiction, classes.entailment]], dim=1)[:, 1].tolist()
            for position, chance in zip(batch, chances, strict=True):
                scores[position] = chance
            done += len(batch)
            on_progress(done, len(pairs))
        return scores
