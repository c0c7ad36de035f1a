"""Any sequence-classification model from a folder or the hub, run on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from core.inference.classifiers import PartialLogits, SequenceClassifier
from core.inference.errors import LabelsUnclear, Stopped
from core.inference.model_files import find_model
from core.inference.settings import Dtype
from core.text import _, ngettext
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.environment import digest, record
from evaluation.runners.kinds import Example, RunnerKind
from evaluation.runners.labels import either, map_labels, refuse_threshold
from evaluation.runners.settings import RunnerSettings
from evaluation.training.algorithm.cleaning import clean, read_cleaning

if TYPE_CHECKING:
    import numpy as np

PACKAGES = ("torch", "transformers", "tokenizers", "safetensors", "numpy")


class TransformersRunner(RunnerKind):
    """Labels texts with a classifier whose classes are mapped to the suite's labels."""

    kind = "hf"
    syntax = "hf:FOLDER_OR_ID[@revision]"
    source = "hub"
    is_local = True
    options = frozenset({"revision", "labels", "threshold", "dtype"})
    examples = (
        Example(
            _("A classifier from the hub or a folder"),
            "hf:owner/name",
            note=_("Only safetensors are read and no code of the model runs. The commit is kept with the version."),
        ),
    )

    def __init__(
        self,
        name: str,
        *,
        settings: RunnerSettings,
        revision: str | None = None,
        labels: Mapping[str, str] | None = None,
        threshold: float | None = None,
        dtype: Dtype | None = None,
    ) -> None:
        self._settings = settings
        refuse_threshold(threshold, settings=settings)
        files = find_model(name, revision=revision, settings=settings)
        self._classifier = SequenceClassifier(files, settings=settings, dtype=dtype or settings.dtype)
        self.labels = self._map(labels)
        # A model fine-tuned here says how its training texts were cleaned; test texts must look the same to it.
        self._cleaning = read_cleaning(files.folder)
        self.guessed = labels is None
        # Independent scores have no winner among themselves: without a threshold half is the natural cut.
        has_cut = threshold is not None or not self._classifier.is_multi_label or not settings.is_binary
        self.threshold = threshold if has_cut else 0.5

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Label every text; raises `Stopped` with the answers so far when asked to stop."""
        import numpy as np

        try:
            rows = self._classifier.logits(self._prepared(texts), progress=progress, should_stop=should_stop)
        except PartialLogits as partial:
            answers = self._answers(np.nan_to_num(partial.rows))
            missing = np.isnan(partial.rows[:, 0]) if len(answers) else []
            raise Stopped(
                partial.sentence,
                answers=[None if gone else answer for answer, gone in zip(answers, missing, strict=True)],
            ) from None
        return self._answers(rows)

    @property
    def fingerprint(self) -> str:
        files, classifier = self._classifier.files, self._classifier
        facts = [files.content_hash, self.labels, self.threshold, classifier.dtype, classifier.max_length]
        return digest(["hf", *facts, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """What answered: files and their hash, commit, device, dtype, mapping, threshold, packages."""
        classifier = self._classifier
        return record(
            self._settings,
            kind="hf",
            fingerprint=self.fingerprint,
            packages=PACKAGES,
            model=classifier.files.name,
            revision=classifier.files.revision,
            content_hash=classifier.files.content_hash,
            device=str(classifier.device),
            dtype=classifier.dtype,
            is_preview=classifier.dtype == "int8",
            threads=_threads(),
            token_budget=classifier.budget,
            max_length=classifier.max_length,
            label_map=self.labels,
            label_map_guessed=self.guessed,
            threshold=self.threshold,
            cleaning=None if self._cleaning is None else asdict(self._cleaning),
        )

    def _prepared(self, texts: Sequence[str]) -> Sequence[str]:
        return texts if self._cleaning is None else [clean(text, self._cleaning) for text in texts]

    def _map(self, explicit: Mapping[str, str] | None) -> dict[str, str]:
        names = self._classifier.class_names
        if self._classifier.is_multi_label and len(names) == 1 and explicit is None and self._settings.is_binary:
            return {names[0]: self._settings.positive}
        if self._classifier.is_multi_label and explicit is None:
            raise LabelsUnclear(
                ngettext(
                    "the model scores %(count)s class independently (%(classes)s). Say in labels which "
                    "mean '%(label)s'; map the others to %(others)s.",
                    "the model scores %(count)s classes independently (%(classes)s). Say in labels which "
                    "mean '%(label)s'; map the others to %(others)s.",
                    len(names),
                    classes=names,
                    label=self._settings.positive,
                    others=either(self._settings.labels[1:]),
                )
            )
        return map_labels(names, settings=self._settings, explicit=explicit)

    def _answers(self, logits: np.ndarray[Any, Any]) -> list[Answer]:
        import numpy as np

        if not len(logits):
            return []
        names = self._classifier.class_names
        positive = np.array([self.labels[name] == self._settings.positive for name in names])
        logits = logits.astype(np.float64)
        if self._classifier.is_multi_label:
            shares = 1 / (1 + np.exp(-logits))
            scores = shares[:, positive].max(axis=1)
        else:
            shares = np.exp(logits - logits.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            scores = shares[:, positive].sum(axis=1)
        winners = shares.argmax(axis=1)
        cut = self.threshold
        return [
            Answer(
                label=self.labels[names[winner]] if cut is None else self._settings.cut(score, cut),
                score=score,
                scores=dict(zip(names, row, strict=True)),
                raw=names[winner],
            )
            for score, row, winner in zip(
                np.clip(scores, 0.0, 1.0).tolist(), shares.tolist(), winners.tolist(), strict=True
            )
        ]


def _threads() -> int:
    import torch

    return int(torch.get_num_threads())
