"""Zero-shot classification: a model of textual entailment is asked whether the text entails a hypothesis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.inference.entailment import CONTRADICTION, ENTAILMENT, EntailmentScorer
from core.inference.errors import LabelsUnclear, Stopped
from core.inference.model_files import find_model
from core.inference.settings import Dtype
from core.text import _
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.environment import digest, record
from evaluation.runners.kinds import Example, RunnerKind
from evaluation.runners.settings import RunnerSettings
from evaluation.runners.transformers_local import PACKAGES

if TYPE_CHECKING:
    import numpy as np

DEFAULT_HYPOTHESIS = "This text is hateful."


class NliRunner(RunnerKind):
    """One hypothesis for the positive label, or one for each label.

    With one, the score is entailment against contradiction; with several, the entailments compete.
    """

    kind = "nli"
    syntax = "nli:FOLDER_OR_ID[@revision]"
    source = "hub"
    is_local = True
    options = frozenset({"revision", "hypotheses", "threshold", "dtype"})
    examples = (
        Example(
            _("Zero-shot with a model of entailment"),
            "nli:owner/some-nli-model",
            "hypotheses:\n  hateful: This text is hateful.\n  non-hateful: This text is harmless.",
        ),
    )

    def __init__(
        self,
        name: str,
        *,
        settings: RunnerSettings,
        revision: str | None = None,
        hypotheses: Mapping[str, str] | None = None,
        threshold: float = 0.5,
        dtype: Dtype | None = None,
    ) -> None:
        self._settings = settings
        self.hypotheses = dict(hypotheses or {settings.positive: DEFAULT_HYPOTHESIS})
        self.threshold = threshold
        needed = {settings.positive} if settings.is_binary else set(settings.labels)
        if not needed <= set(self.hypotheses) <= set(settings.labels):
            raise LabelsUnclear(
                _(
                    "hypotheses are needed for %(needed)s and may be given for %(labels)s, not for: %(given)s.",
                    needed=[label for label in settings.labels if label in needed],
                    labels=list(settings.labels),
                    given=list(self.hypotheses) or _("nothing"),
                )
            )
        files = find_model(name, revision=revision, settings=settings)
        self._scorer = EntailmentScorer(files, settings=settings, dtype=dtype)
        self._classifier = self._scorer.classifier

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Label every text; raises `Stopped` with None for every text that lacks one of its hypotheses."""
        import numpy as np

        order = [label for label in self._settings.labels if label in self.hypotheses]
        firsts = [text for text in texts for label in order]
        seconds = [self.hypotheses[label] for text in texts for label in order]

        def forward(done: int, total: int) -> None:
            if progress is not None:
                progress(done // len(order), len(texts))

        rows = self._scorer.logits(firsts, seconds, progress=forward, should_stop=should_stop)
        table = rows.reshape(len(texts), len(order), 2)
        answers: list[Answer | None] = []
        for cells in table:
            # One hypothesis: what it entails against what it contradicts. Several: each label's entailment.
            rivals = cells[0, [ENTAILMENT, CONTRADICTION]] if len(order) == 1 else cells[:, ENTAILMENT]
            answers.append(None if np.isnan(cells).any() else self._answer(rivals))
        finished = [answer for answer in answers if answer is not None]
        if len(finished) < len(texts):
            raise Stopped(_("stopped on request"), answers=answers)
        return finished

    @property
    def fingerprint(self) -> str:
        files, classifier = self._classifier.files, self._classifier
        facts = [files.content_hash, self.hypotheses, self.threshold, classifier.dtype, classifier.max_length]
        return digest(["nli", *facts, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """What answered, with the hypotheses word for word."""
        files = self._classifier.files
        return record(
            self._settings,
            kind="nli",
            fingerprint=self.fingerprint,
            packages=PACKAGES,
            model=files.name,
            revision=files.revision,
            content_hash=files.content_hash,
            device=str(self._classifier.device),
            dtype=self._classifier.dtype,
            hypotheses=self.hypotheses,
            threshold=self.threshold,
        )

    def _answer(self, rivals: np.ndarray[Any, Any]) -> Answer:
        import numpy as np

        shares = np.exp(rivals - rivals.max())
        scores = dict(zip(self._settings.labels, (shares / shares.sum()).tolist(), strict=True))
        score = scores[self._settings.positive]
        likeliest = max(scores, key=lambda label: scores[label])
        label = self._settings.cut(score, self.threshold) if self._settings.is_binary else likeliest
        return Answer(label=label, score=score, scores=scores, raw=f"{score:.6f}")
