"""An attack as a suite of its own, so that people can check its labels and it can be frozen as a release."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from accounts.models import User
from core.errors import BadInput, Missing
from core.permissions import require_maintainer
from core.text import _, in_english
from curation.cases.models import Origin
from curation.formats.values import CaseValue
from curation.models import Suite, TestCase
from evaluation.artefacts.suites import add_functionalities, make_suite, require_new_suite
from evaluation.attacks.algorithm.building import stream
from evaluation.attacks.algorithm.values import AttackPost, Name
from evaluation.attacks.sets import MANIFEST, Sets, open_sets, read_manifest, sets_of
from evaluation.models import Attack
from evaluation.registry.services import LABELS

TITLES: Mapping[Name, str] = {
    "quo": _("Abuse quoted in counter speech"),
    "flip": _("Abuse put in front of a harmless post"),
    "corr_aa": _("Abuse with harmless hashtags"),
    "corr_nn": _("Harmless with suspicious hashtags"),
    "ident_nn": _("Harmless with names of groups"),
}
# Of the functionalities in the catalogue, which is English.
DEFINITIONS: Mapping[Name, str] = {
    "quo": "An abusive post is quoted and objected to: no longer abusive.",
    "flip": "A harmless post follows an abusive one: abusive.",
    "corr_aa": "Hashtags that go with harmless posts are appended: still abusive.",
    "corr_nn": "Hashtags that go with abusive posts are appended: still harmless.",
    "ident_nn": "Names of groups are appended as hashtags: still harmless.",
}


@dataclass(frozen=True, slots=True)
class _Source:
    """What a suite is made of, and what is said about where it comes from."""

    sets: Sets
    language: str
    seed: int
    sha256: str
    title: str
    data: str
    key: str = ""  # of a stored attack


def find_attack(key: str) -> Attack:
    """Return the attack of that key. Refuses an unknown one and names the newest."""
    attack = Attack.objects.select_related("dataset").filter(key=key).first()
    if attack is None:
        known = list(Attack.objects.values_list("key", flat=True)[:20])
        if not known:
            raise Missing(_("There is no attack '%(key)s'. No attack is stored yet.", key=key))
        raise Missing(_("There is no attack '%(key)s'. Known: %(known)s.", key=key, known=known))
    return attack


@transaction.atomic
def as_suite(attack: Attack, *, key: str, name: str = "", sample: int | None = None, by: User | None) -> Suite:
    """A new suite with one functionality per attack, three raters, origin `attack`; at most `sample` posts of each.

    The sample is drawn by the attack's seed. Refuses people who are not maintainers and a key that is taken.
    """
    source = _Source(
        sets=sets_of(attack),
        language=attack.choices["language"],
        seed=attack.seed,
        sha256=attack.sha256,
        title=attack.title,
        data=f"“{attack.dataset}”",
        key=attack.key,
    )
    suite = _make_suite(source, key=key, name=name, sample=sample, by=by)
    attack.suites.add(suite)
    return suite


@transaction.atomic
def folder_as_suite(folder: Path, *, key: str, name: str = "", sample: int | None = None, by: User | None) -> Suite:
    """The same from the files of `attack build`. Refuses a folder without their manifest as well."""
    sets, manifest = open_sets(folder), read_manifest(folder)
    if manifest is None:
        raise BadInput(
            _(
                "%(folder)s has no %(file)s, which says how the sets were built. Run attack build again.",
                folder=str(folder),
                file=MANIFEST,
            )
        )
    source = _Source(
        sets=sets,
        language=manifest["parameters"]["language"],
        seed=manifest["seed"],
        sha256=manifest["sha256"],
        title=f"Attack on {manifest['test']['source']}, seed {manifest['seed']}",
        data=" and ".join(dict.fromkeys(manifest[part]["source"] for part in ("train", "test"))),
    )
    return _make_suite(source, key=key, name=name, sample=sample, by=by)


def _make_suite(source: _Source, *, key: str, name: str, sample: int | None, by: User | None) -> Suite:
    if by is not None:
        require_maintainer(by)
    require_new_suite(key)
    if sample is not None and sample < 1:
        raise BadInput(_("The sample needs at least one post of each attack."))
    with in_english():  # the catalogue is data
        named = [
            (f"aaa_{attack}", f"{title}", DEFINITIONS[attack], LABELS[attack not in ("flip", "corr_aa")])
            for attack, title in TITLES.items()
        ]
    add_functionalities("attacks", "Attacks from a developer's own data", 900, named)
    suite = make_suite(
        key,
        _cases(source, sample),
        name=name or source.title,
        description=f"Attacks built from {source.data} with seed {source.seed} (SHA-256 {source.sha256}).",
        labels=list(LABELS),
        by=by,
        source={"attack": source.key, "sample": sample},
    )
    provenance = {"attack": source.key, "seed": source.seed, "sha256": source.sha256}
    TestCase.objects.of(suite).update(origin=Origin.ATTACK, provenance=provenance)
    return suite


def _cases(source: _Source, sample: int | None) -> Iterator[CaseValue]:
    for name, attack_set in source.sets.items():
        if name not in TITLES:
            continue
        posts: list[AttackPost] = list(attack_set.posts)
        if sample is not None and sample < len(posts):
            posts = sorted(stream(source.seed, f"sample {name}").sample(posts, sample), key=lambda post: post.origin)
        for post in posts:
            yield CaseValue(
                key=f"{name}-{post.origin:05d}",
                language=source.language,
                functionality=f"aaa_{name}",
                text=post.text,
                label=LABELS[0] if post.abusive else LABELS[1],
            )
