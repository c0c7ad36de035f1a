"""Attacks from labelled files: build the sets, ask a model, score the answers."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from core.commands import DomainCommand
from core.errors import BadInput
from core.options import Options
from evaluation.attacks import recipes as attack_recipes
from evaluation.attacks import sets as attack_sets
from evaluation.attacks.algorithm.scoring import score_answers
from evaluation.attacks.algorithm.values import MEANINGS, PASSING, TITLES
from evaluation.attacks.options import AttackOptions, AttackRunOptions, AttackScoreOptions, AttackSuiteOptions
from evaluation.attacks.sheets import scores_sheet
from evaluation.attacks.spreads import summarise_seeds
from evaluation.attacks.suites import as_suite, find_attack, folder_as_suite
from evaluation.datasets.labelled_files import find_abusive, part_or_all, read_file
from evaluation.registry.services import LABELS, ModelRefused, load
from evaluation.reports.sheets import write_sheet
from evaluation.results.terminal import describe_cost
from evaluation.runners import Answer, InferenceError
from evaluation.runs.costing import estimate_texts


class Command(DomainCommand):
    help = "AAA attacks: build hard test sets from your own data, ask a model, score its answers."
    # Files in, files out: checking pages and tables first takes as long as the building itself.
    requires_system_checks = ()

    steps = {
        "build": AttackOptions,
        "run": AttackRunOptions,
        "score": AttackScoreOptions,
        "suite": AttackSuiteOptions,
    }

    def perform(self, chosen: Options) -> dict[str, Any]:
        match chosen:
            case AttackOptions():
                return self._build(chosen)
            case AttackRunOptions():
                return self._run(chosen)
            case AttackScoreOptions():
                return self._score(chosen)
            case AttackSuiteOptions():
                return self._suite(chosen)
        raise TypeError(chosen)

    def _build(self, chosen: AttackOptions) -> dict[str, Any]:
        columns = {f"{role}_column": getattr(chosen, f"{role}_column") or None for role in ("text", "label", "split")}
        train_file, test_file = (chosen.data, chosen.data) if chosen.data else (chosen.train, chosen.test)
        if not (train_file and test_file):
            raise BadInput("Give --train FILE and --test FILE, or one --data FILE with a split column.")
        data = {path: read_file(path, **columns)[0] for path in {train_file, test_file}}
        if train_file == test_file and not {"train", "test"} <= set(data[train_file].splits):
            raise BadInput(f"{train_file} does not tell train from test. Name its split column, or give two files.")
        train, test = part_or_all(data[train_file], "train"), part_or_all(data[test_file], "test")
        abusive = find_abusive([*train.labels, *test.labels], chosen.abusive)
        names = chosen.identifiers_file
        recipe = attack_recipes.make_recipe(
            seed=chosen.seed,
            language=chosen.language or "en",
            rules=chosen.rules,
            templates=attack_recipes.read_templates(chosen.templates) if chosen.templates else None,
            lexicon=attack_recipes.read_lexicon(chosen.lexicon) if chosen.lexicon else frozenset(),
            identifiers=attack_recipes.read_identifiers(names) if names else (),
            **{name: getattr(chosen, name) for name in attack_recipes.NUMBERS},
        )
        notes = [] if chosen.lexicon else [attack_recipes.NO_LEXICON]
        facts: dict[str, Any] = {"train": train, "test": test, "abusive": abusive}
        manifest: dict[str, Any] = {}
        for number in range(chosen.seeds):
            one = replace(recipe, seed=recipe.seed + number)
            sets, words = attack_sets.build_sets(**facts, parameters=one, progress=self.show_progress)
            made = attack_sets.describe_sets(sets, words, **facts, parameters=one)
            folder = chosen.out if chosen.seeds == 1 else chosen.out / f"seed-{one.seed}"
            attack_sets.write_folder(sets, made, folder)
            manifest = manifest or made
        return {**manifest, "seeds": chosen.seeds, "out": str(chosen.out), "notes": notes}

    def _run(self, chosen: AttackRunOptions) -> dict[str, Any]:
        folders = seed_folders(chosen.sets) or [chosen.sets]
        is_repeated = folders != [chosen.sets]
        all_sets = [attack_sets.open_sets(folder) for folder in folders]
        places = [chosen.out / folder.name if is_repeated and chosen.out else chosen.out for folder in folders]
        for folder, place in zip(folders, places, strict=True):
            if not chosen.estimate:
                attack_sets.require_room(str(place) if place else None, sets_folder=str(folder), again=chosen.again)
        runner = load(chosen.model)
        texts = list(dict.fromkeys(text for sets in all_sets for text in attack_sets.texts_of(sets)))
        estimate = estimate_texts(runner, texts)
        if chosen.estimate:
            return {"model": chosen.model, "cost": asdict(estimate) if estimate else None}
        if estimate:
            self.stderr.write(describe_cost(estimate))
        found, known = [], dict[str, Answer]()
        for sets, place in zip(all_sets, places, strict=True):
            try:
                said, _ = attack_sets.ask_model(
                    sets, runner, positive=LABELS[0], known=known, remember=known.update, progress=self.show_progress
                )
            except InferenceError as error:
                raise ModelRefused(str(error)) from error
            answers, unanswered = attack_sets.counted(sets, said)
            attack_sets.write_answers(sets, answers, place)
            scores = score_answers(sets, answers, policy=chosen.policy)
            found.append(attack_sets.scores_json(scores, unanswered=unanswered))
        facts = {"model": chosen.model, "fingerprint": runner.fingerprint, "texts": len(texts), "out": str(chosen.out)}
        if is_repeated:
            seeds = [seed_of(folder) for folder in folders]
            facts["spread"] = summarise_seeds(dict(zip(seeds, found, strict=True)))
        return {**found[0], **facts}

    def _score(self, chosen: AttackScoreOptions) -> dict[str, Any]:
        if len(chosen.answers) != 1:
            raise BadInput("Give one folder with --answers.")
        sets = attack_sets.open_sets(chosen.sets)
        scores = attack_sets.scores_json(attack_sets.score_folder(sets, chosen.answers[0], policy=chosen.policy))
        if chosen.document:
            name = Path(chosen.answers[0]).resolve().name
            facts = {"Sets": str(chosen.sets), "Answers": str(chosen.answers[0]), "Policy": chosen.policy}
            sheet = scores_sheet(Path(chosen.sets).resolve().name, [(name, scores)], facts)
            content = write_sheet(sheet, chosen.document.suffix.lower().removeprefix("."))
            chosen.document.parent.mkdir(parents=True, exist_ok=True)
            chosen.document.write_bytes(content)
        return scores

    def _suite(self, chosen: AttackSuiteOptions) -> dict[str, Any]:
        if bool(chosen.sets) == bool(chosen.attack):
            raise BadInput("Give --attack KEY for a stored attack, or --sets DIR for what attack build wrote.")
        facts: dict[str, Any] = {"key": chosen.key, "name": chosen.name, "sample": chosen.sample, "by": None}
        if chosen.sets:
            suite = folder_as_suite(chosen.sets, **facts)
        else:
            suite = as_suite(find_attack(chosen.attack), **facts)
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
            return "\n".join([*result["notes"], *lines, f"seed {result['seed']}, written to {result['out']}"])
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
        if result["aaa_ci95"]:
            low, high = result["aaa_ci95"]
            lines.append(f"{'':<14} AAA lies between {low:.1%} and {high:.1%} (95 % interval over test posts)")
        if spread := result.get("spread", {}).get("aaa"):
            shown = "undefined" if spread["mean"] is None else f"{spread['mean']:.1%} ± {spread['sd']:.1%}"
            lines.append(f"{'':<14} AAA over {spread['seeds']} seeds: {shown} (mean and standard deviation)")
        lines += [
            "",
            str(PASSING),
            *(f"{TITLES[name]}: {MEANINGS[name]}" for name in MEANINGS if name in result["attacks"]),
        ]
        return "\n".join([*result["notes"], *lines])


def seed_folders(folder: Path) -> list[Path]:
    """Return the folders that attack build --seeds wrote, in the order of their seeds; none in a folder of sets."""
    found = [path for path in folder.glob("seed-*") if path.is_dir() and path.name[len("seed-") :].isdecimal()]
    return sorted(found, key=seed_of)


def seed_of(folder: Path) -> int:
    return int(folder.name.removeprefix("seed-"))
