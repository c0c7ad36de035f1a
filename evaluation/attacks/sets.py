"""Attack sets in a folder: built, asked of a model, and scored. No database row is needed for any of it."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BadInput, sentence_of
from core.text import _
from evaluation.artefacts.models import BuiltArtefact
from evaluation.artefacts.services import folder_of
from evaluation.attacks.algorithm.association import AssociatedWords
from evaluation.attacks.algorithm.building import build_attacks
from evaluation.attacks.algorithm.exchange import FILE_NAMES, escape, file_text, read_answers, read_sets, write_sets
from evaluation.attacks.algorithm.parameters import AttackParameters
from evaluation.attacks.algorithm.scoring import PASS_MARK, AttackScores, Policy, score_answers
from evaluation.attacks.algorithm.values import AttackSet, Name
from evaluation.datasets.files.values import LabelledData
from evaluation.datasets.labelled_files import refuse_problems
from evaluation.runners import Answer, Runner, cut_into_chunks

MANIFEST = "attack.json"
CHUNK = 256
Progress = Callable[[int, int, str], None]
Sets = Mapping[Name, AttackSet]


def build_sets(
    train: LabelledData,
    test: LabelledData,
    *,
    abusive: Sequence[str],
    parameters: AttackParameters,
    progress: Progress | None = None,
) -> tuple[dict[Name, AttackSet], AssociatedWords]:
    """The sets of a recipe from labelled parts. Refuses data that lacks a class, with the sentence that says so."""
    report = (lambda step, done, total: progress(done, total, step)) if progress else None
    try:
        return build_attacks(
            (train.texts, [label in abusive for label in train.labels]),
            (test.texts, [label in abusive for label in test.labels]),
            parameters=parameters,
            progress=report,
        )
    except ValueError as error:
        raise BadInput(_("The attack cannot be built. %(reason)s", reason=sentence_of(error))) from error


def describe_sets(
    sets: Sets, words: AssociatedWords, *, train: LabelledData, test: LabelledData, abusive: Sequence[str],
    parameters: AttackParameters,
) -> dict[str, Any]:  # fmt: skip
    """The manifest: recipe, checksums of the data and of each file, and one checksum over all files."""
    files = {
        name: {
            "file": FILE_NAMES[name],
            "posts": len(attack.posts),
            "sha256": hashlib.sha256(file_text(attack).encode("utf-8")).hexdigest(),
        }
        for name, attack in sets.items()
    }
    whole = "\n".join(f"{entry['file']} {entry['sha256']}" for entry in files.values())
    return {
        "seed": parameters.seed,
        "parameters": parameters.described(),
        "abusive": list(abusive),
        "train": {"source": train.source, "posts": len(train), "sha256": train.checksum},
        "test": {"source": test.source, "posts": len(test), "sha256": test.checksum},
        "sets": files,
        "words": {"abusive": list(words.abusive), "non_abusive": list(words.non_abusive)},
        "sha256": hashlib.sha256(whole.encode()).hexdigest(),
    }


def write_folder(sets: Sets, manifest: Mapping[str, Any], folder: Path) -> None:
    """The exchange files and the manifest: the same bytes for the same recipe and data."""
    write_sets(sets, folder)
    content = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    (folder / MANIFEST).write_text(content, encoding="utf-8", newline="\n")


def open_sets(folder: str | Path) -> dict[Name, AttackSet]:
    """The sets of a folder. Refuses bad lines, a folder without sets, and files that are not as they were built."""
    folder = Path(folder)
    if not folder.is_dir():
        raise BadInput(
            _("There is no folder %(folder)s. Build the sets first: attack build --out %(folder)s.", folder=str(folder))
        )
    sets, problems = read_sets(folder)
    refuse_problems(_("The attack sets cannot be used."), problems)
    if not sets:
        raise BadInput(
            _("%(folder)s has none of the files %(files)s.", folder=str(folder), files=list(FILE_NAMES.values()))
        )
    stated = (read_manifest(folder) or {"sets": {}})["sets"]
    for name, attack in sets.items():
        found = hashlib.sha256(file_text(attack).encode("utf-8")).hexdigest()
        if name in stated and stated[name]["sha256"] != found:
            raise BadInput(
                _(
                    "%(file)s has changed since it was built: its checksum differs. Build it again.",
                    file=FILE_NAMES[name],
                )
            )
    return sets


def sets_of(attack: BuiltArtefact) -> dict[Name, AttackSet]:
    """Return the sets of a built attack, checked against their checksums."""
    return open_sets(folder_of(attack))


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """What stands beside the sets about how they were built; None where nothing does. Refuses a broken one."""
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        found["sets"]
    except (ValueError, LookupError, TypeError) as error:
        raise BadInput(_("%(file)s cannot be read. Build the sets again: attack build.", file=str(path))) from error
    return found


def texts_of(sets: Sets) -> list[str]:
    """Each different text of the sets once: what a model is asked about."""
    return list(dict.fromkeys(text for attack in sets.values() for text in attack.texts))


def require_room(out: str | None, *, sets_folder: str, again: bool) -> None:
    """Refuses a place for answers that is not named, that holds the sets (files of the same names), or that holds
    answers that are not to be replaced."""
    if not out:
        raise BadInput(_("Name a folder for the answers: --out DIR."))
    if Path(out).resolve() == Path(sets_folder).resolve():
        raise BadInput(
            _(
                "%(folder)s has the sets, which the answers would overwrite. Name another folder: --out DIR.",
                folder=out,
            )
        )
    if not again and any((Path(out) / name).exists() for name in FILE_NAMES.values()):
        raise BadInput(_("%(folder)s has answers already. Name another folder, or replace them: --again.", folder=out))


def ask_model(
    sets: Sets, runner: Runner, *, positive: str, known: Mapping[str, Answer] | None = None,
    remember: Callable[[dict[str, Answer]], None] | None = None, progress: Progress | None = None,
) -> tuple[dict[Name, list[bool | None]], int]:  # fmt: skip
    """Answers per set (True: abusive, None: no usable answer), each different text asked once, and how many texts.

    `known` answers are not asked again and `remember` is given each chunk, so an interrupted run can go on.
    """
    answers = dict(known or {})
    texts = texts_of(sets)
    waiting = sorted((text for text in texts if text not in answers), key=len)
    done = len(texts) - len(waiting)
    for chunk in cut_into_chunks(waiting, size=CHUNK):
        if progress:
            progress(done, len(texts), _("asking the model"))
        new = dict(zip(chunk, runner.predict(list(chunk)), strict=True))
        answers.update(new)
        if remember:
            remember(new)
        done += len(chunk)
    if progress:
        progress(done, len(texts), _("scoring"))

    def said(text: str) -> bool | None:
        label = answers[text].label
        return None if label is None else label == positive

    return {name: [said(text) for text in attack.texts] for name, attack in sets.items()}, len(texts)


def counted(sets: Sets, said: Mapping[Name, Sequence[bool | None]]) -> tuple[dict[Name, list[bool]], dict[str, int]]:
    """Answers as they count: no usable answer is a wrong one. With it, how many there were of these per set."""
    filled = {
        name: [
            (not wanted) if answer is None else answer for wanted, answer in zip(sets[name].labels, given, strict=True)
        ]
        for name, given in said.items()
    }
    return filled, {name: missing for name, given in said.items() if (missing := sum(a is None for a in given))}


def write_answers(sets: Sets, answers: Mapping[Name, Sequence[bool]], folder: Path) -> None:
    """One answer file per set: post, label, prediction."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, given in answers.items():
        lines = (
            f"{escape(post.text)}\t{int(post.abusive)}\t{int(answer)}\n"
            for post, answer in zip(sets[name].posts, given, strict=True)
        )
        (folder / FILE_NAMES[name]).write_text("".join(lines), encoding="utf-8", newline="\n")


def score_folder(sets: Sets, folder: str | Path, *, policy: Policy) -> AttackScores:
    """Scores of the answer files in a folder. A missing file leaves its score undefined; a wrong line is refused."""
    return score_answers(sets, open_answers(sets, folder), policy=policy)


def open_answers(sets: Sets, folder: str | Path) -> Mapping[Name, tuple[bool, ...]]:
    """The answers of the files in a folder, which may be some of them. Refuses none at all and any wrong line."""
    folder = Path(folder)
    if not folder.is_dir():
        raise BadInput(_("There is no folder %(folder)s with answers.", folder=str(folder)))
    given = {name: attack for name, attack in sets.items() if (folder / FILE_NAMES[name]).is_file()}
    if not given:
        raise BadInput(
            _(
                "%(folder)s has no answer file. Answer files are called %(files)s.",
                folder=str(folder),
                files=[FILE_NAMES[name] for name in sets],
            )
        )
    found = read_answers(given, folder)
    refuse_problems(_("The answers cannot be used."), found.problems)
    return found.answers


def scores_json(scores: AttackScores, *, unanswered: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Scores as plain values: shares between 0 and 1, None where undefined, with the notes that say why."""
    check = scores.hashtag_check
    return {
        "attacks": {
            name: {
                "rate": rate.share,
                "correct": rate.correct,
                "n": rate.n,
                "ci95": list(rate.interval) if rate.interval else None,
                "score": scores.scores[name],
                "passes": scores.passes(name),
            }
            for name, rate in scores.rates.items()
        },
        "f1": scores.f1,
        "aaa": scores.aaa,
        "aaa_ci95": list(scores.aaa_interval) if scores.aaa_interval else None,
        "aaa_with_f1": scores.aaa_with_f1,
        "passes": None if scores.aaa is None else scores.aaa >= PASS_MARK,
        "pass_mark": PASS_MARK,
        "policy": scores.policy,
        "hashtag_check": check and {
            "ignores_hashtags": check.ignores_hashtags,
            "information": check.information,
            "information_ci95": list(check.information_interval) if check.information_interval else None,
            "true_positive_rate": [rate.share for rate in check.true_positive],
            "true_negative_rate": [rate.share for rate in check.true_negative],
            "p_true_positive": check.p_true_positive,
            "p_true_negative": check.p_true_negative,
        },
        "notes": list(scores.notes),
        "unanswered": dict(unanswered or {}),
    }  # fmt: skip
