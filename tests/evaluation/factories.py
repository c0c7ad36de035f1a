"""Models that tests run: plain functions, named in the settings of the test."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accounts.models import User
    from curation.models import Release
    from evaluation.models import EvaluationRun, ModelVersion


def by_word(texts: list[str]) -> list[float]:
    """Right about every case of the small suite."""
    return [0.9 if "dislike" in text else 0.1 for text in texts]


def no_word_for_it(texts: list[str]) -> list[str]:
    """Answers with a word of its own where others say hateful."""
    return ["nasty" if "dislike" in text else "non-hateful" for text in texts]


def always_hateful(texts: list[str]) -> list[str]:
    return ["hateful"] * len(texts)


def slow(texts: list[str]) -> list[str]:
    """Slow enough to be killed in the middle; writes down what it was asked, as far as it came."""
    time.sleep(0.005 * len(texts))
    asked = Path(os.environ["TOUCHSTONE_VAR"]) / "asked.txt"
    with asked.open("a", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text in texts)
    return ["hateful" if "dislike" in text else "non-hateful" for text in texts]


def allow_models(settings: Any) -> None:
    settings.ALLOWED_COMMAND_MODELS = [
        f"{__name__}:{name}" for name in ("by_word", "always_hateful", "no_word_for_it", "slow")
    ]


def registered(function: str, *, name: str) -> ModelVersion:
    from evaluation.registry.services import load, register_model

    spec = f"python:{__name__}:{function}"
    return register_model(name, spec, load(spec), by=None)


def run_model(release: Release, function: str, *, name: str, by: User) -> EvaluationRun:
    """A finished run."""
    from core.jobs import services as jobs
    from evaluation.runs.services import request_run

    run = request_run(release, registered(function, name=name), by=by)
    assert run.job is not None
    done = jobs.perform(run.job.key, worker="test")
    assert done is not None
    assert done.state == "done", done.error
    run.refresh_from_db()
    return run
