"""What models answered to the posts of an attack, kept as exchange files: it can be read and scored again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import Missing
from core.text import _
from evaluation import file_store
from evaluation.artefacts.services import zip_folder
from evaluation.attacks import sets as attack_sets
from evaluation.attacks.algorithm.exchange import read_answers
from evaluation.attacks.algorithm.values import AttackPost, Name
from evaluation.attacks.sets import Sets, sets_of
from evaluation.models import Attack, AttackScore

KIND = "attack_answers"
SHOWN = ("all", "wrong")


@dataclass(frozen=True, slots=True)
class AnsweredPost:
    """A post of an attack, and whether a model called it abusive; None where no model was chosen or it has none."""

    post: AttackPost
    answer: bool | None = None

    @property
    def line(self) -> int:
        """Its line in the exchange file, from 1: a stored set says no more about where a post comes from."""
        return self.post.origin + 1


def keep_answers(score: AttackScore, sets: Sets, answers: Mapping[Name, Sequence[bool]]) -> None:
    """Write the answers of a model; what a broken attempt left is removed."""
    attack_sets.write_answers(sets, answers, file_store.fresh_folder(KIND, str(score.pk)))


def has_answers(score: AttackScore) -> bool:
    """Whether what the model answered is kept; of scores from before answers were, it is not."""
    return _folder(score).is_dir()


def answers_archive(score: AttackScore) -> bytes:
    """The answer files as one zip archive, as `attack score` reads them. Refuses a model whose answers are not kept."""
    folder = _folder(score)
    if not has_answers(score):
        raise Missing(_("The answers of '%(model)s' are not kept.", model=score.name))
    return zip_folder(folder)


def posts_of(
    attack: Attack, name: str, *, score: AttackScore | None = None, show: str = "all", search: str = ""
) -> list[AnsweredPost]:
    """The posts of one set in order, with a model's answers; only those it got wrong, or that hold some words.

    Refuses a set the attack does not have. A model without kept answers got nothing wrong that could be shown.
    """
    sets = sets_of(attack)
    chosen = next((attack_set for known, attack_set in sets.items() if known == name), None)
    if chosen is None:
        raise Missing(_("The attack has no set '%(name)s'. It has: %(known)s.", name=name, known=list(sets)))
    found: Sequence[bool | None] = ()
    if score is not None and has_answers(score):
        found = read_answers({chosen.name: chosen}, _folder(score)).answers.get(chosen.name, ())
    answers = found or [None] * len(chosen.posts)
    words = search.casefold()
    return [
        AnsweredPost(post, answer)
        for post, answer in zip(chosen.posts, answers, strict=True)
        if (show != "wrong" or (answer is not None and answer != post.abusive)) and words in post.text.casefold()
    ]


def _folder(score: AttackScore) -> Path:
    return file_store.root() / KIND / str(score.pk)
