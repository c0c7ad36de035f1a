"""Train a baseline on labelled texts: an encoder for `evaluate --model hf:DIR`, or a linear one for `linear:DIR`."""

import sys
from typing import Any

from core.commands import DomainCommand
from core.errors import BadInput
from evaluation.datasets.labelled_files import read_file
from evaluation.registry.services import runner_settings
from evaluation.runners import InferenceError
from evaluation.training.algorithm.rows import LabelledRow, draw_sample, rows_of
from evaluation.training.algorithm.settings import Moment
from evaluation.training.options import TrainingOptions


class Command(DomainCommand):
    help = "Fine-tune an encoder on a labelled file. Interrupted, the same command goes on from its last checkpoint."

    options = TrainingOptions

    def perform(self, chosen: TrainingOptions) -> dict[str, Any]:
        data, _ = read_file(
            chosen.data,
            text_column=chosen.text_column or None,
            label_column=chosen.label_column or None,
            split_column=chosen.split_column or None,
            label_map={word: label or None for word, label in chosen.label_map.items()} or None,
        )
        rows = rows_of(data)
        if chosen.sample:
            rows = draw_sample(rows, chosen.sample, seed=chosen.seeds[0])
        try:
            return self.train_linear(rows, chosen) if chosen.is_linear else self.train_encoder(rows, chosen)
        except (ValueError, InferenceError) as error:
            raise BadInput(f"Nothing was trained. {error}") from error

    def train_encoder(self, rows: list[LabelledRow], chosen: TrainingOptions) -> dict[str, Any]:
        from evaluation.training.algorithm.finetune import finetune

        here = {name: getattr(chosen, name) for name in ("checkpoint_every", "device", "threads")}
        settings = chosen.settings(chosen.trainer, chosen.out, chosen.data.name, **here)
        found = finetune(settings, rows, allowed=runner_settings(), progress=self.show_moment)
        return {"out": str(found.folder), "model": f"hf:{found.folder}", **found.metrics}

    def train_linear(self, rows: list[LabelledRow], chosen: TrainingOptions) -> dict[str, Any]:
        """The linear baseline; of the training options only the parts, the first seed and the cleaning matter to it."""
        from evaluation.training.algorithm.linear import train_linear_folder

        metrics = train_linear_folder(
            rows,
            chosen.out,
            solver=chosen.trainer.removeprefix("linear:"),
            seed=chosen.seeds[0],
            cleaning=chosen.cleaner,
            data_name=chosen.data.name,
            as_published=chosen.published_split,
        )
        return {"out": str(chosen.out), "model": f"linear:{chosen.out}", **metrics}

    def show_moment(self, moment: Moment) -> None:
        """One line per look on a terminal, one per epoch elsewhere, always on stderr."""
        loss = "" if moment.loss is None else f" loss {moment.loss:.3f}"
        left = "" if moment.seconds_left is None else f", {moment.seconds_left:.0f} s left"
        dev = "" if moment.validation_macro_f1 is None else f" validation macro F1 {moment.validation_macro_f1:.3f}"
        place = f"trial {moment.trial}/{moment.trials} epoch {moment.epoch}/{moment.epochs}"
        line = f"{place} step {moment.step}/{moment.steps}{loss}{dev}{left}"
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()
        elif moment.validation_macro_f1 is not None:
            self.stderr.write(line)

    def describe(self, result: dict[str, Any]) -> str:
        test = result.get("test", {})
        figures = ", ".join(
            f"{name.replace('_', ' ')} {test[name]:.3f}"
            for name in ("macro_f1", "micro_f1")
            if test.get(name) is not None
        )
        written = f"Written to {result['out']}. On the held-out part: {figures}."
        return f"{written}\nRun it: evaluate SUITE@VERSION --model {result['model']}"
