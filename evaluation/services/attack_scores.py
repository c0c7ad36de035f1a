"""Models under attack: registered ones are asked in the background, answers from elsewhere are uploaded."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from curation.errors import BadInput, Missing
from curation.permissions import require_maintainer
from curation.services.jobs import request_job
from evaluation.attacks.exchange import FILE_NAMES
from evaluation.attacks.scoring import Policy, score_answers
from evaluation.attacks.values import Name
from evaluation.models import Attack, AttackScore, ModelVersion
from evaluation.runners import Answer, Runner, RunnerBusy, RunnerError
from evaluation.services import attack_sets, file_store
from evaluation.services.attack_answers import keep_answers
from evaluation.services.attack_sets import Progress
from evaluation.services.attack_store import folder_of, sets_of
from evaluation.services.registry import LABELS, ModelRefused

POLICIES: tuple[Policy, ...] = ("penalise", "warn")


@transaction.atomic
def request_score(attack: Attack, version: ModelVersion, *, by: User | None, ring_now: bool = True) -> AttackScore:
    """Queue a registered model to be attacked. A model that has its scores keeps them; a failed one is asked again.

    Refuses people who are not maintainers, an attack that is not built, a model known by uploaded predictions only, and
    a name that handed-in answers have taken.
    """
    if by is not None:
        require_maintainer(by)
    if not version.is_askable:
        raise BadInput(
            f"{version.model} is known by its uploaded predictions only, so it cannot be asked. Download the sets and "
            "hand in its answers."
        )
    folder_of(attack)
    score, is_new = AttackScore.objects.get_or_create(
        attack=attack, name=str(version), defaults={"model_version": version, "created_by": by}
    )
    if score.model_version_id != version.pk:
        raise BadInput(f"Somebody handed in answers under the name '{score.name}'. Rename the model, then attack it.")
    if score.values or (not is_new and score.job and not score.job.is_finished):
        return score
    score.job = request_job(
        "evaluation.attack_model",
        {"score": score.pk},
        title=f"Attack {version} with “{attack.title}”",
        by=by,
        result_url=attack.get_absolute_url(),
        ring_now=ring_now,
    )
    score.save(update_fields=["job"])
    return score


def labels_of(score: AttackScore) -> tuple[str, str]:
    """The labels the model was registered with, the abusive one first: asked for others it would be another model."""
    about = score.model_version.description if score.model_version else {}
    positive, negative = about.get("labels", LABELS)
    return str(positive), str(negative)


def score_model(score: AttackScore, runner: Runner, *, progress: Progress | None = None) -> AttackScore:
    """Ask the model about every post that it has not answered yet, and keep its scores under both policies."""
    sets = sets_of(score.attack)
    memory = file_store.root() / "attack_answers" / f"{score.pk}.jsonl"
    memory.parent.mkdir(parents=True, exist_ok=True)

    def remember(new: dict[str, Answer]) -> None:
        with memory.open("a", encoding="utf-8") as out:
            for text, answer in new.items():
                out.write(json.dumps([text, answer.label], ensure_ascii=False) + "\n")

    try:
        said, texts = attack_sets.ask_model(
            sets, runner, positive=labels_of(score)[0], known=_remembered(memory), remember=remember, progress=progress
        )
    except RunnerBusy:
        raise
    except RunnerError as error:
        raise ModelRefused(str(error)) from error
    answers, unanswered = attack_sets.counted(sets, said)
    keep_answers(score, sets, answers)
    _keep(score, sets, answers, unanswered=unanswered, texts=texts)
    memory.unlink(missing_ok=True)
    return score


def score_upload(attack: Attack, files: Sequence[Any], *, name: str, by: User) -> AttackScore:
    """Score a model that answered elsewhere: the answer files, or a zip archive of them.

    Refuses wrong lines, naming the first, and the name of a registered model that was asked here.
    """
    require_maintainer(by)
    sets = sets_of(attack)
    if not name.strip():
        raise BadInput("The model needs a name. Give the one you would use in a paper.")
    if attack.scores.filter(name=name.strip()[:200], model_version__isnull=False).exists():
        raise BadInput(
            f"'{name.strip()}' is a registered model under this attack. Hand in the answers by another name."
        )
    with TemporaryDirectory() as folder:
        if not sum(_unpack(file, Path(folder)) for file in files):
            known = ", ".join(FILE_NAMES[one] for one in sets)
            raise BadInput(f"There is no answer file among these. Hand in {known}, or one .zip archive of them.")
        answers = attack_sets.open_answers(sets, folder)
    scores = {policy: score_answers(sets, answers, policy=policy) for policy in POLICIES}
    with transaction.atomic():
        score, _ = AttackScore.objects.update_or_create(
            attack=attack,
            name=name.strip()[:200],
            model_version=None,
            defaults={
                "values": {key: attack_sets.scores_json(found) for key, found in scores.items()},
                "created_by": by,
            },
        )
        audit.record(by, Action.PREDICTIONS_IMPORTED, attack, model=score.name)
        keep_answers(score, sets, answers)
    return score


def _unpack(file: Any, folder: Path) -> int:
    """Put the answer files of an upload into a folder; returns how many there were."""
    if not zipfile.is_zipfile(file):
        file_name = Path(str(file.name)).name
        if file_name not in FILE_NAMES.values():
            return 0
        file.seek(0)
        (folder / file_name).write_bytes(file.read())
        return 1
    with zipfile.ZipFile(file) as content:
        members = {Path(info.filename).name: info for info in content.infolist() if not info.is_dir()}
        found = [member for member in FILE_NAMES.values() if member in members]
        for file_name in found:
            if members[file_name].file_size > file_store.MOST_BYTES:
                raise BadInput(f"{file_name} in the archive is too large.")
            (folder / file_name).write_bytes(content.read(members[file_name]))
    return len(found)


def find_policy(name: str) -> Policy:
    """The policy of that name. Refuses others."""
    for policy in POLICIES:
        if policy == name:
            return policy
    raise Missing(f"There is no policy '{name}'. Choose from: {', '.join(POLICIES)}.")


def _keep(
    score: AttackScore,
    sets: attack_sets.Sets,
    answers: Mapping[Name, Sequence[bool]],
    *,
    unanswered: Mapping[str, int],
    texts: int,
) -> None:
    score.values = {
        policy: {
            **attack_sets.scores_json(score_answers(sets, answers, policy=policy), unanswered=unanswered),
            "texts": texts,
        }
        for policy in POLICIES
    }
    score.save(update_fields=["values"])


def _remembered(memory: Path) -> dict[str, Answer]:
    if not memory.is_file():
        return {}
    found: dict[str, Answer] = {}
    for line in memory.read_text(encoding="utf-8").split("\n"):
        try:
            text, label = json.loads(line)
        except ValueError:  # the last line of a worker that was killed while it wrote
            continue
        found[text] = Answer(label=label)
    return found
