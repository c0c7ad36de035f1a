"""`touchstone suites`, `get`, `index` and `push`: what is published elsewhere, and results on their way back."""

import argparse
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.inference.errors import InferenceError
from core.inference.transfers import send_json
from core.progress import Progress
from curation.indexes.resolving import Consulted, Registry
from curation.indexes.writing import write_index
from curation.publishing.errors import PublishingError
from evaluation.reports.submission import SubmissionRefused, make_submission
from touchstone.errors import Refused
from touchstone.registry import consult, fetch_release, is_reference, known_addresses, registry, tell_on_stderr

TOKEN = "TOUCHSTONE_TOKEN"  # noqa: S105  (the name of the variable)
LARGEST_ANSWER = 2_000_000
PUSH = "/api/v1/results/push/"


def suites(options: argparse.Namespace) -> str:
    """List the releases that indexes name."""
    found = registry()
    if options.forget:
        if not options.url or not found.indexes.forget(options.url):
            raise Refused("Name an index that is known. See them with: touchstone suites")
        return f"{options.url} and its key are forgotten."
    addresses = [options.url] if options.url else known_addresses(found)
    if not addresses:
        raise Refused(
            "No index is known yet. Name one: touchstone suites https://HOST (an instance, or a folder on a web "
            "server), hf:OWNER/DATASET, or the path of a folder."
        )
    consulted = consult(found, addresses, public_key=options.public_key, tell=tell_on_stderr)
    if options.json:
        return json.dumps({"indexes": [_as_json(one, found) for one in consulted]}, ensure_ascii=False)
    return "\n\n".join(_as_text(one, found) for one in consulted)


def _as_json(one: Consulted, found: Registry) -> dict[str, Any]:
    rows = []
    for entry in one.index.releases:
        names = ("suite", "version", "title", "licence", "cases", "published", "sha256", "withdrawn")
        row = {name: getattr(entry, name) for name in names}
        is_kept = found.releases.has(entry)
        rows.append({"release": entry.reference, **row, "languages": list(entry.languages), "is_kept": is_kept})
    head = {"address": one.address, "name": one.index.name, "updated": one.index.updated, "fetched_at": one.fetched_at}
    return {**head, "public_key": one.index.public_key, "is_old_copy": bool(one.trouble), "releases": rows}


def _as_text(one: Consulted, found: Registry) -> str:
    signed = f"signed with {one.index.public_key}" if one.index.public_key else "not signed"
    lines = [f"{one.index.name} ({one.address}), {signed}"]
    if not one.index.releases:
        return "\n".join([*lines, "  No public release yet."])
    rows = [("RELEASE", "LANGUAGES", "CASES", "LICENCE", "PUBLISHED", "SHA256", "")]
    for entry in one.index.releases:
        languages = ", ".join(entry.languages[:4]) + (" …" if len(entry.languages) > 4 else "")
        notes = ["withdrawn"] if entry.withdrawn else []
        notes += ["here"] if found.releases.has(entry) else []
        facts = (f"{entry.cases:,}", entry.licence, entry.published, entry.sha256[:12], ", ".join(notes))
        rows.append((entry.reference, languages, *facts))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.rjust(width) if n == 2 else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "  ".join(cells).rstrip())
    return "\n".join(lines)


def get(options: argparse.Namespace) -> str:
    """Fetch a release once, verify it, and say where it is."""
    if not is_reference(options.release):
        raise Refused(f"'{options.release}' is no release. Write SUITE@VERSION; see them with: touchstone suites")
    shown = Progress()
    try:
        folder = fetch_release(
            options.release,
            source=options.source,
            public_key=options.public_key,
            tell=tell_on_stderr,
            progress=shown.show,
        )
    finally:
        shown.finish()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    facts = {
        "release": options.release,
        "sha256": manifest["sha256"],
        "cases": manifest["cases"],
        "folder": str(folder),
    }
    if options.json:
        return json.dumps(facts, ensure_ascii=False)
    return f"{options.release} is verified: {manifest['cases']:,} cases, sha256 {manifest['sha256']}.\n{folder}"


def index(options: argparse.Namespace) -> str:
    """Write the index of a folder of exported releases."""
    key_file = options.key or os.environ.get("SIGNING_KEY_FILE", "")
    try:
        secret = Path(key_file).read_bytes() if key_file else None
        release_key = options.release_key.read_text(encoding="utf-8") if options.release_key else ""
        written = write_index(options.folder, name=options.name, secret=secret, release_key=release_key)
    except PublishingError as error:
        raise Refused(str(error.sentence)) from error
    except OSError as error:
        raise Refused(f"{error.filename}: {error.strerror}. Check the path and its permissions.") from error
    references = [entry.reference for entry in written.index.releases]
    if options.json:
        return json.dumps({"file": str(written.file), "releases": references, "is_signed": bool(secret)})
    signed = "signed" if secret else "not signed: name a key with --key"
    return f"{written.file} lists {', '.join(references)} ({signed}). Serve the folder with any web server."


def push(options: argparse.Namespace) -> str:
    """Hand a sealed result to an instance."""
    token = os.environ.get(TOKEN, "")
    if not token:
        raise Refused(
            f"Set the environment variable {TOKEN} to an API token with the scope 'write'. You make one on the page "
            "API tokens of the instance; the role of evaluator is enough."
        )
    address = options.to.rstrip("/")
    try:
        result = json.loads(options.result.read_text(encoding="utf-8"))
        body = make_submission(result, name=options.name, with_predictions=not options.without_predictions)
    except OSError as error:
        raise Refused(f"{options.result} cannot be read: {error.strerror}.") from error
    except SubmissionRefused as error:
        raise Refused(f"{options.result}: {error.sentence}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f"{options.result} is not a result of Touchstone, or it is damaged ({error}).") from error
    try:
        status, answer = send_json(
            address + PUSH,
            body,
            headers={"Authorization": f"Bearer {token}"},
            allow_url=lambda url: url.startswith(("http://", "https://")),
            largest=LARGEST_ANSWER,
        )
    except InferenceError as error:
        raise Refused(str(error.sentence)) from error
    if status not in (200, 201) or not isinstance(answer, Mapping):
        said = answer.get("title", "") if isinstance(answer, Mapping) else ""
        raise Refused(
            f"{address} did not take the result (HTTP {status}). {said or 'It is no instance of Touchstone.'}"
        )
    if options.json:
        return json.dumps(answer, ensure_ascii=False)
    return _told(answer, address)


def _told(answer: Mapping[str, Any], address: str) -> str:
    kind = "recomputed there from its predictions" if answer["source"] == "recomputed" else "marked as self-reported"
    lines = [f"{answer['model']} on {answer['release']} is at {address}, {kind}."]
    lines += [f"Where the instance measures something else: {each}" for each in answer.get("differences", ())]
    if not answer.get("is_public", True):
        lines.append("A maintainer hid the results of this model from the leaderboard.")
    return "\n".join([*lines, answer["leaderboard"]])
