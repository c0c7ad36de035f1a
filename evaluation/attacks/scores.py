"""Models under attack: registered ones are asked in the background, answers from elsewhere are uploaded."""

import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, ChangedMeanwhile, DomainError, Missing, sentence_of
from core.jobs.services import request_job
from core.options import OptionsRefused
from core.permissions import require_maintainer
from core.text import _, keep, ngettext
from evaluation import file_store
from evaluation.artefacts.services import folder_of
from evaluation.attacks import sets as attack_sets
from evaluation.attacks.algorithm.exchange import FILE_NAMES
from evaluation.attacks.algorithm.scoring import Policy, score_answers
from evaluation.attacks.algorithm.values import Name
from evaluation.attacks.answers import KIND, keep_answers
from evaluation.attacks.options import POLICIES, AttackRunOptions, AttackSpreadOptions
from evaluation.attacks.sets import Progress, sets_of
from evaluation.models import Attack, AttackScore, ModelVersion
from evaluation.registry.services import LABELS, ModelRefused
from evaluation.runners import Answer, InferenceError, Runner, RunnerBusy


class AnswersThere(DomainError):
    """Answers were handed in under this name before, and the request does not say that the new ones replace them."""

    code, status = "answers_there", 409

    def __init__(self, score: AttackScore) -> None:
        aaa = score.values["penalise"]["aaa"]
        found = {
            "model": score.name,
            "date": score.created_at.date(),
            "aaa": _("undefined") if aaa is None else _("%(number)s%%", number=round(aaa * 100, 1)),
        }
        if score.created_by:
            sentence = _(
                "Answers of '%(model)s' were uploaded on %(date)s by %(person)s (AAA %(aaa)s). Choose another name, or "
                "choose to replace them; the old answers are kept.",
                person=str(score.created_by),
                **found,
            )
        else:
            sentence = _(
                "Answers of '%(model)s' were uploaded on %(date)s (AAA %(aaa)s). Choose another name, or choose to "
                "replace them; the old answers are kept.",
                **found,
            )
        super().__init__(
            sentence,
            model=score.name,
            created_at=score.created_at.isoformat(),
            aaa=aaa,
        )


def find_version(options: AttackRunOptions | AttackSpreadOptions) -> ModelVersion:
    """The registered model that the options name. Refuses one there is not."""
    version = ModelVersion.objects.by_key(options.model, getattr(options, "version", None)).first()
    if version is None:
        raise OptionsRefused({"model": [_("No such model or version is registered.")]})
    return version


def require_askable(attack: Attack, version: ModelVersion) -> None:
    """Refuses an attack that is not built, and a model of uploaded predictions or of more than two labels."""
    if not version.is_askable:
        raise BadInput(
            _(
                "%(model)s is known by its uploaded predictions only, so it cannot be asked. Download the sets and "
                "upload its answers.",
                model=str(version.model),
            )
        )
    labels_of(version)
    folder_of(attack)


@transaction.atomic
def request_score(attack: Attack, version: ModelVersion, *, by: User | None, ring_now: bool = True) -> AttackScore:
    """Queue a registered model to be attacked. A model that has its scores keeps them; a failed one is asked again.

    Refuses people who are not maintainers, an attack that is not built, a model known by uploaded predictions only or
    of more than two labels, and a name that handed-in answers have taken.
    """
    if by is not None:
        require_maintainer(by)
    require_askable(attack, version)
    score, is_new = AttackScore.objects.get_or_create(
        attack=attack, name=str(version), replaced_at=None, defaults={"model_version": version, "created_by": by}
    )
    if score.model_version_id != version.pk:
        raise BadInput(
            _("Answers were uploaded under the name '%(model)s'. Rename the model, then attack it.", model=score.name)
        )
    if score.values or (not is_new and score.job and not score.job.is_finished):
        return score
    score.job = request_job(
        "evaluation.attack_model",
        {"score": score.pk},
        title=_("Attack %(model)s with “%(attack)s”", model=str(version), attack=attack.title),
        by=by,
        result_url=attack.get_absolute_url(),
        ring_now=ring_now,
    )
    score.save(update_fields=["job"])
    return score


def labels_of(version: ModelVersion | None) -> tuple[str, str]:
    """The labels the model was registered with, the abusive one first: asked for others it would be another model.

    Refuses a model of more than two labels: it is not known which of them mean abuse.
    """
    labels = version.description.get("labels", LABELS) if version else LABELS
    if len(labels) != 2:
        raise BadInput(
            ngettext(
                "%(model)s gives %(count)s label (%(labels)s). An attack needs two, the abusive one first. Register "
                "the model for a suite of two labels, then attack it.",
                "%(model)s gives %(count)s labels (%(labels)s). An attack needs two, the abusive one first. Register "
                "the model for a suite of two labels, then attack it.",
                len(labels),
                model=str(version),
                labels=list(map(str, labels)),
            )
        )
    return str(labels[0]), str(labels[1])


def texts_left(attack: Attack, version: ModelVersion) -> list[str]:
    """The different texts of the attack that the model would have to be asked about; none where it has its scores."""
    texts = attack_sets.texts_of(sets_of(attack))
    score = attack.scores.current().filter(model_version=version).first()
    if score is None:
        return texts
    known = _remembered(_memory(score))
    return [] if score.values else [text for text in texts if text not in known]


def score_model(score: AttackScore, runner: Runner, *, progress: Progress | None = None) -> AttackScore:
    """Ask the model about every post that it has not answered yet, and keep its scores under both policies.

    A model that has its scores is not asked again.
    """
    if score.values:
        return score
    sets = sets_of(score.attack)
    memory = _memory(score)
    answers, unanswered, texts = ask_remembering(
        sets, runner, positive=labels_of(score.model_version)[0], memory=memory, progress=progress
    )
    keep_answers(score, sets, answers)
    _keep(score, sets, answers, unanswered=unanswered, texts=texts)
    memory.unlink(missing_ok=True)
    return score


def ask_remembering(
    sets: attack_sets.Sets, runner: Runner, *, positive: str, memory: Path, progress: Progress | None
) -> tuple[dict[Name, list[bool]], dict[str, int], int]:
    """Return the answers as they count, how many are missing, and the number of texts; a file keeps what was said."""
    memory.parent.mkdir(parents=True, exist_ok=True)

    def remember(new: dict[str, Answer]) -> None:
        with memory.open("a", encoding="utf-8") as out:
            for text, answer in new.items():
                out.write(json.dumps([text, answer.label], ensure_ascii=False) + "\n")

    try:
        said, texts = attack_sets.ask_model(
            sets, runner, positive=positive, known=_remembered(memory), remember=remember, progress=progress
        )
    except RunnerBusy:
        raise
    except InferenceError as error:
        raise ModelRefused(sentence_of(error)) from error
    return *attack_sets.counted(sets, said), texts


def score_upload(attack: Attack, files: Sequence[Any], *, name: str, by: User, replace: bool = False) -> AttackScore:
    """Score a model that answered elsewhere: the answer files, or a zip archive of them.

    Answers handed in before under this name are only replaced where that is said, and kept all the same. Refuses wrong
    lines, naming the first, and the name of a registered model that was asked here.
    """
    require_maintainer(by)
    sets = sets_of(attack)
    name = name.strip()[:200]
    if not name:
        raise BadInput(_("The model needs a name. Give the one you would use in a paper."))
    earlier = attack.scores.current().select_related("created_by").filter(name=name).first()
    if earlier and earlier.model_version_id:
        raise BadInput(
            _("'%(model)s' is a registered model under this attack. Upload the answers under another name.", model=name)
        )
    if earlier and not replace:
        raise AnswersThere(earlier)
    with TemporaryDirectory() as folder:
        if not sum(_unpack(file, Path(folder)) for file in files):
            raise BadInput(
                _(
                    "None of these is an answer file. Upload %(files)s, or one .zip archive of them.",
                    files=[FILE_NAMES[one] for one in sets],
                )
            )
        answers = attack_sets.open_answers(sets, folder)
    scores = {policy: score_answers(sets, answers, policy=policy) for policy in POLICIES}
    values = keep({policy: attack_sets.scores_json(found) for policy, found in scores.items()})
    try:
        with transaction.atomic():
            replaced = (
                attack.scores.current().filter(pk=earlier.pk).update(replaced_at=timezone.now()) if earlier else 0
            )
            score = AttackScore.objects.create(attack=attack, name=name, values=values, created_by=by)
            audit.record(by, Action.PREDICTIONS_IMPORTED, attack, model=name, replaced=bool(replaced))
            keep_answers(score, sets, answers)
    except IntegrityError as error:  # answers under this name arrived a moment ago
        raise ChangedMeanwhile(f"'{name}'") from error
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
                raise BadInput(_("%(file)s in the archive is too large.", file=file_name))
            try:
                (folder / file_name).write_bytes(content.read(members[file_name]))
            except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:  # the last one: a password
                raise BadInput(
                    _(
                        "%(file)s in the archive is damaged or needs a password. Pack it again, without a password.",
                        file=file_name,
                    )
                ) from error
    return len(found)


def find_policy(name: str) -> Policy:
    """The policy of that name. Refuses others."""
    for policy in POLICIES:
        if policy == name:
            return policy
    raise Missing(_("There is no policy '%(name)s'. Choose from: %(known)s.", name=name, known=list(POLICIES)))


def _keep(
    score: AttackScore,
    sets: attack_sets.Sets,
    answers: Mapping[Name, Sequence[bool]],
    *,
    unanswered: Mapping[str, int],
    texts: int,
) -> None:
    score.values = keep(
        {
            policy: {
                **attack_sets.scores_json(score_answers(sets, answers, policy=policy), unanswered=unanswered),
                "texts": texts,
            }
            for policy in POLICIES
        }
    )
    score.save(update_fields=["values"])


def _memory(score: AttackScore) -> Path:
    """Where the answers of a model wait until it has given all of them."""
    return file_store.root() / KIND / f"{score.pk}.jsonl"


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
