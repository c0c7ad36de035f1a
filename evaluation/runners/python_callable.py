"""A Python callable that an administrator has listed."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any

from core.inference.errors import ModelUnusable, NotAllowed, SpecError, Stopped
from core.text import _
from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.chunking import cut_into_chunks
from evaluation.runners.environment import digest, record
from evaluation.runners.kinds import Example, RunnerKind
from evaluation.runners.plain_results import answer_from
from evaluation.runners.settings import RunnerSettings

BATCH = 256


class PythonRunner(RunnerKind):
    """Calls `callable(list of texts)` and reads labels, scores or mappings back."""

    kind = "python"
    syntax = "python:module:callable"
    source = "none"
    is_local = True
    options = frozenset({"threshold"})
    examples = (
        Example(
            _("Your own function or program"),
            "python:my_models.simple:predict",
            note=_("Only what the setting ALLOWED_COMMAND_MODELS lists; a program is written command:NAME."),
        ),
    )

    def __init__(self, reference: str, *, settings: RunnerSettings, threshold: float = 0.5) -> None:
        if reference not in settings.allowed_callables:
            raise NotAllowed(
                _(
                    "%(model)s is not listed in the settings. Listed: %(listed)s. "
                    "An administrator can add it to the setting ALLOWED_COMMAND_MODELS (docs/deploy.md).",
                    model=f"python:{reference}",
                    listed=sorted(settings.allowed_callables) or _("none"),
                )
            )
        module, colon, name = reference.partition(":")
        if not (module and colon and name):
            raise SpecError(
                _("'%(spec)s' is not module:callable, for example my_models.simple:predict.", spec=reference)
            )
        try:
            found: Any = import_module(module)
            for part in name.split("."):
                found = getattr(found, part)
        except (ImportError, AttributeError) as error:
            raise ModelUnusable(
                _("%(model)s cannot be imported: %(error)s", model=f"python:{reference}", error=str(error))
            ) from error
        if not callable(found):
            raise ModelUnusable(_("%(model)s is not callable.", model=f"python:{reference}"))
        self._call: Callable[[list[str]], Iterable[Any]] = found
        self._reference, self._settings, self._threshold = reference, settings, threshold

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Label every text; refuses a callable that returns another number of results than it got texts."""
        answers: list[Answer] = []
        for batch in cut_into_chunks(texts, size=BATCH):
            if should_stop is not None and should_stop():
                raise Stopped(_("stopped on request"), answers=[*answers, *[None] * (len(texts) - len(answers))])
            try:
                results = list(self._call(list(batch)))
            except Exception as error:  # somebody else's code may raise anything
                raise ModelUnusable(
                    _(
                        "%(model)s failed: %(error)s",
                        model=f"python:{self._reference}",
                        error=f"{type(error).__name__}: {error}",
                    )
                ) from error
            if len(results) != len(batch):
                raise ModelUnusable(
                    _(
                        "%(model)s returned %(results)s results for %(texts)s texts. Return one each.",
                        model=f"python:{self._reference}",
                        results=len(results),
                        texts=len(batch),
                    )
                )
            answers += [answer_from(each, settings=self._settings, threshold=self._threshold) for each in results]
            if progress is not None:
                progress(len(answers), len(texts))
        return answers

    @property
    def fingerprint(self) -> str:
        # The source is part of it: an edited function must not find the old one's cached answers.
        try:
            source = inspect.getsource(inspect.getmodule(self._call) or self._call)
        except (OSError, TypeError):
            source = ""
        return digest(["python", self._reference, source, self._threshold, self._settings.labels])

    def describe(self) -> dict[str, object]:
        """What answered: the callable and the hash of its module's source."""
        return record(
            self._settings,
            kind="python",
            fingerprint=self.fingerprint,
            packages=(self._reference.partition(".")[0],),
            model=self._reference,
            revision="",
            device="cpu",
            threshold=self._threshold,
        )
