"""Bring a labelled data set into the platform: one file, a file per part, or a file with lists of ids."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from accounts.models import User
from curation.commands import DomainCommand
from curation.errors import BadInput, Missing
from evaluation.datasets.parts import read_ids
from evaluation.services.dataset_parts import joined_file, marked_file
from evaluation.services.datasets import Mapped, import_dataset, parse_label_map

PARTS = ("train", "dev", "test")


class Command(DomainCommand):
    help = "Import labelled posts for attacks, splits and training. They stay private."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("title")
        parser.add_argument("--path", metavar="FILE", help="one file with all rows")
        for part in PARTS:
            parser.add_argument(f"--{part}", metavar="FILE", help=f"a file with the {part} rows")
            parser.add_argument(f"--{part}-ids", metavar="FILE", help=f"ids of the {part} rows of --path, one per line")
        parser.add_argument("--language", default="", metavar="CODE")
        parser.add_argument("--owner", metavar="EMAIL", help="whose it is; without, only maintainers see it")
        for role in ("text", "label", "split", "id"):
            parser.add_argument(f"--{role}-column", default="")
        parser.add_argument("--extra-columns", nargs="*", default=[], metavar="COLUMN")
        parser.add_argument("--map", nargs="+", default=[], metavar="LABEL=MEANING", help="rename or collapse labels")

    def perform(self, **options: Any) -> dict[str, Any]:
        columns = {f"{role}_column": options[f"{role}_column"] for role in ("text", "label", "split", "id")}
        mapped = Mapped(
            **columns,
            extra_columns=tuple(options["extra_columns"]),
            label_map=parse_label_map("\n".join(options["map"])),
        )
        owner = _owner(options["owner"])
        with self._file(mapped, options) as path:
            # A joined file has plain columns and its labels are mapped already.
            read = (
                mapped if path == Path(options["path"] or "") else replace(Mapped(), extra_columns=mapped.extra_columns)
            )
            dataset = import_dataset(path, title=options["title"], by=owner, language=options["language"], mapped=read)
        return {
            "dataset": dataset.key,
            "title": dataset.title,
            "labels": dataset.labels,
            "counts": dataset.counts,
            "rows": sum(sum(found.values()) for found in dataset.counts.values()),
            "columns": dataset.mapping["columns"],
            "sha256": dataset.sha256,
            "notes": dataset.mapping["notes"],
        }

    def _file(self, mapped: Mapped, options: dict[str, Any]) -> AbstractContextManager[Path]:
        files = {part: Path(options[part]) for part in PARTS if options[part]}
        lists = {part: options[f"{part}_ids"] for part in PARTS if options[f"{part}_ids"]}
        name = options["title"]
        if bool(files) == bool(options["path"]) or (lists and not options["path"]):
            raise BadInput("Give --path FILE (with or without lists of ids), or --train FILE, --dev FILE, --test FILE.")
        if files:
            return joined_file(files, mapped, name=name)
        if lists:
            ids = {part: read_ids(file) for part, file in lists.items() if _exists(file)}
            return marked_file(Path(options["path"]), ids, mapped, name=name)
        return nullcontext(Path(options["path"]))

    def describe(self, result: dict[str, Any]) -> str:
        lines = [f"{result['title']} ({result['dataset']}): {result['rows']:,} rows"]
        for part, found in result["counts"].items():
            lines.append(f"  {part}: " + ", ".join(f"{label} {count:,}" for label, count in found.items()))
        return "\n".join([*lines, *result["notes"]])


def _owner(email: str | None) -> User | None:
    if not email:
        return None
    found: User | None = User.objects.filter(email__iexact=email).first()
    if found is None:
        raise Missing(f"Nobody has the address '{email}'. Invite the person first, or leave --owner out.")
    return found


def _exists(path: str) -> bool:
    if not Path(path).is_file():
        raise BadInput(f"The list of ids {path} does not exist. Check the path and the name.")
    return True
