"""The command `touchstone`: every management command under its name, and what needs no database."""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from touchstone.commands import describe_commands
from touchstone.completion import SHELLS, completion_script
from touchstone.errors import Interrupted, Refused
from touchstone.management import run_management_command
from touchstone.paths import make_importable, version

if TYPE_CHECKING:
    from evaluation.reports.rules import Outcome, Rule
    from touchstone.library import Comparison, Release, Result

STORED = re.compile(r"[\w.-]+@[\w.+-]+")  # SUITE@VERSION
FORMATS = ("html", "pdf", "latex", "csv", "json", "junit")
SPECS = "hf:PATH_OR_ID | http:FILE.yaml | chat:FILE.yaml | nli:PATH_OR_ID | linear:FOLDER | python:MODULE:FUNCTION"
RELEASE = "an exported folder or zip, a CSV, JSONL or Parquet file, a Hugging Face dataset folder, or SUITE@VERSION"
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
    if name in PARSERS:
        parser = PARSERS[name]()
        options, unknown = parser.parse_known_args(rest)
        if not is_stored(options):
            if unknown:
                parser.error(f"unknown arguments: {' '.join(unknown)}")
            return _without_database({"evaluate": evaluate, "compare": compare}[name], options)
    run_management_command(["touchstone", name, *rest])
    return 0


def _print(text: str) -> int:
    sys.stdout.write(text + "\n")
    return 0


def is_stored(options: argparse.Namespace) -> bool:
    """Return whether the release is one of the database, not a file."""
    release = options.release if "release" in options else options.what[0] if len(options.what) == 3 else ""
    return bool(STORED.fullmatch(release)) and not Path(release).exists()


def _without_database(perform: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    make_importable(first=True)
    sys.path.append(str(Path.cwd()))  # where python:MODULE:FUNCTION is looked for
    from core.extras import missing_extra

    try:
        return perform(options)
    except Interrupted as error:
        return _refuse(str(error), options, code=130)
    except Refused as error:
        return _refuse(str(error), options)
    except ModuleNotFoundError as error:
        if (refusal := missing_extra(error)) is None:
            raise
        return _refuse(str(refusal), options)
    except KeyboardInterrupt:
        return _refuse("Stopped. Give the same command again to continue.", options, code=130)
    except BrokenPipeError:
        return 1


def _refuse(sentence: str, options: argparse.Namespace, *, code: int = 1) -> int:
    if options.json:
        _print(json.dumps({"code": "refused", "title": sentence, "status": 422, "fields": {}}, ensure_ascii=False))
    sys.stderr.write(f"touchstone: {sentence}\n")
    return code


def evaluate_parser() -> argparse.ArgumentParser:
    """Return the options of evaluate without a database."""
    parser = _parser(
        "evaluate",
        "Run a model on a release and show where it fails. No server and no database are needed, unless RELEASE is "
        "SUITE@VERSION: then see `manage.py evaluate --help`. Interrupted, the same command continues where it was.",
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


def completion_parser() -> argparse.ArgumentParser:
    parser = _parser("completion", 'Print the completion script of a shell. bash: eval "$(touchstone completion bash)"')
    parser.add_argument("shell", choices=SHELLS)
    return parser


PARSERS: dict[str, Callable[[], argparse.ArgumentParser]] = {
    "evaluate": evaluate_parser,
    "compare": compare_parser,
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


def _pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    for text in texts:
        if not all(part.strip() for part in (*text.partition("="),)):
            raise Refused(f"{option}: '{text}' is not NAME=VALUE.")
    return {name.strip(): value.strip() for name, _, value in (text.partition("=") for text in texts)}


def _read_release(path: str, options: argparse.Namespace) -> Release:
    from touchstone.library import load_release

    if not Path(path).exists():
        raise Refused(f"There is no file or folder '{path}', and it is not SUITE@VERSION either.")
    return load_release(
        path,
        columns=_pairs(options.columns, "--columns"),
        labels=options.labels,
        gold_map=_pairs(options.gold_map, "--gold-map"),
        sha256=options.sha256,
    )


@contextmanager
def _watched() -> Iterator[dict[str, Any]]:
    """Show progress on stderr, and let Ctrl-C end the work in good order; a second one ends it at once."""
    from core.progress import Progress

    shown, asked = Progress(), False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield {"progress": shown.show, "should_stop": lambda: asked}
    finally:
        signal.signal(signal.SIGINT, before)
        shown.finish()


def evaluate(options: argparse.Namespace) -> int:
    """Evaluate a model on a release that lies in files."""
    from touchstone.documents import make_document, write_documents
    from touchstone.evaluating import read_result
    from touchstone.library import compare as compare_two
    from touchstone.library import evaluate as evaluate_model
    from touchstone.models import name_of, with_label_map
    from touchstone.summary import summarise

    baseline = read_result(options.baseline) if options.baseline else None
    if options.format and not options.out:
        raise Refused("--format needs --out, the folder for the documents.")
    release = _read_release(options.release, options)
    rules = read_rules(options.fail_under, release)
    model = with_label_map(options.model, _pairs(options.label_map, "--label-map"))
    with _watched() as watching:
        result = evaluate_model(
            release,
            model,
            name=options.name or name_of(options.model),
            limit=options.limit,
            cache=options.cache,
            trained_on=options.trained_on or None,
            **watching,
        )
    outcomes = check_rules(rules, result)
    comparison = compare_two(baseline, result, max_drop=options.max_drop) if baseline else None
    suites = _suites(comparison)
    files: list[Path] = []
    if options.out:
        formats = options.format or ("html", "json")
        files += write_documents(result, options.out, formats, stem=release.stem, outcomes=outcomes, suites=suites)
    if options.junit:
        files.append(_write(options.junit, make_document(result, "junit", outcomes=outcomes, suites=suites).decode()))
    if options.markdown:
        if comparison is None:
            raise Refused("--markdown writes a comparison: name the result to compare with by --baseline.")
        files.append(_write(options.markdown, comparison.as_markdown()))
    told = [outcome.as_json() for outcome in outcomes]
    if options.json:
        document = result.as_json() | ({"rules": told} if rules else {}) | {"files": list(map(str, files))}
        _print(json.dumps(document | ({"comparison": comparison.as_json()} if comparison else {}), ensure_ascii=False))
    else:
        from evaluation.results.terminal import describe_rules

        lines = [summarise(result) + describe_rules(told)]
        lines += ["", str(comparison)] if comparison else []
        lines += ["", "Written:", *(f"  {file}" for file in files)] if files else []
        _print("\n".join(lines))
    return _status(told, comparison)


def _status(rules: Sequence[dict[str, Any]], comparison: Comparison | None) -> int:
    from evaluation.results.terminal import describe_missed

    if missed := describe_missed(rules):
        sys.stderr.write(f"touchstone: {missed}\n")
    if comparison is not None and comparison.is_worse:
        sys.stderr.write(f"touchstone: {_worse(comparison)}\n")
    return int(bool(missed) or (comparison is not None and comparison.is_worse))


def _worse(comparison: Comparison) -> str:
    return f"The model got worse: {', '.join(comparison.worse) or 'all cases together'}"


def _suites(comparison: Comparison | None) -> list[Any]:
    if comparison is None:
        return []
    from evaluation.reports.regression import regression_suite

    return [regression_suite(comparison.judged)]


def compare(options: argparse.Namespace) -> int:
    """Compare two results that lie in files, or two models on a release."""
    from touchstone.library import compare as compare_two
    from touchstone.library import evaluate as evaluate_model

    if len(options.what) not in (2, 3):
        raise Refused("Give two result files, or a release and two models.")
    *named, before, after = options.what
    if named:
        release = _read_release(named[0], options)
        results = []
        for model in (before, after):
            with _watched() as watching:
                results.append(evaluate_model(release, model, limit=options.limit, cache=options.cache, **watching))
        comparison = compare_two(*results, max_drop=options.max_drop)
    else:
        comparison = compare_two(before, after, max_drop=options.max_drop)
    if options.markdown:
        _write(options.markdown, comparison.as_markdown())
    if options.junit:
        _write(options.junit, comparison.as_junit())
    _print(json.dumps(comparison.as_json(), ensure_ascii=False) if options.json else str(comparison))
    return _status([], comparison)


def _write(file: Path, text: str) -> Path:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}. Check the path and its permissions.") from error
    return file


def read_rules(texts: Sequence[str], release: Release) -> list[Rule]:
    """Return the rules, a star spelled out. Refuses those that cannot be held against this release."""
    from evaluation.metrics.slices import gold_counts
    from evaluation.reports.rules import RuleError, expand_rule, parse_rule, require_known

    if not texts:
        return []
    try:
        sections = gold_counts(release.rows())
        rules = [each for text in texts for each in expand_rule(parse_rule(text), sections)]
        for rule in rules:
            require_known(rule, sections)
    except RuleError as error:
        raise Refused(str(error)) from error
    return rules


def check_rules(rules: Sequence[Rule], result: Result) -> list[Outcome]:
    """Hold the rules against a result. Refuses one about a measure that it does not have."""
    from evaluation.reports.rules import RuleError, check_rule

    try:
        return [check_rule(rule, result.measures) for rule in rules]
    except RuleError as error:
        raise Refused(str(error)) from error
