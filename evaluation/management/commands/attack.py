"""Attacks from labelled files: build the sets, ask a model, score the answers."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from curation.commands import DomainCommand
from curation.errors import BadInput
from evaluation.attacks.scoring import score_answers
from evaluation.command_tables import describe_cost
from evaluation.runners import RunnerError
from evaluation.services import attack_recipes, attack_sets
from evaluation.services.attack_store import find_attack
from evaluation.services.attack_suites import as_suite, folder_as_suite
from evaluation.services.costing import estimate_texts
from evaluation.services.labelled_files import find_abusive, part_or_all, read_file
from evaluation.services.registry import LABELS, ModelRefused, load
from evaluation.services.seeds import require_seed


class Command(DomainCommand):
    help = "AAA attacks: build hard test sets from your own data, ask a model, score its answers."
    # Files in, files out: checking pages and tables first takes as long as the building itself.
    requires_system_checks = ()

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        steps = parser.add_subparsers(dest="step", required=True, metavar="build|run|score|suite")
        build = steps.add_parser("build", help="write the attack sets of labelled training and test posts")
        build.add_argument("--train", metavar="FILE")
        build.add_argument("--test", metavar="FILE")
        build.add_argument("--data", metavar="FILE", help="one file with train and test in a split column")
        build.add_argument("--out", metavar="DIR", required=True)
        build.add_argument("--seed", type=int, default=1)
        build.add_argument("--language", default="en", metavar="CODE")
        build.add_argument("--templates", metavar="FILE", help="quotation templates, one per line with <post>")
        build.add_argument("--lexicon", metavar="FILE", help="offensive lemmas in HurtLex's format")
        build.add_argument("--identifiers", metavar="FILE", help="names of groups, one per line: adds ident_n_to_n")
        build.add_argument("--text-column")
        build.add_argument("--label-column")
        build.add_argument("--split-column")
        build.add_argument("--abusive", nargs="+", default=[], metavar="LABEL", help="the labels that mean abuse")
        build.add_argument(
            "--rules", choices=sorted(attack_recipes.RULES), default="paper", help="how the appended words are chosen"
        )
        build.add_argument("--words", type=int, default=100)
        build.add_argument(
            "--dictionary-size",
            type=int,
            metavar="N",
            help="count the N most frequent words only; default: all by the paper's rules, 1500 by the others",
        )
        build.add_argument("--fewest-hashtags", type=int, default=1, metavar="N", help="per post, in the Corr attacks")
        build.add_argument("--most-hashtags", type=int, default=5, metavar="N")
        run = steps.add_parser("run", help="ask a model about every post")
        run.add_argument("--sets", metavar="DIR", required=True)
        run.add_argument("--model", metavar="SPEC", required=True)
        run.add_argument("--out", metavar="DIR", help="where the answers go")
        run.add_argument("--again", action="store_true", help="replace the answers that are in --out")
        run.add_argument("--estimate", action="store_true", help="only say what it would cost; nothing is asked")
        score = steps.add_parser("score", help="score answer files")
        score.add_argument("--sets", metavar="DIR", required=True)
        score.add_argument("--answers", metavar="DIR", required=True)
        suite = steps.add_parser("suite", help="make an attack a suite, whose labels people check")
        whose = suite.add_mutually_exclusive_group(required=True)
        whose.add_argument("--attack", metavar="KEY", help="an attack that is stored on the platform")
        whose.add_argument("--sets", metavar="DIR", help="what attack build wrote")
        suite.add_argument("--key", required=True, metavar="SUITE", help="of the new suite")
        suite.add_argument("--name", default="", help="of the new suite; default: the attack's title")
        suite.add_argument("--sample", type=int, metavar="N", help="so many posts of each attack; default: all")
        for step in (run, score):
            step.add_argument("--policy", choices=["penalise", "warn"], default="penalise")
        for step in (build, run, score, suite):
            # Suppressed, or the step's own default would undo a --json written before it.
            step.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document")

    def perform(self, **options: Any) -> dict[str, Any]:
        step: dict[str, Any] = getattr(self, f"_{options['step']}")(**options)
        return step

    def _build(self, **options: Any) -> dict[str, Any]:
        require_seed(options["seed"])
        columns = {f"{role}_column": options[f"{role}_column"] for role in ("text", "label", "split")}
        if options["data"] and not (options["train"] or options["test"]):
            options["train"] = options["test"] = options["data"]
        if (options["data"] and options["data"] != options["train"]) or not (options["train"] and options["test"]):
            raise BadInput("Give --train FILE and --test FILE, or one --data FILE with a split column.")
        data = {path: read_file(path, **columns)[0] for path in {options["train"], options["test"]}}
        if options["train"] == options["test"] and not {"train", "test"} <= set(data[options["train"]].splits):
            raise BadInput(
                f"{options['train']} does not tell train from test. Name its split column, or give two files."
            )
        train = part_or_all(data[options["train"]], "train")
        test = part_or_all(data[options["test"]], "test")
        abusive = find_abusive([*train.labels, *test.labels], options["abusive"])
        recipe = attack_recipes.make_recipe(
            seed=options["seed"],
            language=options["language"],
            templates=attack_recipes.read_templates(options["templates"]) if options["templates"] else None,
            lexicon=attack_recipes.read_lexicon(options["lexicon"]) if options["lexicon"] else frozenset(),
            identifiers=attack_recipes.read_identifiers(options["identifiers"]) if options["identifiers"] else (),
            rules=options["rules"],
            **{name: options[name] for name in ("words", "dictionary_size", "fewest_hashtags", "most_hashtags")},
        )
        sets, words = attack_sets.build_sets(
            train, test, abusive=abusive, parameters=recipe, progress=self.show_progress
        )
        manifest = attack_sets.describe_sets(sets, words, train=train, test=test, abusive=abusive, parameters=recipe)
        attack_sets.write_folder(sets, manifest, Path(options["out"]))
        notes = [] if options["lexicon"] else [attack_recipes.NO_LEXICON]
        return {**manifest, "out": options["out"], "notes": notes}

    def _run(self, **options: Any) -> dict[str, Any]:
        sets = attack_sets.open_sets(options["sets"])
        if not options["estimate"]:
            attack_sets.require_room(options["out"], sets_folder=options["sets"], again=options["again"])
        runner = load(options["model"])
        estimate = estimate_texts(runner, attack_sets.texts_of(sets))
        if options["estimate"]:
            return {"model": options["model"], "cost": asdict(estimate) if estimate else None}
        if estimate:
            self.stderr.write(describe_cost(estimate))
        try:
            said, texts = attack_sets.ask_model(sets, runner, positive=LABELS[0], progress=self.show_progress)
        except RunnerError as error:
            raise ModelRefused(str(error)) from error
        answers, unanswered = attack_sets.counted(sets, said)
        attack_sets.write_answers(sets, answers, Path(options["out"]))
        scores = score_answers(sets, answers, policy=options["policy"])
        facts = {"model": options["model"], "fingerprint": runner.fingerprint, "texts": texts, "out": options["out"]}
        return {**attack_sets.scores_json(scores, unanswered=unanswered), **facts}

    def _score(self, **options: Any) -> dict[str, Any]:
        sets = attack_sets.open_sets(options["sets"])
        return attack_sets.scores_json(attack_sets.score_folder(sets, options["answers"], policy=options["policy"]))

    def _suite(self, **options: Any) -> dict[str, Any]:
        chosen = {name: options[name] for name in ("key", "name", "sample")}
        if options["sets"]:
            suite = folder_as_suite(Path(options["sets"]), by=None, **chosen)
        else:
            suite = as_suite(find_attack(options["attack"]), by=None, **chosen)
        return {"suite": suite.key, "cases": suite.cases.count()}

    def describe(self, result: dict[str, Any]) -> str:
        if "suite" in result:
            return f"{result['cases']:,} cases in the suite {result['suite']}. Start a campaign to have them checked."
        if "cost" in result:
            from evaluation.runners.chat import CostEstimate

            cost = result["cost"]
            return describe_cost(CostEstimate(**cost)) if cost else f"{result['model']} is not paid by the token."
        if "sets" in result:
            lines = [f"{entry['file']:<20} {entry['posts']:>8,} posts" for entry in result["sets"].values()]
            return "\n".join([*lines, f"seed {result['seed']}, written to {result['out']}", *result["notes"]])
        lines = []
        for name, measured in result["attacks"].items():
            if measured["rate"] is None:
                lines.append(f"{name:<14} undefined: the set is empty")
                continue
            low, high = measured["ci95"]
            note = "" if measured["score"] == measured["rate"] else f", counts as {measured['score']:.1%}"
            lines.append(f"{name:<14} {measured['rate']:6.1%} ({low:.1%} to {high:.1%}) of {measured['n']:,}{note}")
        for name in ("aaa", "aaa_with_f1"):
            lines.append(f"{name:<14} " + ("undefined" if result[name] is None else f"{result[name]:6.1%}"))
        return "\n".join([*lines, *result["notes"]])
