"""The attacks themselves: pure functions of posts, words or templates, and a seed."""

import hashlib
import re
from collections.abc import Callable, Sequence
from random import Random

from core.text import _
from evaluation.attacks.algorithm.association import AssociatedWords, find_associated_words
from evaluation.attacks.algorithm.parameters import AttackParameters
from evaluation.attacks.algorithm.values import TITLES, AttackPost, AttackSet, Name


def stream(seed: int, name: str) -> Random:
    """Return a generator of its own for each name, the same for the same seed and name on every machine."""
    digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
    return Random(int.from_bytes(digest[:16], "big"))


Progress = Callable[[str, int, int], None]
NOT_BLANK = re.compile(r"\S+")


def keep_original(posts: Sequence[str], abusive: Sequence[bool]) -> AttackSet:
    """Return the test set as it is: what F1 and the hashtag check are measured against."""
    return AttackSet("original", tuple(AttackPost(post, label, row) for row, (post, label) in _rows(posts, abusive)))


def quo(posts: Sequence[str], abusive: Sequence[bool], *, templates: Sequence[str], seed: int) -> AttackSet:
    """Quo A->N: each abusive post is quoted in a random counter-speech template and becomes non-abusive."""
    random = stream(seed, "quo")
    made = []
    for row, (post, label) in _rows(posts, abusive):
        if label:
            template = random.choice(templates)
            made.append(AttackPost(template.replace("<post>", post), abusive=False, origin=row, added=template))
    return AttackSet("quo", tuple(made))


def flip(posts: Sequence[str], abusive: Sequence[bool], *, seed: int) -> AttackSet:
    """Flip N->A: an abusive post is put in front of each non-abusive one, which becomes abusive.

    The abusive posts are shuffled and dealt out in turn, so none is used twice before all were used. Refuses a test set
    without an abusive post.
    """
    random = stream(seed, "flip")
    hostile = [post for post, label in zip(posts, abusive, strict=True) if label]
    if not hostile:
        raise ValueError(_("The test set has no abusive post to put in front of the others."))
    made, stack = [], list[str]()
    for row, (post, label) in _rows(posts, abusive):
        if not label:
            if not stack:
                stack = random.sample(hostile, len(hostile))
            before = stack.pop()
            made.append(AttackPost(f"{before} {post}", abusive=True, origin=row, added=before))
    return AttackSet("flip", tuple(made))


def corr_aa(
    posts: Sequence[str], abusive: Sequence[bool], *, words: Sequence[str], parameters: AttackParameters
) -> AttackSet:
    """Corr A->A: words tied to the non-abusive class are appended to abusive posts as hashtags; still abusive."""
    return _append_hashtags("corr_aa", posts, abusive, words, parameters, to_abusive=True)


def corr_nn(
    posts: Sequence[str], abusive: Sequence[bool], *, words: Sequence[str], parameters: AttackParameters
) -> AttackSet:
    """Corr N->N: inoffensive words tied to the abusive class are appended to non-abusive posts; still non-abusive."""
    return _append_hashtags("corr_nn", posts, abusive, words, parameters, to_abusive=False)


def ident_nn(posts: Sequence[str], abusive: Sequence[bool], *, parameters: AttackParameters) -> AttackSet:
    """Ident N->N: names of groups are appended to non-abusive posts as hashtags; still non-abusive."""
    words = ["".join(identifier.split()) for identifier in parameters.identifiers]
    return _append_hashtags("ident_nn", posts, abusive, words, parameters, to_abusive=False)


def hashtag_check(posts: Sequence[str], abusive: Sequence[bool]) -> AttackSet:
    """Make every word a hashtag (mentions stay); a post of mentions only becomes a dot. Labels stay."""
    return AttackSet(
        "hashtag_check",
        tuple(AttackPost(_as_hashtags(post), label, row) for row, (post, label) in _rows(posts, abusive)),
    )


def build_attacks(
    train: tuple[Sequence[str], Sequence[bool]],
    test: tuple[Sequence[str], Sequence[bool]],
    *,
    parameters: AttackParameters,
    progress: Progress | None = None,
) -> tuple[dict[Name, AttackSet], AssociatedWords]:
    """Return all six sets (seven with identifiers) and the words the Corr attacks draw from.

    Refuses a test set that lacks one of the classes, and training data in which no word is left for a Corr attack.
    """
    posts, abusive = test
    if len(posts) != len(abusive):
        raise ValueError(f"{len(posts)} test posts but {len(abusive)} labels")
    if len(set(abusive)) < 2:
        raise ValueError(_("The test set needs posts of both classes, abusive and harmless."))
    report = progress or (lambda step, done, total: None)
    report(_("choosing words"), 0, 7)
    words = find_associated_words(*train, parameters=parameters)
    steps: list[tuple[Name, Callable[[], AttackSet]]] = [
        ("original", lambda: keep_original(posts, abusive)),
        ("hashtag_check", lambda: hashtag_check(posts, abusive)),
        ("quo", lambda: quo(posts, abusive, templates=parameters.templates, seed=parameters.seed)),
        ("corr_nn", lambda: corr_nn(posts, abusive, words=words.abusive, parameters=parameters)),
        ("corr_aa", lambda: corr_aa(posts, abusive, words=words.non_abusive, parameters=parameters)),
        ("flip", lambda: flip(posts, abusive, seed=parameters.seed)),
    ]
    if parameters.identifiers:
        steps.append(("ident_nn", lambda: ident_nn(posts, abusive, parameters=parameters)))
    sets: dict[Name, AttackSet] = {}
    for done, (name, build) in enumerate(steps, start=1):
        report(TITLES[name], done, len(steps))
        sets[name] = build()
    return sets, words


def _append_hashtags(
    name: Name,
    posts: Sequence[str],
    abusive: Sequence[bool],
    words: Sequence[str],
    parameters: AttackParameters,
    *,
    to_abusive: bool,
) -> AttackSet:
    if not words:
        raise ValueError(
            _(
                "No word is left for %(attack)s: the training data is too small, or the lexicon has all its words.",
                attack=TITLES[name],
            )
        )
    random = stream(parameters.seed, name)
    made = []
    for row, (post, label) in _rows(posts, abusive):
        if label == to_abusive:
            tags = " ".join(f"#{word}" for word in _drawn(words, parameters, random))
            made.append(AttackPost(f"{post} {tags}", abusive=label, origin=row, added=tags))
    return AttackSet(name, tuple(made))


def _drawn(words: Sequence[str], parameters: AttackParameters, random: Random) -> list[str]:
    number = random.randint(parameters.fewest_hashtags, parameters.most_hashtags)
    if parameters.rules.repeat_words:
        return random.choices(words, k=number)
    return random.sample(words, min(number, len(words)))


def _as_hashtags(post: str) -> str:
    if all("@" in word for word in post.split()):
        return "."
    # Blanks and line breaks between the words stay as they are.
    return NOT_BLANK.sub(lambda word: word[0] if "@" in word[0] else "#" + word[0].lstrip("#"), post)


def _rows(posts: Sequence[str], abusive: Sequence[bool]) -> enumerate[tuple[str, bool]]:
    return enumerate(zip(posts, abusive, strict=True))
