"""Intervals and tests that count templates, beside those that count cases.

    python -m benchmarks.template_statistics [--repeat N] [--data ../shared/data/hatecheck]

The claims: intervals cover at least 93% in every simulated cell where Wilson's on cases covers about 75%. Comparing two
models of HateCheck's paper raises a false alarm in at most 6% of repetitions, where McNemar's test on cases does in a
third; so do gaps between groups that are exchanged inside templates. Simulated coverage: beta-binomial templates,
intra-template correlation 0 to 0.8, true shares 0.05 to 0.9. Real coverage: the templates of a functionality are the
population, as many are drawn from them. False alarms: B-D and B-F exchanged template by template, so that neither is
better. Power: templates drawn anew from the real ones. Macro F1: a third of the templates is not hateful, recall and
specificity from 5 to 95%.
"""

import argparse
import csv
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from core.statistics.intervals import wilson
from core.statistics.shares import effective_cases
from core.statistics.significance import holm, mcnemar_exact, sign_flip_p
from core.statistics.tables import table_difference, table_interval
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.gaps import group_gaps
from evaluation.metrics.scores import macro_f1, template_tables

SIZES = {"7 cases each": (7,), "1, 7 or 10": (1, 7, 10), "1, 2, 7 or 40": (1, 2, 7, 40)}
RATES = ((0.9, 0.9), (0.9, 0.5), (0.95, 0.05), (0.5, 0.5), (0.2, 0.95))
LABELS = ("hateful", "non-hateful")
CELLS = tuple(product((0.0, 0.1, 0.3, 0.5, 0.8), (0.05, 0.2, 0.5, 0.75, 0.9)))


def bootstrapped(right: np.ndarray, cases: np.ndarray, generator: np.random.Generator) -> tuple[float, float]:
    """The percentile bootstrap over templates."""
    picks = generator.integers(len(cases), size=(200, len(cases)))
    low, high = np.quantile(right[picks].sum(axis=1) / cases[picks].sum(axis=1), [0.025, 0.975])
    return float(low), float(high)


def coverage(templates: int, sizes: tuple[int, ...], repeat: int) -> dict[str, tuple[float, float, float]]:
    """Mean and lowest coverage and mean width by method."""
    generator = np.random.default_rng(templates)
    hits: dict[str, list[float]] = {}
    widths: dict[str, list[float]] = {}
    for together, chance in CELLS:
        found: dict[str, list[bool]] = {}
        for _ in range(repeat):
            cases = generator.choice(sizes, templates).astype(float)
            strength = (1 - together) / together if together else 1e9
            chances = generator.beta(chance * strength, (1 - chance) * strength, templates)
            right = generator.binomial(cases.astype(int), chances).astype(float)
            share, effective = right.sum() / cases.sum(), effective_cases(right, cases)
            bounds = {
                "Wilson on cases": wilson(right.sum(), cases.sum()),
                "bootstrap over templates": bootstrapped(right, cases, generator),
                "Wilson on effective cases": wilson(share * effective, effective),
            }
            for name, (low, high) in bounds.items():
                found.setdefault(name, []).append(low - 1e-9 <= chance <= high + 1e-9)
                widths.setdefault(name, []).append(high - low)
        for name, covered in found.items():
            hits.setdefault(name, []).append(float(np.mean(covered)))
    return {name: (float(np.mean(h)), min(h), float(np.mean(widths[name]))) for name, h in hits.items()}


def f1_coverage(templates: int, sizes: tuple[int, ...], repeat: int) -> dict[str, tuple[float, float, float]]:
    """The same of macro F1."""
    generator = np.random.default_rng(templates)
    is_fine = np.arange(templates) < templates // 3
    hits: dict[str, list[float]] = {}
    widths: dict[str, list[float]] = {}
    for together, (recall, specificity) in product((0.0, 0.3, 0.8), RATES):
        fine, strength = is_fine.mean(), (1 - together) / together if together else 1e9
        expected = [[recall, 1 - recall, 0], [1 - specificity, specificity, 0]]
        truth = float(macro_f1(np.asarray(expected) * [[1 - fine], [fine]]))
        chance = np.where(is_fine, specificity, recall)
        found: dict[str, list[bool]] = {}
        for _ in range(repeat):
            cases = generator.choice(sizes, templates)
            right = generator.binomial(cases, generator.beta(chance * strength, (1 - chance) * strength))
            tables = np.zeros((templates, 2, 3))
            label = is_fine.astype(int)
            tables[np.arange(templates), label, label] = right
            tables[np.arange(templates), label, 1 - label] = cases - right
            picks = generator.integers(templates, size=(200, templates))
            drawn = macro_f1(tables[picks].sum(axis=1))
            bounds: dict[str, Any] = {
                "bootstrap over templates": np.nanquantile(drawn, [0.025, 0.975]),
                "Wilson on effective cases": table_interval(tables, macro_f1),
            }
            for name, (low, high) in bounds.items():
                found.setdefault(name, []).append(bool(low - 1e-9 <= truth <= high + 1e-9))
                widths.setdefault(name, []).append(float(high - low))
        for name, covered in found.items():
            hits.setdefault(name, []).append(float(np.mean(covered)))
    return {name: (float(np.mean(h)), min(h), float(np.mean(widths[name]))) for name, h in hits.items()}


def read_columns(folder: Path) -> dict[str, Columns]:
    """B-D and B-F with the groups of their identity cases."""
    with (folder / "all_cases.csv").open(encoding="utf-8", newline="") as file:
        cases = {case["case_id"]: case for case in csv.DictReader(file)}
    rows: dict[str, list[Row]] = {"B-D": [], "B-F": []}
    with (folder / "model_predictions.csv").open(encoding="utf-8", newline="") as file:
        for said in csv.DictReader(file):
            case = cases[said["case_id"]]
            is_identity = "[IDENTITY" in case["case_templ"].upper()
            targets = (case["target_ident"],) if is_identity else ()
            for model, made in rows.items():
                made.append(Row(case["case_id"], case["label_gold"], said[model], functionality=case["functionality"],
                                language="en", targets=targets, template=case["templ_id"]))  # fmt: skip
    return {model: Columns.of(made, labels=LABELS) for model, made in rows.items()}


def macro_f1_alarms(models: dict[str, Columns], repeat: int) -> float:
    """Share of repetitions in which two models that are exchanged template by template differ in macro F1."""
    generator = np.random.default_rng(3)
    first, second = (template_tables(columns) for columns in models.values())
    alarms = 0
    for _ in range(repeat):
        swap = generator.random(len(first))[:, None, None] < 0.5
        found = table_difference(np.where(swap, second, first), np.where(swap, first, second), macro_f1)
        alarms += found is not None and found[1] < 0.05
    return alarms / repeat


def gap_alarms(columns: Columns, repeat: int) -> float:
    """Share of repetitions in which any group is called worse or better, groups being exchanged inside templates."""
    generator, alarms = np.random.default_rng(4), 0
    factor = columns.factors["target"]
    for _ in range(repeat):
        order = np.lexsort((generator.random(len(factor.rows)), columns.clusters[factor.rows]))
        back = np.lexsort((np.arange(len(factor.rows)), columns.clusters[factor.rows]))
        codes = np.empty_like(factor.codes)
        codes[back] = factor.codes[order]
        found = group_gaps(columns, type(factor)(factor.values, factor.rows, codes))["groups"].values()
        alarms += min((group["p_holm"] for group in found if group["p_holm"] is not None), default=1.0) < 0.05
    return alarms / repeat


def by_functionality(columns: Columns, *facts: np.ndarray) -> dict[str, np.ndarray]:
    """Sums of facts about cases: a table for each functionality, a row for each template."""
    factor, found = columns.factors["functionality"], {}
    for code, key in enumerate(factor.values):
        rows = factor.rows[factor.codes == code]
        of_case = np.unique(columns.clusters[rows], return_inverse=True)[1]
        found[key] = np.stack([np.bincount(of_case, weights=fact[rows].astype(float)) for fact in facts], axis=1)
    return found


def real_coverage(models: dict[str, Columns], repeat: int) -> dict[str, list[float]]:
    """Coverage by method, one figure for each functionality of each model."""
    generator = np.random.default_rng(2)
    found: dict[str, list[float]] = {}
    for templates in (
        table
        for columns in models.values()
        for table in by_functionality(columns, columns.is_correct, np.ones(len(columns.cases))).values()
    ):
        truth = templates[:, 0].sum() / templates[:, 1].sum()
        hits: dict[str, list[bool]] = {}
        for _ in range(repeat):
            right, cases = templates[generator.integers(len(templates), size=len(templates))].T
            share, effective = right.sum() / cases.sum(), effective_cases(right, cases)
            bounds = {
                "Wilson on cases": wilson(right.sum(), cases.sum()),
                "bootstrap over templates": bootstrapped(right, cases, generator),
                "Wilson on effective cases": wilson(share * effective, effective),
            }
            for name, (low, high) in bounds.items():
                hits.setdefault(name, []).append(low - 1e-9 <= truth <= high + 1e-9)
        for name, covered in hits.items():
            found.setdefault(name, []).append(float(np.mean(covered)))
    return found


def findings(only: dict[str, np.ndarray]) -> dict[str, set[str]]:
    """Functionalities that either test calls significant after Holm's correction."""
    tests = {
        "sign flips of templates": {key: sign_flip_p(one[:, 0] - one[:, 1]) for key, one in only.items()},
        "McNemar on cases": {key: mcnemar_exact(*one.sum(axis=0)) for key, one in only.items()},
    }
    return {
        name: {key for key, p in holm({k: p for k, p in ps.items() if p is not None}).items() if p < 0.05}
        for name, ps in tests.items()
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeat", type=int, default=400)
    options.add_argument("--data", type=Path, default=Path("../shared/data/hatecheck"))
    chosen = options.parse_args()
    print("Coverage of nominal 95% (mean / lowest cell, mean width)")
    for title, sizes in SIZES.items():
        for templates in (4, 8, 12, 20, 50):
            figures = coverage(templates, sizes, chosen.repeat)
            told = "; ".join(f"{name} {m:.2f} / {low:.2f}, {w:.2f}" for name, (m, low, w) in figures.items())
            print(f"  {templates:>3} templates of {title}: {told}")
    print("Coverage of nominal 95% of macro F1")
    for title, sizes in SIZES.items():
        for templates in (9, 15, 48, 200):
            figures = f1_coverage(templates, sizes, chosen.repeat)
            told = "; ".join(f"{name} {m:.2f} / {low:.2f}, {w:.2f}" for name, (m, low, w) in figures.items())
            print(f"  {templates:>3} templates of {title}: {told}")
    if not chosen.data.is_dir():
        print(f"No predictions at {chosen.data}: false alarms and power are left out.")
        return
    models = read_columns(chosen.data)
    print("Coverage on the templates of HateCheck, 29 functionalities of B-D and B-F")
    for name, shares in real_coverage(models, chosen.repeat).items():
        print(f"  {name}: mean {np.mean(shares):.3f}, median {np.median(shares):.3f}, lowest {min(shares):.3f}")
    right, other_right = (columns.is_correct for columns in models.values())
    first, generator = next(iter(models.values())), np.random.default_rng(1)
    counts = {
        key: table.astype(int)
        for key, table in by_functionality(first, right & ~other_right, other_right & ~right).items()
    }
    really = {name: len(keys) for name, keys in findings(counts).items()}
    print(f"Functionalities of {len(counts)} on which B-D and B-F differ significantly: {really}")
    alarms: dict[str, list[int]] = {}
    found: dict[str, list[int]] = {}
    for _ in range(chosen.repeat):
        swapped, redrawn = {}, {}
        for key, only in counts.items():
            swap = generator.random(len(only)) < 0.5
            swapped[key] = np.where(swap[:, None], only[:, ::-1], only)
            redrawn[key] = only[generator.integers(len(only), size=len(only))]
        for name, keys in findings(swapped).items():
            alarms.setdefault(name, []).append(len(keys))
        for name, keys in findings(redrawn).items():
            found.setdefault(name, []).append(len(keys))
    for name in alarms:
        wrong = float(np.mean([number > 0 for number in alarms[name]]))
        print(f"  {name}: family-wise error {100 * wrong:.1f}%, functionalities found {np.mean(found[name]):.2f}")
    print(f"  macro F1 over templates: false alarms {100 * macro_f1_alarms(models, chosen.repeat):.1f}%")
    for model, columns in models.items():
        print(f"  gaps between groups of {model}: family-wise error {100 * gap_alarms(columns, chosen.repeat):.1f}%")


if __name__ == "__main__":
    main()
