"""Fleiss' kappa of 1,000,000 cases with five labels: ours from count tables, statsmodels with its aggregation.

    python -m benchmarks.kappa [--cases N] [--repeat N]

The claim: at least 20 times statsmodels once the counts are there, equal to 1e-12. Counting is what a database does in
the same pass that reads the labels, so it is shown beside, not hidden: both ways of counting, and both peers.
"""

import argparse
import time
from collections.abc import Callable

import krippendorff
import numpy as np
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_kappa

from annotation.measures.coefficients import fleiss_kappa_of_table, fleiss_kappa_unequal, krippendorff_alpha
from annotation.measures.intervals import fleiss_interval

CLAIM = 20.0


def invent(cases: int, raters: int = 5) -> np.ndarray:
    """Labels of five annotators who agree about as often as HateCheck's did."""
    generator = np.random.default_rng(1)
    truth = generator.random(cases) < 0.68
    return (truth[:, None] ^ (generator.random((cases, raters)) < 0.02)).astype(np.int64)


def best_of(repeat: int, work: Callable[[], object]) -> tuple[float, object]:
    """Seconds of the fastest run, and what it gave."""
    fastest, result = float("inf"), None
    for _ in range(repeat):
        start = time.perf_counter()
        result = work()
        fastest = min(fastest, time.perf_counter() - start)
    return fastest, result


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--cases", type=int, default=1_000_000)
    options.add_argument("--repeat", type=int, default=3)
    chosen = options.parse_args()
    labels = invent(chosen.cases)
    hateful = labels.sum(axis=1)
    table = np.column_stack([hateful, labels.shape[1] - hateful])
    patterns, times = np.unique(table, axis=0, return_counts=True)
    templates = (np.arange(chosen.cases) // 9).tolist()

    peer, peer_value = best_of(chosen.repeat, lambda: statsmodels_kappa(aggregate_raters(labels)[0]))
    peer_bare, _ = best_of(chosen.repeat, lambda: statsmodels_kappa(table))
    ours, found = best_of(chosen.repeat, lambda: fleiss_kappa_of_table(table).value)
    unequal, _ = best_of(chosen.repeat, lambda: fleiss_kappa_unequal(table))
    grouped, grouped_value = best_of(chosen.repeat, lambda: fleiss_kappa_of_table(patterns, cases_per_row=times).value)
    alpha, _ = best_of(chosen.repeat, lambda: krippendorff_alpha(table))
    alpha_peer, _ = best_of(
        chosen.repeat, lambda: krippendorff.alpha(value_counts=table, level_of_measurement="nominal")
    )
    interval, _ = best_of(1, lambda: fleiss_interval(table, templates, seed=1, draws=200))

    print(f"{chosen.cases:,} cases x 5 labels, best of {chosen.repeat}")
    for name, seconds in [
        ("statsmodels, aggregate_raters + fleiss_kappa", peer),
        ("statsmodels, fleiss_kappa on the count table", peer_bare),
        ("ours, count table", ours),
        ("ours, unequal raters", unequal),
        ("ours, patterns counted by the database", grouped),
        ("krippendorff package", alpha_peer),
        ("ours, alpha through the package", alpha),
        ("ours, bootstrap over templates, 200 draws", interval),
    ]:
        print(f"  {name:<48} {seconds * 1000:10.2f} ms   {peer / seconds:10.1f} x")
    difference = max(abs(float(found) - float(peer_value)), abs(float(grouped_value) - float(peer_value)))  # type: ignore[arg-type]
    print(f"  difference from statsmodels {difference:.1e}")
    if peer / ours < CLAIM or difference > 1e-12:
        raise SystemExit(f"the claim does not hold: {peer / ours:.1f} times, {difference:.1e} apart")


if __name__ == "__main__":
    main()
