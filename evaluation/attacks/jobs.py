"""Background work of attacks."""

from typing import Any

from core.jobs.running import RunningJob, model_work
from core.text import _
from evaluation.models import Attack, AttackScore, AttackSpread
from evaluation.runners import RunnerBusy


@model_work("evaluation.build_attack", title=_("Build an attack"))
def build(job: RunningJob, *, attack: str) -> dict[str, Any]:
    from evaluation.attacks.services import build_attack

    built = build_attack(Attack.objects.select_related("dataset").get(key=attack), progress=job.report)
    return {"attack": attack, "sha256": built.sha256}


@model_work("evaluation.spread_attack", title=_("Measure the spread of an attack"), retry_on=(RunnerBusy,))
def spread_attack(job: RunningJob, *, spread: int) -> dict[str, Any]:
    from evaluation.attacks.scores import labels_of
    from evaluation.attacks.spreads import measure_spread
    from evaluation.runs.loaded import runner_of

    found = AttackSpread.objects.select_related("attack__dataset", "model_version__model").get(pk=spread)
    version = found.model_version
    done = measure_spread(found, runner_of(version, labels_of(version)), progress=job.report)
    return {"model": str(version), "aaa": done.values["penalise"]["aaa"]}


@model_work("evaluation.attack_model", title=_("Attack a model"), retry_on=(RunnerBusy,))
def attack_model(job: RunningJob, *, score: int) -> dict[str, Any]:
    from evaluation.attacks.scores import labels_of, score_model
    from evaluation.runs.loaded import runner_of

    found = AttackScore.objects.select_related("attack", "model_version__model").get(pk=score)
    assert found.model_version is not None
    done = score_model(found, runner_of(found.model_version, labels_of(found.model_version)), progress=job.report)
    return {"model": done.name, "aaa": done.values["penalise"]["aaa"]}
