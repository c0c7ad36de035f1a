"""How often the test of self-BLEU calls two random halves of one suite different: nominally in 5 % of repetitions.

Run: python benchmarks/diversity_test.py ../shared/data/hatecheck/all_cases.csv [--repeats 200]
Beside it stands what a t-test over ten overlapping samples of each half says, which is what was done before.
"""

import argparse
import csv
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generation.diversity.algorithm.resampling import p_values_of_difference, sample_measure
from generation.diversity.algorithm.self_bleu import self_bleu
from generation.diversity.algorithm.tokenizing import split_words_as_published

ORDERS = (2, 3, 4)
OVERLAPPING = 20  # repetitions of the old test, which is slow


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="HateCheck's all_cases.csv")
    parser.add_argument("--repeats", type=int, default=200)
    options = parser.parse_args()
    with options.file.open(encoding="utf-8", newline="") as file:
        texts = [
            split_words_as_published(text) for text in dict.fromkeys(row["test_case"] for row in csv.DictReader(file))
        ]
    half = len(texts) // 2
    rejected = dict.fromkeys(ORDERS, 0)
    old = 0
    for seed in range(options.repeats):
        random.Random(seed).shuffle(texts)
        one, other = texts[:half], texts[half:]
        tested = p_values_of_difference(one, other, orders=ORDERS, smoothing="method0", seed=seed)
        assert tested is not None
        for order, p in tested[1].items():
            rejected[order] += p <= 0.05
        if seed < OVERLAPPING:
            old += p_of_overlapping_samples(one, other) <= 0.05
    for order, count in rejected.items():
        print(f"self-BLEU-{order}: {count} of {options.repeats} repetitions rejected ({count / options.repeats:.1%})")
    print(f"t-test over overlapping samples, self-BLEU-4: {old} of {min(OVERLAPPING, options.repeats)} rejected")


def p_of_overlapping_samples(one: list[list[str]], other: list[list[str]]) -> float:
    from scipy import stats

    size = len(one) // 2
    values = [
        sample_measure(texts, size=size, measure=lambda some: self_bleu(some, orders=[4]).mean(4)).values
        for texts in (one, other)
    ]
    return float(stats.ttest_ind(*values, equal_var=False).pvalue)


if __name__ == "__main__":
    main()
