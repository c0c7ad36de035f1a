"""Attacks with a memory: requested, built in the background, and made into suites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_maintainer
from core.text import _
from evaluation import file_store
from evaluation.artefacts.errors import Unusable
from evaluation.artefacts.services import give_job
from evaluation.attacks import recipes as attack_recipes
from evaluation.attacks import sets as attack_sets
from evaluation.attacks.algorithm.parameters import AttackParameters
from evaluation.attacks.algorithm.quotations import our_file
from evaluation.attacks.options import AttackOptions
from evaluation.attacks.sets import Progress
from evaluation.datasets.files.parts import PART_TITLES
from evaluation.datasets.labelled_files import find_abusive, part_or_all
from evaluation.datasets.services import open_dataset
from evaluation.models import Attack, Dataset


@transaction.atomic
def request_attack(dataset: Dataset, options: AttackOptions, *, by: User | None, ring_now: bool = True) -> Attack:
    """Queue the building of an attack.

    Refuses people who are not maintainers, labels the data does not have, data without a training and a test part of
    both classes, and recipes nothing can be built from.
    """
    if by is not None:
        require_maintainer(by)
    seed = options.seed
    labels = find_abusive(dataset.labels, options.abusive)
    _require_both_classes(dataset, labels)
    templates_file, templates_name = _keep(options.templates, "quotations")
    lexicon_file, lexicon_name = _keep(options.lexicon, "lexicons")
    choices: dict[str, Any] = {
        "abusive": list(labels),
        "language": options.language or dataset.language or "en",
        "rules": options.rules,
        "templates_file": templates_file,
        "lexicon_file": lexicon_file,
        "templates_name": templates_name,
        "lexicon_name": lexicon_name,
        "identifiers": list(options.identifiers),
        **{name: getattr(options, name) for name in attack_recipes.NUMBERS},
    }
    recipe_of(choices, seed=seed)  # what cannot be built is refused at the door
    if not templates_file:  # ours may change with a later version; the attack is built again from those of today
        choices["templates_file"] = file_store.keep_file(our_file(choices["language"]), "quotations")[0]
    title = options.title.strip() or f"{dataset}, seed {seed}"[:160]
    attack = Attack.objects.create(dataset=dataset, title=title, seed=seed, choices=choices, created_by=by)
    job = _("Build the attack “%(title)s”", title=attack.title)
    give_job(attack, "evaluation.build_attack", title=job, by=by, ring_now=ring_now)
    return attack


def _keep(file: Path | UploadedFile[Any] | None, kind: str) -> tuple[str, str]:
    """Store a file of a recipe; returns its name below the uploads and what its owner calls it."""
    return (file_store.keep_file(file, kind)[0], file.name or "") if file else ("", "")


def _require_both_classes(dataset: Dataset, abusive: Sequence[str]) -> None:
    for part in ("train", "test"):
        found = dataset.counts.get(part)
        if not found:
            raise BadInput(
                _(
                    "The data set '%(dataset)s' does not tell its training part from its test part. Import it again "
                    "with its split column, or with one file per part.",
                    dataset=str(dataset),
                )
            )
        hostile = sum(found.get(label, 0) for label in abusive)
        if hostile in (0, sum(found.values())):
            found = {"part": PART_TITLES[part], "dataset": str(dataset)}
            if hostile:
                raise BadInput(
                    _(
                        "'%(dataset)s' has only abusive posts in the part “%(part)s”. An attack needs both kinds.",
                        **found,
                    )
                )
            raise BadInput(
                _("'%(dataset)s' has only harmless posts in the part “%(part)s”. An attack needs both kinds.", **found)
            )


def recipe_of(choices: Mapping[str, Any], *, seed: int) -> AttackParameters:
    """The recipe behind the choices of an attack; templates and lexicon are read from where they are stored."""
    templates, lexicon = _stored_as(choices, "templates"), _stored_as(choices, "lexicon")
    return attack_recipes.make_recipe(
        seed=seed,
        language=choices["language"],
        rules=choices["rules"],
        templates=attack_recipes.read_templates(templates[0], called=templates[1]) if templates else None,
        lexicon=attack_recipes.read_lexicon(lexicon[0], called=lexicon[1]) if lexicon else frozenset(),
        identifiers=tuple(choices.get("identifiers", ())),
        **{name: choices[name] for name in attack_recipes.NUMBERS if name in choices},
    )


def _stored_as(choices: Mapping[str, Any], kind: str) -> tuple[Path, str] | None:
    """Where a file of the recipe is stored, and what its owner calls it; None where there is none."""
    stored = choices.get(f"{kind}_file", "")
    return (file_store.path_of(stored), choices.get(f"{kind}_name", "")) if stored else None


def sets_with_seed(attack: Attack, seed: int) -> attack_sets.Sets:
    """Return the sets of an attack as another seed makes them."""
    data = open_dataset(attack.dataset)
    return attack_sets.build_sets(
        part_or_all(data, "train"),
        part_or_all(data, "test"),
        abusive=tuple(attack.choices["abusive"]),
        parameters=recipe_of(attack.choices, seed=seed),
    )[0]


def build_attack(attack: Attack, *, progress: Progress | None = None) -> Attack:
    """Build the sets and keep them. Again, it gives the same bytes; a data set that changed is refused."""
    data = open_dataset(attack.dataset)
    train, test = part_or_all(data, "train"), part_or_all(data, "test")
    abusive = tuple(attack.choices["abusive"])
    recipe = recipe_of(attack.choices, seed=attack.seed)
    sets, words = attack_sets.build_sets(train, test, abusive=abusive, parameters=recipe, progress=progress)
    manifest = attack_sets.describe_sets(sets, words, train=train, test=test, abusive=abusive, parameters=recipe)
    if attack.sha256 and attack.sha256 != manifest["sha256"]:
        sentence = _(
            "Building “%(title)s” again gives other files than before: its data, its templates or the software "
            "changed. Build a new attack.",
            title=attack.title,
        )
        raise Unusable(sentence, now="built with other bytes", wanted="built again")
    attack_sets.write_folder(sets, manifest, file_store.fresh_folder("attacks", attack.key))
    if not attack.sha256:
        with transaction.atomic():
            attack.manifest, attack.sha256 = manifest, manifest["sha256"]
            attack.save(update_fields=["manifest", "sha256"])
            audit.record(attack.created_by, Action.ATTACK_BUILT, attack, seed=attack.seed, sha256=attack.sha256)
    return attack
