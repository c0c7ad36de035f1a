"""AAA on Davidson's data: how long building takes, and the scores of the linear reference over ten seeds.

    python benchmarks/attacks.py [--data ../shared/data/aaa] [--seeds 10]

The rows "paper" and "public tool" are published or measured elsewhere; ours are computed here. Wall time depends on
what else the machine does, so CPU time stands beside it. Run it with OMP_NUM_THREADS=1 to measure one thread.
"""

import argparse
import hashlib
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import mean, stdev
from typing import Literal

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.reference_svm import LinearModel, train_linear
from evaluation.attacks.algorithm.association import find_associated_words
from evaluation.attacks.algorithm.building import (
    build_attacks,
    corr_aa,
    corr_nn,
    flip,
    hashtag_check,
    keep_original,
    quo,
)
from evaluation.attacks.algorithm.exchange import file_text
from evaluation.attacks.algorithm.lexicons import read_hurtlex
from evaluation.attacks.algorithm.parameters import FILLED_RULES, PAPER_RULES, TOOL_RULES, AttackParameters, WordRules
from evaluation.attacks.algorithm.quotations import our_quotations, read_quotations
from evaluation.attacks.algorithm.scoring import score_answers
from evaluation.attacks.algorithm.values import Name
from evaluation.datasets.files.reading import read_labelled

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "aaa"
TOOL_SECONDS = 33.8
COLUMNS: tuple[Name | Literal["aaa"], ...] = ("original", "quo", "corr_nn", "flip", "corr_aa", "aaa")
PUBLISHED = {
    "paper, SVM": (91.81, 9.65, 51.80, 79.14, 54.03, 38.24),
    "public tool, 1,500 words": (91.61, 8.58, 30.46, 88.01, 65.52, 35.04),
    "public tool, all words": (91.17, 7.81, 33.81, 77.94, 61.06, 33.48),
}
Part = tuple[tuple[str, ...], tuple[bool, ...]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    data = read_labelled(options.data / "davidson.csv").data
    if data is None:
        sys.exit(f"no davidson.csv in {options.data}")
    train, test = data.part("train"), data.part("test")
    parts: tuple[Part, Part] = (train.texts, train.is_label("0", "1")), (test.texts, test.is_label("0", "1"))
    recipe = AttackParameters(
        seed=0,
        templates=read_quotations(options.data / "templates.txt").templates,
        lexicon=read_hurtlex(options.data / "hurtlex_EN_1.2.tsv").lemmas,
    )
    building_time(parts, recipe)
    print(f"\nscores in per cent, mean (sd) over {options.seeds} seeds:\n")
    print("| | " + " | ".join(("F1", "Quo", "Corr N->N", "Flip", "Corr A->A", "AAA")) + " |\n|---" + "|---" * 6 + "|")
    for name, row in PUBLISHED.items():
        print(f"| {name} | " + " | ".join(f"{value:.2f}" for value in row) + " |")
    usual = train_linear(train.texts, train.labels, abusive=("0", "1"))
    full = train_linear(train.texts, train.labels, abusive=("0", "1"), dictionary_size=None)
    like_tool = train_linear(train.texts, train.labels, abusive=("0", "1"), punctuation="delete")
    ours = our_quotations("en")
    variants: list[tuple[str, LinearModel, WordRules, tuple[str, ...]]] = [
        ("rules paper, model of 1,500 words", usual, PAPER_RULES, recipe.templates),
        ("rules paper, model of all words", full, PAPER_RULES, recipe.templates),
        (f"rules paper with our {len(ours)} templates, model of 1,500 words", usual, PAPER_RULES, ours),
        ("rules filled, model of 1,500 words", usual, FILLED_RULES, recipe.templates),
        ("rules tool, model of 1,500 words", usual, TOOL_RULES, recipe.templates),
        ("the same, and a model that deletes punctuation", like_tool, TOOL_RULES, recipe.templates),
    ]
    for name, model, rules, templates in variants:
        changed = replace(recipe, rules=rules, templates=templates)
        rows = scores(model, parts, changed, options.seeds)
        cells = (_cell(column) for column in zip(*rows, strict=True))
        words = len(find_associated_words(*parts[0], parameters=changed).abusive)
        print(f"| {name} | " + " | ".join(cells) + f" | {words} words", flush=True)


def _cell(values: tuple[float, ...]) -> str:
    """Mean and standard deviation; one seed has no deviation."""
    return f"{mean(values):.2f} ({stdev(values):.2f})" if len(values) > 1 else f"{values[0]:.2f}"


def building_time(parts: tuple[Part, Part], recipe: AttackParameters) -> None:
    digests = set()
    for attempt in ("first build (imports scipy, loads lemmas)", "second build"):
        wall, cpu = time.perf_counter(), time.process_time()
        sets, words = build_attacks(*parts, parameters=recipe)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        digests.add(hashlib.sha256("".join(file_text(attack) for attack in sets.values()).encode()).hexdigest())
        print(f"{attempt}: {wall:.2f} s wall, {cpu:.2f} s CPU; {TOOL_SECONDS / cpu:.0f}x the public tool (33.8 s)")
    print(f"same bytes: {len(digests) == 1}; words: {len(words.abusive)} abusive, {len(words.non_abusive)} non-abusive")


def scores(model: LinearModel, parts: tuple[Part, Part], recipe: AttackParameters, seeds: int) -> list[list[float]]:
    train, test = parts
    words = find_associated_words(*train, parameters=recipe)  # does not depend on the seed
    whole, tagged = keep_original(*test), hashtag_check(*test)
    fixed = {attack.name: model.predict(attack.texts) for attack in (whole, tagged)}
    rows = []
    for seed in range(seeds):
        seeded = replace(recipe, seed=seed)
        made = (
            quo(*test, templates=recipe.templates, seed=seed),
            corr_nn(*test, words=words.abusive, parameters=seeded),
            corr_aa(*test, words=words.non_abusive, parameters=seeded),
            flip(*test, seed=seed),
        )
        sets = {attack.name: attack for attack in (whole, tagged, *made)}
        found = score_answers(sets, {**fixed, **{attack.name: model.predict(attack.texts) for attack in made}})
        values = [found.aaa if name == "aaa" else found.scores[name] for name in COLUMNS]
        rows.append([100 * (value or 0.0) for value in values])
    return rows


if __name__ == "__main__":
    main()
