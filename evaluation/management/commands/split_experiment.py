"""Train on each of several stored splits with several seeds, and say how much is lost against a random split."""

from typing import Any

from core.commands import DomainCommand
from core.errors import Missing
from evaluation.models import Experiment, Split
from evaluation.splits.experiments import (
    compare_methods,
    cross_model_matrix,
    explain_drops,
    positive_label,
    request_experiment,
    resume_experiment,
    summarise,
)
from evaluation.splits.files import finish_here
from evaluation.splits.options import ExperimentOptions


class Command(DomainCommand):
    help = "Train on stored splits (see latent_split --store) and compare what is reached."

    options = ExperimentOptions

    def perform(self, chosen: ExperimentOptions) -> dict[str, Any]:
        if chosen.resume:
            experiment = self._resumed(chosen.resume)
        else:
            splits = [self._split(key) for key in chosen.splits]
            experiment = request_experiment(splits, chosen, by=None, ring_now=False)
        assert experiment.job is not None
        self.stderr.write(f"{experiment.key}: if it is stopped, continue with --resume {experiment.key}")
        finish_here(experiment.job, progress=self.show_progress)
        siblings = list(Experiment.objects.filter(dataset=experiment.dataset))
        return {
            "experiment": experiment.key,
            "trainer": experiment.trainer,
            "seeds": experiment.seeds,
            "f1_of": positive_label(experiment),
            "splits": [{**row, "split": row["split"].key, "title": str(row["split"])} for row in summarise(experiment)],
            "methods": compare_methods(experiment),
            "correlations": explain_drops(experiment),
            "matrix": {split.key: cells for split, cells in cross_model_matrix(siblings).items()},
        }

    def _split(self, key: str) -> Split:
        split = Split.objects.filter(key=key).first()
        if split is None:
            known = ", ".join(Split.objects.built().values_list("key", flat=True)[:20]) or "none yet"
            raise Missing(f"There is no split '{key}'. Known: {known}.")
        return split

    def _resumed(self, key: str) -> Experiment:
        experiment = Experiment.objects.filter(key=key).select_related("job", "dataset").first()
        if experiment is None:
            known = ", ".join(Experiment.objects.values_list("key", flat=True)[:20]) or "none yet"
            raise Missing(f"There is no experiment '{key}'. Known: {known}.")
        return resume_experiment(experiment, by=None, ring_now=False)

    def describe(self, result: dict[str, Any]) -> str:
        lines = [f"{result['experiment']}: {result['trainer']}, seeds {', '.join(map(str, result['seeds']))}"]
        name = f"F1 of '{result['f1_of']}'" if result["f1_of"] else "macro F1"
        for row in result["splits"]:
            lines.append(
                f"  {row['title']}: {name} {_shown(row['test_f1'])} on its test set, "
                f"{_shown(row['independent_f1'])} on the independent part{_against(row)}"
            )
        for row in result["methods"]:
            lines.append(
                f"  {row['title']}, {len(row['cluster_seeds'])} x {row['training_seeds']} seeds: {name} "
                f"{_shown(row['test_f1'])}{_against(row)}"
            )
        return "\n".join(lines)


def _against(row: dict[str, Any]) -> str:
    p_value = f", p {_p_value(row['p_holm'])} after Holm" if row.get("p_holm") is not None else ""
    return "" if row["drop"] is None else f", against random {100 * row['drop']:+.1f}{p_value}"


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _shown(value: dict[str, float | None]) -> str:
    if value["mean"] is None:
        return "–"
    return f"{100 * value['mean']:.1f}" + (f" ± {100 * value['error']:.1f}" if value["error"] is not None else "")
