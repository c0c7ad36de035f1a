"""A split as a release: test and independent part as cases; rows, JSONL files and evaluation card as annexes."""

import hashlib
from collections.abc import Iterator, Mapping

from django.db import transaction
from django.utils.text import slugify

from accounts.models import User
from core.errors import BadInput
from core.permissions import require_maintainer
from core.text import _
from curation.catalogue.models import Policy
from curation.formats.values import CaseValue
from curation.models import Functionality, Release, Suite, TestCase
from curation.publishing.annexes import Annex, AnnexDocument
from curation.publishing.values import ReleaseHead
from curation.releases.services import request_build, request_release
from evaluation.artefacts.errors import Unusable
from evaluation.artefacts.services import folder_of
from evaluation.artefacts.suites import add_functionalities, make_suite, require_new_suite
from evaluation.datasets.labelled_files import ABUSIVE_NAMES
from evaluation.models import Split
from evaluation.splits.options import SplitReleaseOptions
from evaluation.splits.services import data_of

CARD = "eval_card.md"
ANNEXES = {
    "indices.txt": "Rows of test and training part, counted from 0",
    "independent_indices.txt": "Rows of the independent part, counted from 0",
    "train.jsonl": "Training part in GenBench's form",
    "test.jsonl": "Test part in GenBench's form",
    "independent.jsonl": "Independent part in GenBench's form",
    CARD: "GenBench's evaluation card",
    "split.json": "How the split was made",
}
PARTS = {
    "test": "It lies where the training part has nothing, or was drawn like it: see the evaluation card.",
    "independent": "It was set aside at random before the split was made.",
}


@transaction.atomic
def request_split_release(
    split: Split, options: SplitReleaseOptions, *, by: User | None, build: bool = True
) -> Release:
    """Set down a release of the split, in a suite of its own made at the first time, and queue its building.

    Publishing is the next step, the same as for every release. Refuses people who are not maintainers, a split that is
    not built, a key or version that is taken, and a language the catalogue does not know.
    """
    if by is not None:
        require_maintainer(by)
    folder_of(split)
    suite = split.suite or _make_suite(split, options, by=by)
    if suite.key != options.key:
        raise BadInput(
            _("The split already has the suite '%(suite)s'. Publish its next version under that key.", suite=suite.key)
        )
    # What may be refused comes before the card is written: a file does not roll back.
    release = request_release(
        suite, options.version, by=by, title=suite.name, notes=f"The {split.method} split of “{split.dataset}”."
    )
    if options.card.strip():
        _write_card(split, options.card)
    _note_origin(split, suite)
    if build and by is not None:
        request_build(release, by=by)
    split.suite = suite
    return release


def annex_texts(split: Split) -> Iterator[tuple[str, str]]:
    """Yield name and text of every file a release of the split takes along.

    Refuses files that are not what was written when the split was built.
    """
    folder, known = folder_of(split), split.report.get("checksums", {})
    for name in ANNEXES:
        path = folder / name
        if not path.is_file():
            if name in known:
                sentence = _(
                    "“%(title)s” has lost its file %(file)s. Restore it from the backup.", title=split.title, file=name
                )
                raise Unusable(sentence, now=f"without its file {name}", wanted="released")
            continue
        content = path.read_bytes()
        if known.get(name, _sha256(content)) != _sha256(content):
            sentence = _(
                "The file %(file)s of “%(title)s” has changed on disk. Restore it from the backup.",
                title=split.title,
                file=name,
            )
            raise Unusable(sentence, now=f"changed on disk ({name})", wanted="released")
        yield name, content.decode("utf-8")


def _make_suite(split: Split, options: SplitReleaseOptions, *, by: User | None) -> Suite:
    require_new_suite(options.key)
    code = options.language or split.dataset.language
    if not code:
        raise BadInput(_("The language of the texts is not known. Choose it."))
    # The first label is the positive one.
    labels = sorted(split.dataset.labels, key=lambda label: (label.lower() not in ABUSIVE_NAMES, label))
    functionalities = {(part, label): _functionality(part, label).key for part in PARTS for label in labels}
    suite = make_suite(
        options.key,
        _cases(split, code, functionalities),
        name=options.name or split.title,
        description=(
            f"The {split.method} split of “{split.dataset}”, seed {split.seed}: its test part"
            f"{' and the part set aside before' if split.indices['independent'] else ''}. Training part, rows and "
            "evaluation card are among the annexes."
        ),
        licence=options.licence,
        labels=labels,
        policy=Policy.MARK,  # a split is complete: leaving cases out would change its class counts
        by=by,
        source={"split": split.key},
    )
    Split.objects.filter(pk=split.pk).update(suite=suite)
    return suite


def _note_origin(split: Split, suite: Suite) -> None:
    """Say on every case where it comes from; through this the checksum of a release covers the files of the split."""
    files = "".join(f"{_sha256(text.encode())}  {name}\n" for name, text in annex_texts(split))
    TestCase.objects.of(suite).update(
        provenance={
            "split": split.method,
            "seed": split.seed,
            "dataset_sha256": split.dataset.sha256,
            "indices_sha256": split.sha256,
            "files_sha256": _sha256(files.encode()),
        }
    )


def _write_card(split: Split, card: str) -> None:
    content = ("\n".join(card.strip().splitlines()) + "\n").encode()
    checksums = {**split.report.get("checksums", {}), CARD: _sha256(content)}
    (folder_of(split) / CARD).write_bytes(content)
    split.report = {**split.report, "checksums": checksums}
    split.save(update_fields=["report"])


def _functionality(part: str, label: str) -> Functionality:
    """Return one functionality per part and label, because the gold label is the functionality's."""
    stem = f"split_{part}_{slugify(label).replace('-', '_') or 'label'}"[:70]
    title = f"{part.capitalize()} part, {label}"
    number = 1
    while True:  # "Hate" and "hate" of two data sets are two labels
        key = stem if number == 1 else f"{stem}_{number}"
        [found] = add_functionalities("splits", "Parts of a data set", 910, [(key, title, PARTS[part], label)])
        if found.gold_label == label:
            return found
        number += 1


def _cases(split: Split, language: str, functionalities: Mapping[tuple[str, str], str]) -> Iterator[CaseValue]:
    data = data_of(split)
    for part in PARTS:
        for row in sorted(split.indices[part]):
            yield CaseValue(
                key=f"{part}-{row:06d}",
                language=language,
                functionality=functionalities[part, data.labels[row]],
                text=data.texts[row],
                label=data.labels[row],
                extra=(("row", str(row)), ("part", part)),
            )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def split_annexes(head: ReleaseHead) -> Iterator[Annex]:
    """Rows, JSONL in GenBench's form and the evaluation card, where the suite is a split."""
    split = Split.objects.filter(suite__key=head.suite).first()
    if split is not None:
        for name, text in annex_texts(split):
            yield AnnexDocument(f"split/{name}", ANNEXES[name], text)
