"""What the options of `touchstone.cli` ask for: work on files and results; others are called from here."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from core.extras import missing_extra
from core.inference.errors import SpecError
from core.progress import Progress
from evaluation.metrics.slices import gold_counts
from evaluation.reports.regression import regression_suite
from evaluation.reports.rules import Outcome, Rule, RuleError, check_rule, read_rules
from evaluation.results.terminal import describe_missed, describe_rules
from evaluation.runners.preset_texts import chosen_presets, describe_presets
from touchstone.documents import About, make_document, write_documents
from touchstone.errors import Interrupted, Refused
from touchstone.evaluating import read_result
from touchstone.exchanging import get, index, push, suites
from touchstone.library import Comparison, Release, Result, load_release
from touchstone.library import compare as compare_two
from touchstone.library import evaluate as evaluate_model
from touchstone.models import name_of, with_label_map
from touchstone.pictures import plot_results
from touchstone.registry import fetch_release, is_reference, tell_on_stderr
from touchstone.summary import summarise

EXCHANGES = {"suites": suites, "get": get, "index": index, "push": push}


def perform(name: str, options: argparse.Namespace) -> int:
    """Run a command and return the exit status; a refusal is one sentence on stderr."""
    sys.path.append(str(Path.cwd()))  # where python:MODULE:FUNCTION is looked for
    try:
        if name in EXCHANGES:
            print(EXCHANGES[name](options))
            return 0
        return {"evaluate": evaluate, "compare": compare, "picture": picture}[name](options)
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


def list_models(options: argparse.Namespace) -> int:
    """Print the presets, or one of them whole."""
    try:
        found = chosen_presets(options.name)
    except SpecError as error:
        return _refuse(error.sentence, options)
    names = [preset["name"] for preset in found["presets"]]
    print(json.dumps(found, ensure_ascii=False) if options.json else describe_presets(names))
    return 0


def _refuse(sentence: str, options: argparse.Namespace, *, code: int = 1) -> int:
    if options.json:
        print(json.dumps({"code": "refused", "title": sentence, "status": 422, "fields": {}}, ensure_ascii=False))
    sys.stderr.write(f"touchstone: {sentence}\n")
    return code


def _pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    for text in texts:
        if not all(part.strip() for part in (*text.partition("="),)):
            raise Refused(f"{option}: '{text}' is not NAME=VALUE.")
    return {name.strip(): value.strip() for name, _, value in (text.partition("=") for text in texts)}


def _read_release(path: str, options: argparse.Namespace) -> Release:
    if is_reference(path):
        shown = Progress()
        try:
            path = str(fetch_release(path, source=options.source, tell=tell_on_stderr, progress=shown.show))
        finally:
            shown.finish()
    elif not Path(path).exists():
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
    baseline = read_result(options.baseline) if options.baseline else None
    if options.format and not options.out:
        raise Refused("--format needs --out, the folder for the documents.")
    about = About(options.hub_dataset, options.organisation)
    if "eval_results" in (options.format or ()):
        about.require_dataset()
    release = _read_release(options.release, options)
    try:
        rules = read_rules(options.fail_under, gold_counts(release.rows())) if options.fail_under else []
    except RuleError as error:
        raise Refused(str(error)) from error
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
    suites = [regression_suite(comparison.judged)] if comparison else []
    files: list[Path] = []
    if options.out:
        formats = options.format or ("html", "json")
        files += write_documents(
            result, options.out, formats, stem=release.stem, outcomes=outcomes, suites=suites, about=about
        )
    if options.junit:
        files.append(_write(options.junit, make_document(result, "junit", outcomes=outcomes, suites=suites).decode()))
    if options.markdown:
        if comparison is None:
            raise Refused("--markdown writes a comparison: name the result to compare with by --baseline.")
        files.append(_write(options.markdown, comparison.as_markdown()))
    told = [outcome.as_json() for outcome in outcomes]
    if options.json:
        document = result.as_json() | ({"rules": told} if rules else {}) | {"files": list(map(str, files))}
        print(json.dumps(document | ({"comparison": comparison.as_json()} if comparison else {}), ensure_ascii=False))
    else:
        lines = [summarise(result) + describe_rules(told)]
        lines += ["", str(comparison)] if comparison else []
        lines += ["", "Written:", *(f"  {file}" for file in files)] if files else []
        print("\n".join(lines))
    return _status(told, comparison)


def _status(rules: Sequence[dict[str, Any]], comparison: Comparison | None) -> int:
    if missed := describe_missed(rules):
        sys.stderr.write(f"touchstone: {missed}\n")
    if comparison is not None and comparison.is_worse:
        sys.stderr.write(f"touchstone: {_worse(comparison)}\n")
    return int(bool(missed) or (comparison is not None and comparison.is_worse))


def _worse(comparison: Comparison) -> str:
    return f"The model got worse: {', '.join(comparison.worse) or 'all cases together'}"


def compare(options: argparse.Namespace) -> int:
    """Compare two results that lie in files, or two models on a release."""
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
    print(json.dumps(comparison.as_json(), ensure_ascii=False) if options.json else str(comparison))
    return _status([], comparison)


def picture(options: argparse.Namespace) -> int:
    """Draw results that lie in files."""
    results = [read_result(file) for file in options.what]
    file = plot_results(options.kind, results, theme=options.theme).save(options.out)
    told = {"picture": options.kind, "models": [result.model for result in results], "file": str(file)}
    print(json.dumps(told, ensure_ascii=False) if options.json else f"Written: {file}")
    return 0


def _write(file: Path, text: str) -> Path:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refused(f"{file}: {error.strerror}. Check the path and its permissions.") from error
    return file


def check_rules(rules: Sequence[Rule], result: Result) -> list[Outcome]:
    """Hold the rules against a result. Refuses one about a measure that it does not have."""
    try:
        return [check_rule(rule, result.measures) for rule in rules]
    except RuleError as error:
        raise Refused(str(error)) from error
