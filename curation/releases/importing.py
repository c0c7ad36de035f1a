"""Bring a release that another instance published into this one, sealed as it was."""

import csv
import json
import shutil
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.batches import in_batches
from core.bulk import insert_rows
from core.errors import BadInput
from core.permissions import require_maintainer
from core.states import move
from core.tables.cells import restore
from core.text import _
from curation.catalogue.group_names import GROUPS as GROUPS_FACT
from curation.catalogue.loading import find_groups, load_catalogue
from curation.catalogue.suites import require_suite_key
from curation.importing.uploads import unpack
from curation.models import Language, Release, ReleaseCase, ReleaseExclusion, Suite
from curation.morphology.identity import text_hash
from curation.publishing.annexes import AnnexDocument, AnnexTable
from curation.publishing.blocks import Block, values_of
from curation.publishing.errors import PublishingError
from curation.publishing.identity import about_identity
from curation.publishing.manifest import FILE_NAME, SIGNATURE_NAME
from curation.publishing.readers import READERS
from curation.publishing.values import FrozenCase
from curation.publishing.verify import verify_folder
from curation.releases.annexes import LEXICON, TEMPLATES, store_annex
from curation.releases.building import AT_ONCE, CASE_FIELDS, EXCLUSION_FIELDS, drop_contents
from curation.releases.catalogue_annexes import FUNCTIONALITIES, GROUPS
from curation.releases.frozen import IMPORTED, stored_columns
from curation.releases.models import Access, ReleaseState
from curation.releases.sealing import ABOUT_IDENTITY, RECORD, SEAL, annex_digests, identity_digest, record_digests
from curation.releases.verifying import verify_release
from curation.states import RELEASE_MOVES

DOCUMENTS = ("DATA_STATEMENT.md", "DATASHEET.md")
ANNEXES = {"lexicon": LEXICON, "templates": TEMPLATES, "functionalities": FUNCTIONALITIES, "groups": GROUPS}
MEANINGS = {name: dict(columns) for name, columns in ANNEXES.items()}
HEAD = ("title", "description", "licence", "authors", "labels", "raters", "url", "doi")
CSV_FIELD = 10**9


def import_release(
    path: Path, *, access: str = Access.PRIVATE, public_key: str = "", sha256: str = "", by: User | None = None
) -> Release:
    """Read an exported folder or zip and publish it here, with the checksum, labels and documents it had.

    Importing it again changes nothing. Refuses what is not intact, a wrong checksum or signature, and a version that
    this instance knows with another checksum.
    """
    if by is not None:
        require_maintainer(by)
    with tempfile.TemporaryDirectory() as work:
        folder = _folder_of(path, Path(work))
        manifest = _checked_manifest(folder, public_key=public_key, sha256=sha256)
        head = manifest["release"]
        known = Release.objects.by_key(f"{head['suite']}@{head['version']}").select_related("suite").first()
        if known is not None:
            if known.state == ReleaseState.PUBLISHED and known.sha256 == manifest["sha256"]:
                return known
            raise BadInput(
                _(
                    "%(release)s exists here already with other content. Delete or rename that one first.",
                    release=known.key,
                )
            )
        release = _begin(head, access=access, by=by)
        try:
            _fill(release, folder, manifest, public_key=public_key, by=by)
        except BaseException:
            with transaction.atomic():
                drop_contents(release)
                Release.objects.filter(pk=release.pk).exclude(state=ReleaseState.PUBLISHED).delete()
            raise
    return release


def _folder_of(path: Path, work: Path) -> Path:
    """Return the folder of the release. Refuses what is neither such a folder nor a zip archive of one."""
    if path.is_file() and zipfile.is_zipfile(path):
        copy = work / "release.zip"
        shutil.copyfile(path, copy)
        path = unpack(copy, work / "content")
    if not (path / FILE_NAME).is_file():
        raise BadInput(
            _(
                "'%(path)s' is not an exported release: it has no %(manifest)s. Give the folder or zip file of one.",
                path=path.name, manifest=FILE_NAME,
            )
        )  # fmt: skip
    return path


def _checked_manifest(folder: Path, *, public_key: str, sha256: str) -> dict[str, Any]:
    try:
        found = verify_folder(folder, public_key=public_key, expected_sha256=sha256)
    except PublishingError as error:
        raise BadInput(_("The release is not intact: %(problem)s", problem=error.sentence)) from error
    if found.findings:
        problems = [
            {"file": one.file, "row": None, "column": one.field or None, "problem": one.sentence, "severity": "error"}
            for one in found.findings
        ]
        raise BadInput(
            _("The release is not intact: %(problem)s", problem=found.findings[0].sentence), problems=problems
        )
    manifest: dict[str, Any] = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
    require_suite_key(str(manifest["release"]["suite"]))
    return manifest


@transaction.atomic
def _begin(head: dict[str, Any], *, access: str, by: User | None) -> Release:
    """Set the release down as a draft, with a suite that has no cases where there is none of that key."""
    load_catalogue()  # what languages and groups are called
    facts = {
        "name": head["title"], "description": head["description"], "licence": head["licence"],
        "authors": head["authors"], "labels": head["labels"], "raters": head["raters"] or 1,
        "threshold": min(head["min_agree"] or 0, head["raters"] or 1), "policy": head["policy"], "created_by": by,
    }  # fmt: skip
    suite, _is_new = Suite.objects.get_or_create(key=head["suite"], defaults=facts)
    release = Release.objects.create(
        suite=suite,
        version=head["version"],
        title=head["title"],
        policy=head["policy"],
        min_agree=head["min_agree"] or 0,  # a release that was made without an instance asks for none
        cascade=head["cascade"],
        without_labels=head.get("without_labels") or "",
        access=access,
        created_by=by,
    )
    move(release, ReleaseState.BUILDING, RELEASE_MOVES, built_at=timezone.now())
    return release


def _fill(release: Release, folder: Path, manifest: dict[str, Any], *, public_key: str, by: User | None) -> None:
    """Copy cases some thousand at a time, then everything beside them, and publish."""
    csv.field_size_limit(CSV_FIELD)
    about = about_identity((case for case, _sha in _cases(folder)), _template_texts(folder))
    position, targets, codes = 0, defaultdict[str, set[str]](set), set[str]()
    for some in in_batches(_cases(folder), AT_ONCE):
        with transaction.atomic():
            insert_rows(ReleaseCase, CASE_FIELDS, _rows(release, position, some, about))
        position += len(some)
        for case, _sha in some:
            codes.add(case.language)
            targets[case.language].update(case.targets)
    with transaction.atomic():
        insert_rows(ReleaseExclusion, EXCLUSION_FIELDS, _exclusions(release, folder))
        _store_annexes(release, folder)
        found = Language.objects.filter(code__in=codes)
        release.suite.languages.add(*found)
        facts = _facts(folder, manifest, public_key=public_key)
        facts["languages"] = {language.code: f"{language.name}, {language.bcp47}" for language in found}
        facts[GROUPS_FACT] = _group_names(targets)
        Release.objects.filter(pk=release.pk).update(facts=facts)
        release.refresh_from_db()
        facts[SEAL] = {"annexes": annex_digests(release), ABOUT_IDENTITY: identity_digest(release)}
        _require_same_annexes(manifest, facts[SEAL]["annexes"])
        move(release, ReleaseState.CANDIDATE, RELEASE_MOVES, sha256=manifest["sha256"], facts=facts)
        new = {"published_at": datetime.fromisoformat(manifest["release"]["created"]).replace(tzinfo=UTC)}
        facts[SEAL]["record"] = record_digests({name: getattr(release, name) for name in RECORD} | new)
        move(release, ReleaseState.PUBLISHED, RELEASE_MOVES, published_by=by, facts=facts, **new)
        if not (checked := verify_release(release)).is_intact:
            raise BadInput(_("The release is not intact: %(problem)s", problem=checked.difference))
        audit.record(by, Action.RELEASE_PUBLISHED, release, sha256=release.sha256, imported=True)


def _cases(folder: Path) -> Iterator[tuple[FrozenCase, str]]:
    return READERS["cases.csv"](folder / "cases.csv")


def _rows(
    release: Release, start: int, some: Sequence[tuple[FrozenCase, str]], about: set[str]
) -> Iterator[tuple[Any, ...]]:
    block = Block.of_rows(values_of(case) for case, _sha in some)
    count = len(some)
    flags = [case.key in about for case, _sha in some]
    hashes = map(text_hash, block["text"])
    places = range(start, start + count)
    checksums = [sha256 for _case, sha256 in some]
    return zip([release.pk] * count, places, *stored_columns(block), hashes, checksums, flags, strict=True)


def _table(path: Path) -> Iterator[list[str]]:
    """Yield the header and rows of a table of a release, with defused cells restored."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            yield [restore(cell) for cell in row]


def _template_texts(folder: Path) -> dict[tuple[str, str], list[str]]:
    path = folder / "annexes" / "templates.csv"
    texts: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    if path.is_file():
        header, *rows = _table(path)
        language, key, text = (header.index(name) for name in ("language", "template", "text"))
        for row in rows:
            texts[row[language], row[key]].append(row[text])
    return texts


def _exclusions(release: Release, folder: Path) -> Iterator[tuple[Any, ...]]:
    path = folder / "annexes" / "excluded.csv"
    if not path.is_file():
        return
    rows = _table(path)
    next(rows)
    for *cells, labels in rows:
        yield (release.pk, *cells, json.loads(labels))


def _store_annexes(release: Release, folder: Path) -> None:
    """Keep tables and documents of the release as they are; cases left out have a table of their own."""
    base = folder / "annexes"
    if not base.is_dir():
        return
    for path in sorted(path for path in base.rglob("*") if path.is_file()):
        name = path.relative_to(base).as_posix()
        if name == "excluded.csv":
            continue
        if not name.endswith(".csv"):
            store_annex(release, AnnexDocument(name, name, path.read_bytes().decode("utf-8")))
            continue
        rows = _table(path)
        header = next(rows, [])
        known = MEANINGS.get(path.stem, {})
        columns = tuple((column, known.get(column, "")) for column in header)
        store_annex(release, AnnexTable(path.stem, path.stem, columns, rows))


def _facts(folder: Path, manifest: dict[str, Any], *, public_key: str) -> dict[str, Any]:
    """Return what the release says about itself here: what it said where it was published, and where it is from."""
    head = manifest["release"]
    labelling = manifest.get("labelling") or {}
    facts = {
        "included": manifest["cases"],
        "excluded": sum((manifest.get("excluded_by_reason") or {}).values()),
        "excluded_by_reason": manifest.get("excluded_by_reason") or {},
        "statistics": json.loads((folder / "statistics.json").read_text(encoding="utf-8")),
        "annotation": {"agreement": manifest.get("agreement") or []},
        "head": {name: head[name] for name in HEAD if name in head},
        "warnings": [],
        IMPORTED: {
            "at": timezone.now().isoformat(),
            "generator": manifest.get("generator", ""),
            "is_signed": (folder / SIGNATURE_NAME).is_file(),
            "signature_checked": bool(public_key),
            "documents": {name: (folder / name).read_text(encoding="utf-8") for name in DOCUMENTS},
        },
    }
    if labelling:
        facts |= {"labelling": labelling, "unlabelled": labelling.get("never_labelled", 0)}
    for name in ("decision", "published_despite"):
        if manifest.get(name):
            facts[name] = manifest[name]
    return facts


def _group_names(targets: dict[str, set[str]]) -> dict[str, dict[str, list[str]]]:
    """Return the protected groups behind the targets, by the spellings that the catalogue knows."""
    groups = find_groups({name for names in targets.values() for name in names})
    spelt = {
        code: {name: [groups[name].name] for name in sorted(names) if name in groups and groups[name].name != name}
        for code, names in sorted(targets.items())
    }
    return {code: names for code, names in spelt.items() if names}


def _require_same_annexes(manifest: dict[str, Any], digests: dict[str, str]) -> None:
    """Refuse to publish where what was stored is not, byte for byte, what was read."""
    begins = "annexes/"
    published = {
        entry["path"].removeprefix(begins): entry["sha256"]
        for entry in manifest["files"]
        if entry["path"].startswith(begins)
    }
    if wrong := sorted(name for name in {*published, *digests} if published.get(name) != digests.get(name)):
        raise BadInput(_("annexes/%(name)s cannot be stored as it was published.", name=wrong[0]))
