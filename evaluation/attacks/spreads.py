"""An attack repeated with several seeds: how far the scores of a model depend on chance."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.models import User
from core.jobs.services import request_job
from core.permissions import require_maintainer
from core.text import _, ngettext
from evaluation import file_store
from evaluation.attacks.algorithm.scoring import score_answers, spread_of
from evaluation.attacks.answers import KIND
from evaluation.attacks.options import POLICIES
from evaluation.attacks.scores import ask_remembering, labels_of, require_askable
from evaluation.attacks.services import sets_with_seed
from evaluation.attacks.sets import Progress, scores_json
from evaluation.models import Attack, AttackSpread, ModelVersion
from evaluation.runners import Runner

SCORES = ("aaa", "aaa_with_f1", "f1")


@transaction.atomic
def request_spread(attack: Attack, version: ModelVersion, *, seeds: int, by: User) -> AttackSpread:
    """Queue an attack with as many seeds; with the number it has been repeated with, what is there is given back.

    Refuses people who are not maintainers, and what `require_askable` refuses.
    """
    require_maintainer(by)
    require_askable(attack, version)
    spread, is_new = AttackSpread.objects.select_for_update().get_or_create(
        attack=attack, model_version=version, defaults={"seeds": seeds, "created_by": by}
    )
    is_under_way = spread.job is not None and not spread.job.is_finished
    if not is_new and spread.seeds == seeds and (spread.values or is_under_way):
        return spread
    spread.seeds, spread.values = seeds, {}
    title = ngettext(
        "Attack %(model)s with %(count)s seed of “%(attack)s”",
        "Attack %(model)s with %(count)s seeds of “%(attack)s”",
        seeds,
        model=str(version),
        attack=attack.title,
    )
    url = attack.get_absolute_url()
    spread.job = request_job("evaluation.spread_attack", {"spread": spread.pk}, title=title, by=by, result_url=url)
    spread.save(update_fields=["seeds", "values", "job"])
    return spread


def measure_spread(spread: AttackSpread, runner: Runner, *, progress: Progress | None = None) -> AttackSpread:
    """Build the sets with every seed, ask about each different text once, and keep the scores."""
    memory = file_store.root() / KIND / f"spread-{spread.pk}.jsonl"
    positive = labels_of(spread.model_version)[0]
    seeds = range(spread.attack.seed, spread.attack.seed + spread.seeds)
    found: dict[str, dict[int, dict[str, Any]]] = {policy: {} for policy in POLICIES}
    for place, seed in enumerate(seeds, start=1):
        sets = sets_with_seed(spread.attack, seed)
        told = _within(progress, place, spread.seeds)
        answers = ask_remembering(sets, runner, positive=positive, memory=memory, progress=told)[0]
        for policy in POLICIES:
            found[policy][seed] = scores_json(score_answers(sets, answers, policy=policy))
    spread.values = {policy: summarise_seeds(scores) for policy, scores in found.items()}
    spread.save(update_fields=["values"])
    memory.unlink(missing_ok=True)
    return spread


def summarise_seeds(scores: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    """Return the spread of every score over seeds, and AAA by seed."""
    found = list(scores.values())
    return {
        **{name: spread_of([one[name] for one in found]) for name in SCORES},
        "attacks": {name: spread_of([one["attacks"][name]["score"] for one in found]) for name in found[0]["attacks"]},
        "by_seed": {str(seed): one["aaa"] for seed, one in scores.items()},
    }


def spread_rows(attack: Attack, policy: str) -> list[dict[str, Any]]:
    """Return the spread of every model the attack was repeated on, with its job where it is not there yet."""
    found = attack.spreads.select_related("model_version__model", "job")
    return [
        {"model": str(one.model_version), "seeds": one.seeds, "job": one.job, "values": one.values.get(policy)}
        for one in found
    ]


def _within(progress: Progress | None, place: int, seeds: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, total, what: progress(
        done, total, _("seed %(number)s of %(total)s: %(step)s", number=place, total=seeds, step=what)
    )
