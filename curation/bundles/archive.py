"""The archive of a bundle: one file of JSON lines per part, and a list of them with checksums. Pure."""

import hashlib
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.tables.problems import Problem
from core.text import _
from curation.bundles.rows import FORMAT, VERSION, Row

CONTENTS = "bundle.json"
FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)  # the same rows give the same archive
MOST_BYTES = 2 * 2**30
MOST_FILES = 100
MOST_PROBLEMS = 200
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, NotImplementedError)


def line_of(row: Row) -> bytes:
    """Return a row as its line."""
    return json.dumps(row.written(), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def write_archive(path: Path, suite: str, parts: Iterable[tuple[str, Iterable[Row]]]) -> dict[str, int]:
    """Write files of rows into an archive; return how many rows each has. Rows are streamed."""
    counts: dict[str, int] = {}
    files: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in parts:
            digest, count = hashlib.sha256(), 0
            member = zipfile.ZipInfo(name, FIRST_DAY_OF_ZIP)
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as out:
                for row in rows:
                    line = line_of(row)
                    digest.update(line)
                    out.write(line)
                    count += 1
            counts[name] = count
            files[name] = {"rows": count, "sha256": digest.hexdigest()}
        contents = {"format": FORMAT, "version": VERSION, "suite": suite, "files": files}
        text = json.dumps(contents, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        archive.writestr(zipfile.ZipInfo(CONTENTS, FIRST_DAY_OF_ZIP), text.encode(), zipfile.ZIP_DEFLATED)
    return counts


def is_bundle(path: Path) -> bool:
    """Tell whether a file is the archive of a bundle."""
    try:
        with zipfile.ZipFile(path) as archive:
            return CONTENTS in archive.namelist()
    except (*DAMAGED, OSError):
        return False


def read_archive(path: Path, models: Mapping[str, type[Row]]) -> tuple[str, dict[str, list[Row]], list[Problem]]:
    """Return the suite's key, the rows by file, and every problem with file, row, field and fix. Raises nothing."""
    problems: list[Problem] = []
    try:
        with zipfile.ZipFile(path) as archive:
            contents = _contents(archive, problems)
            if problems:
                return "", {}, problems
            rows = {
                name: list(_rows(archive, name, facts, models[name], problems))
                for name, facts in contents["files"].items()
                if name in models
            }
            _note_unknown(contents["files"], models, problems)
    except (*DAMAGED, OSError) as error:
        told = _("it is damaged or no zip archive (%(error)s)", error=str(error))
        return "", {}, [Problem(path.name, None, None, told, _("Export the bundle again."))]
    return str(contents["suite"]), rows, problems


def _contents(archive: zipfile.ZipFile, problems: list[Problem]) -> dict[str, Any]:
    members = archive.infolist()
    if len(members) > MOST_FILES or sum(member.file_size for member in members) > MOST_BYTES:
        problems.append(Problem(CONTENTS, None, None, _("the archive is too large"), _("Export fewer languages.")))
        return {}
    try:
        found = json.loads(archive.read(CONTENTS))
        is_ours = found["format"] == FORMAT and isinstance(found["files"], dict) and isinstance(found["suite"], str)
        version = int(found["version"])
    except (KeyError, TypeError, ValueError, RecursionError):
        is_ours, version, found = False, 0, {}
    if not is_ours:
        problems.append(
            Problem(CONTENTS, None, None, _("this is no bundle of a suite"), _("Choose an archive made by “Export”."))
        )
    elif version > VERSION:
        told = _("the bundle has version %(its)s, and this instance knows %(ours)s", its=version, ours=VERSION)
        problems.append(Problem(CONTENTS, None, "version", told, _("Update this instance.")))
    return dict(found)


def _rows(archive: zipfile.ZipFile, name: str, facts: Any, model: type[Row], problems: list[Problem]) -> Iterator[Row]:
    digest = hashlib.sha256()
    try:
        member = archive.open(name)
    except KeyError:
        problems.append(Problem(name, None, None, _("the file is missing"), _("Export the bundle again.")))
        return
    with member:
        for number, line in enumerate(member, 1):
            digest.update(line)
            if len(problems) >= MOST_PROBLEMS:
                return
            try:
                yield model.model_validate_json(line)
            except ValidationError as error:
                problems.extend(_located(name, number, error))
    if not isinstance(facts, dict) or facts.get("sha256") != digest.hexdigest():
        told = _("the content is not what the list of files says")
        fix = _("Export the bundle again, or correct its checksum in %(file)s if you changed it.", file=CONTENTS)
        problems.append(Problem(name, None, None, told, fix, severity="warning"))


def _located(name: str, number: int, error: ValidationError) -> Iterator[Problem]:
    for found in error.errors(include_url=False, include_input=False)[:5]:
        place = ".".join(str(part) for part in found["loc"]) or None
        yield Problem(name, number, place, found["msg"], _("Correct this field; docs/bundles.md lists all fields."))


def _note_unknown(files: Iterable[str], models: Mapping[str, type[Row]], problems: list[Problem]) -> None:
    for name in sorted(set(files) - set(models)):
        told = _("this instance does not know the file")
        problems.append(Problem(name, None, None, told, _("It is skipped. Update this instance."), severity="warning"))


def schema(models: Sequence[tuple[str, type[Row]]]) -> dict[str, Any]:
    """Return the JSON Schema of the rows of each file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FORMAT} {VERSION}",
        "description": "Each file of a bundle holds one JSON object per line; its schema stands under the file's name.",
        "files": {name: model.model_json_schema() for name, model in models},
    }
