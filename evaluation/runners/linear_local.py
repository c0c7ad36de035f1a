"""The linear baseline as a runner."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from core.inference.errors import ModelUnusable, Stopped, sentence_of
from core.inference.model_files import digest_files, require_permitted
from core.text import _
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.chunking import cut_into_chunks
from evaluation.runners.environment import digest, record
from evaluation.runners.kinds import Example, RunnerKind
from evaluation.runners.labels import map_labels, refuse_threshold
from evaluation.runners.settings import RunnerSettings
from evaluation.training.algorithm.linear import FILES, LinearModel, LinearModelUnreadable, load_linear

BATCH = 2_000


class LinearRunner(RunnerKind):
    """TF-IDF and a linear classifier from a folder of JSON and arrays; nothing in it can run code."""

    kind = "linear"
    syntax = "linear:FOLDER"
    source = "folder"
    is_local = True
    options = frozenset({"labels", "threshold"})
    examples = (Example(_("The linear baseline trained here"), "linear:/path/to/folder"),)

    def __init__(
        self,
        folder: str,
        *,
        settings: RunnerSettings,
        labels: Mapping[str, str] | None = None,
        threshold: float | None = None,
    ) -> None:
        self._folder = Path(folder).expanduser().resolve()
        require_permitted(self._folder, settings)
        try:
            self._model: LinearModel = load_linear(self._folder)
        except LinearModelUnreadable as error:
            raise ModelUnusable(sentence_of(error)) from error
        refuse_threshold(threshold, settings=settings)
        self._settings, self.threshold = settings, threshold
        self.labels = map_labels(self._model.classes, settings=settings, explicit=labels)

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Label every text; raises `Stopped` with the answers so far when asked to stop."""
        answers: list[Answer] = []
        for batch in cut_into_chunks(texts, size=BATCH):
            if should_stop is not None and should_stop():
                raise Stopped(_("stopped on request"), answers=[*answers, *[None] * (len(texts) - len(answers))])
            answers += [self._answer(row) for row in self._model.shares(batch)]
            if progress is not None:
                progress(len(answers), len(texts))
        return answers

    @property
    def fingerprint(self) -> str:
        return digest(["linear", digest_files(self._folder, FILES), self.labels, self.threshold, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """What answered: the folder's content hash, the kind of classifier, the mapping."""
        return record(
            self._settings,
            kind="linear",
            fingerprint=self.fingerprint,
            packages=("scikit-learn", "numpy", "scipy"),
            model=str(self._folder),
            revision="",
            content_hash=digest_files(self._folder, FILES),
            classifier=self._model.kind,
            device="cpu",
            dtype="fp64",
            label_map=self.labels,
            threshold=self.threshold,
        )

    def _answer(self, shares: Mapping[str, float]) -> Answer:
        score = min(1.0, sum(share for name, share in shares.items() if self.labels[name] == self._settings.positive))
        winner = max(shares, key=lambda name: shares[name])
        label = self.labels[winner] if self.threshold is None else self._settings.cut(score, self.threshold)
        return Answer(label=label, score=score, scores=shares, raw=winner)
