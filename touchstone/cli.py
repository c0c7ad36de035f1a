"""The command `touchstone`: every management command under its name, and what needs no database."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from touchstone.commands import describe_commands
from touchstone.completion import SHELLS, completion_script
from touchstone.management import run_management_command
from touchstone.paths import data_folder, make_importable, version

STORED = re.compile(r"[\w.-]+@[\w.+-]+")  # SUITE@VERSION
PICTURE_KINDS = ("forest", "dumbbell", "heatmap", "reliability", "radar")
FORMATS = ("html", "pdf", "latex", "csv", "json", "junit", "eval_results", "every_eval_ever")
SPECS = "preset:NAME | hf:PATH_OR_ID | nli:PATH_OR_ID | http:FILE.yaml | chat:FILE.yaml | linear:FOLDER | python:M:FUNC"
RELEASE = "an exported folder or zip, a CSV, JSONL or Parquet file, a Hugging Face dataset folder, or SUITE@VERSION"
INDEX = "https://HOST, hf:OWNER/DATASET or a folder"
PAIRS: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name and return the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    name, *rest = given or ["--help"]
    if name in ("-h", "--help") or (name == "help" and not rest):
        return _print(describe_commands())
    if name == "--version":
        return _print(f"touchstone-workbench {version()}")
    if name == "help":
        name, rest = rest[0], ["--help"]
    if name == "completion":
        chosen = completion_parser().parse_args(rest)
        return _print(completion_script(chosen.shell).rstrip("\n"))
    if name == "models":
        make_importable(first=True)
        from touchstone.verbs import list_models

        return list_models(models_parser().parse_args(rest))
    if name in PARSERS:
        parser = PARSERS[name]()
        options, unknown = parser.parse_known_args(rest)
        if not is_stored(options):
            if unknown:
                parser.error(f"unknown arguments: {' '.join(unknown)}")
            make_importable(first=True)
            from touchstone.verbs import perform

            return perform(name, options)
    run_management_command(["touchstone", name, *rest])
    return 0


def _print(text: str) -> int:
    sys.stdout.write(text + "\n")
    return 0


def is_stored(options: argparse.Namespace) -> bool:
    """Return whether the release is one of the database: SUITE@VERSION, where there is one and no index is named."""
    if "what" in options:  # a picture names files or one release, a comparison two files or a release and two models
        release = options.what[0] if "kind" in options or len(options.what) == 3 else ""
    else:
        release = options.release if "model" in options else ""
    is_named = bool(STORED.fullmatch(release)) and not Path(release).exists()
    return is_named and not getattr(options, "source", "") and has_database()


def has_database() -> bool:
    """Return whether an instance of this person keeps its data here."""
    return bool(os.environ.get("DATABASE_URL")) or (data_folder() / "touchstone.sqlite3").exists()


def evaluate_parser() -> argparse.ArgumentParser:
    """Return the options of evaluate without a database."""
    parser = _parser(
        "evaluate",
        "Run a model on a release and show where it fails. No server and no database are needed: SUITE@VERSION is "
        "fetched from the indexes that are known. Where an instance keeps its data here, it is the one of the "
        "database: see `manage.py evaluate --help`. Interrupted, the same command continues where it was.",
    )
    parser.add_argument("release", metavar="RELEASE", help=RELEASE)
    parser.add_argument("--model", required=True, metavar="SPEC", help=f"{SPECS} | command:PROGRAM")
    parser.add_argument("--name", default="", help="what to call the model; default: the last part of SPEC")
    parser.add_argument("--limit", type=_count, metavar="N", help="ask about N cases only, of every functionality some")
    parser.add_argument("--label-map", **PAIRS, metavar="CLASS=LABEL", help="what the classes of an hf: model mean")
    parser.add_argument("--trained-on", **PAIRS, metavar="CODE", help="languages that the model was trained on")
    _add_table_options(parser)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write documents here")
    parser.add_argument("--format", nargs="+", choices=FORMATS, default=None, help="default with --out: html json")
    parser.add_argument(
        "--hub-dataset", default="", metavar="ORG/NAME", help="the dataset on the Hugging Face Hub, for eval_results"
    )
    parser.add_argument("--organisation", default="", metavar="NAME", help="who evaluates, for every_eval_ever")
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML for a build server")
    parser.add_argument(
        "--fail-under", **PAIRS, metavar="RULE", help="exit with 1 unless 'overall.macro_f1>=0.7', '*.accuracy>=0.5'"
    )
    parser.add_argument("--baseline", metavar="FILE", help="exit with 1 where the result got worse than this JSON file")
    _add_regression_options(parser)
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where answers are kept; default: the data folder")
    _add_json(parser)
    return parser


def compare_parser() -> argparse.ArgumentParser:
    """Return the options of compare without a database."""
    parser = _parser(
        "compare",
        "Compare two results: which functionalities got worse? Tests count templates. Exits with 1 if any did. "
        "Give two JSON files of evaluate, or a release and two models.",
        usage="touchstone compare BEFORE.json AFTER.json | RELEASE SPEC SPEC | SUITE@VERSION MODEL MODEL [OPTIONS]",
    )
    parser.add_argument("what", nargs="+", metavar="[RELEASE] BEFORE AFTER", help=f"RELEASE: {RELEASE}")
    parser.add_argument("--limit", type=_count, metavar="N", help="ask the models about N cases only")
    _add_table_options(parser)
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML for a build server")
    _add_regression_options(parser)
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where answers are kept; default: the data folder")
    _add_json(parser)
    return parser


def picture_parser() -> argparse.ArgumentParser:
    """Return the options of picture without a database."""
    parser = _parser(
        "picture",
        "Draw results for a paper: a forest plot, dumbbells of two models, a heat map, a reliability diagram or a "
        "radar. Give JSON files of evaluate, or SUITE@VERSION: then see `manage.py picture --help`.",
        usage="touchstone picture KIND RESULT.json [RESULT.json ...] | SUITE@VERSION [--models NAME ...] --out FILE",
    )
    parser.add_argument("kind", choices=PICTURE_KINDS, metavar="KIND", help=" | ".join(PICTURE_KINDS))
    parser.add_argument("what", nargs="+", metavar="RESULT.json | SUITE@VERSION", help="results that evaluate wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="ends with .svg, .pdf or .png")
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="default: light")
    _add_json(parser)
    return parser


def models_parser() -> argparse.ArgumentParser:
    """Return the options of models."""
    parser = _parser("models", "List models that can be named: preset:NAME, and what each counts as hateful.")
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="show this preset whole")
    _add_json(parser)
    return parser


def completion_parser() -> argparse.ArgumentParser:
    parser = _parser("completion", 'Print the completion script of a shell. bash: eval "$(touchstone completion bash)"')
    parser.add_argument("shell", choices=SHELLS)
    return parser


def suites_parser() -> argparse.ArgumentParser:
    """Return the options of suites."""
    parser = _parser(
        "suites",
        "List the releases that an instance or a folder publishes; without URL those of every index that is known: "
        "asked before, or named in the environment variable TOUCHSTONE_INDEXES.",
    )
    parser.add_argument("url", nargs="?", default="", metavar="URL", help=f"the index: {INDEX}")
    parser.add_argument("--forget", action="store_true", help="forget this index and the key it was signed with")
    _add_public_key(parser)
    _add_json(parser)
    return parser


def get_parser() -> argparse.ArgumentParser:
    """Return the options of get."""
    parser = _parser(
        "get",
        "Fetch a release once, verify its seal, its checksum and its signature, and keep it by its checksum.",
    )
    parser.add_argument("release", metavar="SUITE@VERSION", help="as `touchstone suites` lists it")
    _add_from(parser)
    _add_public_key(parser)
    _add_json(parser)
    return parser


def index_parser() -> argparse.ArgumentParser:
    """Return the options of index."""
    parser = _parser(
        "index",
        "Write the index (touchstone.json) of a folder of exported releases, so that any web server, a dataset of the "
        "Hugging Face Hub or a shared folder can publish them.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="holds exported folders, or zip files of them")
    parser.add_argument("--name", default="", help="who publishes; default: the name of the folder")
    parser.add_argument(
        "--key", default="", metavar="FILE", help="sign with this secret key; default: SIGNING_KEY_FILE"
    )
    parser.add_argument("--release-key", type=Path, metavar="FILE", help="the public key of the releases, if another")
    _add_json(parser)
    return parser


def push_parser() -> argparse.ArgumentParser:
    """Return the options of push."""
    parser = _parser(
        "push",
        "Hand a sealed result to an instance. It must have exactly this release. The API token is read from the "
        "environment variable TOUCHSTONE_TOKEN.",
    )
    parser.add_argument("result", type=Path, metavar="RESULT.json", help="what evaluate --out --format json wrote")
    parser.add_argument("--to", required=True, metavar="URL", help="the address of the instance")
    parser.add_argument("--name", default="", help="what to call the model there; default: its name in the result")
    parser.add_argument(
        "--without-predictions", action="store_true", help="figures only: they are marked as self-reported"
    )
    _add_json(parser)
    return parser


PARSERS: dict[str, Callable[[], argparse.ArgumentParser]] = {
    "evaluate": evaluate_parser,
    "compare": compare_parser,
    "picture": picture_parser,
    "models": models_parser,
    "suites": suites_parser,
    "get": get_parser,
    "index": index_parser,
    "push": push_parser,
    "completion": completion_parser,
}


def _parser(name: str, description: str, usage: str | None = None) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(f"touchstone {name}", usage=usage, description=description, allow_abbrev=False)


def _add_table_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--columns", **PAIRS, metavar="NAME=COLUMN", help="of a table: text=, label=, id=, functionality=, template=, …"
    )
    parser.add_argument("--labels", nargs="+", metavar="LABEL", help="labels of a table, the positive one first")
    parser.add_argument("--gold-map", **PAIRS, metavar="WORD=LABEL", help="what words in the column of labels mean")
    parser.add_argument("--sha256", default="", metavar="CHECKSUM", help="refuse any other release than this one")

    _add_from(parser)


def _add_from(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from", dest="source", default="", metavar="URL", help=f"the index of SUITE@VERSION: {INDEX}")


def _add_public_key(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--public-key", default="", metavar="KEY", help="refuse an index that was signed with another")


def _add_regression_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-drop", type=_share, metavar="SHARE", help="worse is also what lost more than this, certain or not: 0.1"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the comparison as a comment")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print exactly one JSON document")


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of cases")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a share; write 0.1 or 10%")
    return share
