"""Train a baseline on labelled texts: an encoder for `evaluate --model hf:DIR`, or a linear one for `linear:DIR`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.commands import DomainCommand
from evaluation.datasets.files.values import LabelledData
from evaluation.datasets.labelled_files import find_abusive, read_file
from evaluation.training.algorithm.rows import rows_of
from evaluation.training.algorithm.settings import Moment
from evaluation.training.options import TrainingOptions
from evaluation.training.services import held_out_rows, train_into


class Command(DomainCommand):
    help = "Fine-tune an encoder on a labelled file. Interrupted, the same command continues from its last checkpoint."

    options = TrainingOptions

    def perform(self, chosen: TrainingOptions) -> dict[str, Any]:
        data = [self.read(path, chosen) for path in chosen.data]
        rows = [row for one in data for row in rows_of(one)]
        metrics = train_into(
            chosen.out,
            rows,
            trainer=chosen.trainer,
            tuning=chosen,
            data_name=" and ".join(path.name for path in chosen.data),
            positive=self.positive([row.label for row in rows], chosen),
            test_sets={path.name: held_out_rows(self.read(path, chosen)) for path in chosen.test},
            progress=self.show_moment,
            **{name: getattr(chosen, name) for name in ("checkpoint_every", "device", "threads")},
        )
        kind = "linear" if chosen.is_linear else "hf"
        return {"out": str(chosen.out), "model": f"{kind}:{chosen.out}", **metrics}

    def read(self, path: Path, chosen: TrainingOptions) -> LabelledData:
        columns = {name: getattr(chosen, name) or None for name in ("text_column", "label_column", "split_column")}
        label_map = {word: label or None for word, label in chosen.label_map.items()} or None
        return read_file(path, label_map=label_map, **columns)[0]

    def positive(self, labels: Sequence[str], chosen: TrainingOptions) -> str:
        """Return the class whose F1 selects; "" where another measure does. Refuses labels that do not tell."""
        return find_abusive(labels, ())[0] if chosen.select_by == "f1" and not chosen.is_linear else ""

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
        for name, one in result.get("tests", {}).items():
            figures += f"; {name}: macro F1 {one['macro_f1']:.3f}"
        written = f"Written to {result['out']}. On the held-out part: {figures}."
        return f"{written}\nRun it: evaluate SUITE@VERSION --model {result['model']}"
