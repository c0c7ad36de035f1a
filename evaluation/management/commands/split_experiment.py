"""Train on each of several stored splits with several seeds, and say how much is lost against a random split."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from curation.commands import DomainCommand
from curation.errors import Missing
from evaluation.models import Experiment, Split
from evaluation.services.experiments import (
    TUNING,
    cross_model_matrix,
    explain_drops,
    positive_label,
    request_experiment,
    resume_experiment,
    summarise,
)
from evaluation.services.split_files import finish_here


class Command(DomainCommand):
    help = "Train on stored splits (see latent_split --store) and compare what is reached."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("splits", nargs="*", metavar="SPLIT", help="keys of splits of one data set")
        parser.add_argument("--trainer", default="linear", metavar="SPEC", help="linear, or hf:FOLDER_OR_ID")
        parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3])
        parser.add_argument("--epochs", type=int)
        parser.add_argument("--learning-rate", type=float)
        parser.add_argument("--batch-size", type=int)
        parser.add_argument("--max-length", type=int)
        parser.add_argument("--resume", metavar="EXPERIMENT", help="go on with one that was stopped")

    def perform(self, **options: Any) -> dict[str, Any]:
        experiment = self._resumed(options["resume"]) if options["resume"] else self._new(options)
        assert experiment.job is not None
        self.stderr.write(f"{experiment.key}: go on with --resume {experiment.key} if it is stopped")
        finish_here(experiment.job, progress=self.show_progress)
        siblings = list(Experiment.objects.filter(dataset=experiment.dataset))
        return {
            "experiment": experiment.key,
            "trainer": experiment.trainer,
            "seeds": experiment.seeds,
            "f1_of": positive_label(experiment),
            "splits": [{**row, "split": row["split"].key, "title": str(row["split"])} for row in summarise(experiment)],
            "correlations": explain_drops(experiment),
            "matrix": {split.key: cells for split, cells in cross_model_matrix(siblings).items()},
        }

    def _new(self, options: dict[str, Any]) -> Experiment:
        splits = [self._split(key) for key in options["splits"]]
        tuning = {name: options[name] for name in TUNING if options[name] is not None}
        return request_experiment(
            splits, trainer=options["trainer"], seeds=options["seeds"], by=None, ring_now=False, **tuning
        )

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
            drop = row["drop"]
            p_value = f", p {_p_value(drop['p'])}" if drop and drop["p"] is not None else ""
            against = f", against random {100 * drop['difference']:+.1f}{p_value}" if drop else ""
            lines.append(
                f"  {row['title']}: {name} {_shown(row['test_f1'])} on its test set, "
                f"{_shown(row['independent_f1'])} on the independent part{against}"
            )
        return "\n".join(lines)


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _shown(value: dict[str, float | None]) -> str:
    if value["mean"] is None:
        return "–"
    return f"{100 * value['mean']:.1f}" + (f" ± {100 * value['error']:.1f}" if value["error"] is not None else "")
