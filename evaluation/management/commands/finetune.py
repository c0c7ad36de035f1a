"""Fine-tune an encoder on labelled texts; the result is a model that `evaluate --model hf:DIR` runs."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from curation.commands import DomainCommand
from curation.errors import BadInput
from evaluation.datasets.reading import read_labelled
from evaluation.runners import RunnerError
from evaluation.training.rows import LabelledRow, rows_of
from evaluation.training.settings import FinetuneSettings, Moment


class Command(DomainCommand):
    help = "Fine-tune an encoder on a labelled file. Interrupted, the same command goes on from its last checkpoint."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--data", required=True, type=Path, metavar="FILE", help="CSV, TSV, JSONL or Parquet")
        parser.add_argument("--encoder", required=True, metavar="SPEC", help="folder or hub id, also as hf:...")
        parser.add_argument("--out", required=True, type=Path, metavar="DIR")
        columns = parser.add_argument_group("columns and labels")
        for name in ("text", "label", "split"):
            columns.add_argument(f"--{name}-column", help="default: found by its common names")
        columns.add_argument(
            "--label-map", nargs="+", default=[], metavar="FROM=TO", help="0=hateful 1=non-hateful 2= (leaves 2 out)"
        )
        training = parser.add_argument_group("training")
        training.add_argument("--epochs", type=int, nargs="+", default=[3], help="several values: a grid search")
        training.add_argument("--learning-rate", type=float, nargs="+", default=[5e-5])
        training.add_argument("--batch-size", type=int, nargs="+", default=[16])
        training.add_argument("--seeds", type=int, nargs="+", default=[0])
        training.add_argument("--max-length", type=int, default=128)
        training.add_argument("--patience", type=int, default=2)
        training.add_argument("--no-class-weights", action="store_true")
        training.add_argument("--published-split", action="store_true", help="use the file's train, dev and test")
        training.add_argument("--sample", type=int, help="train on so many rows, drawn with the first seed")
        training.add_argument("--device", default="cpu")
        training.add_argument("--threads", type=int)

    def perform(self, **options: Any) -> dict[str, Any]:
        from evaluation.training.finetune import finetune

        rows = self.read(options)
        try:
            found = finetune(self.settings_of(options), rows, progress=self.show_moment)
        except (ValueError, RunnerError) as error:
            raise BadInput(f"Nothing was trained. {error}") from error
        return {"out": str(found.folder), "model": f"hf:{found.folder}", **found.metrics}

    def read(self, options: dict[str, Any]) -> list[LabelledRow]:
        """The rows of the file. Refuses with every bad place named."""
        reading = read_labelled(
            options["data"],
            text_column=options["text_column"],
            label_column=options["label_column"],
            split_column=options["split_column"],
            label_map=read_label_map(options["label_map"]),
        )
        if reading.data is None:
            fields = ("file", "row", "column", "problem", "fix", "severity")
            problems = [{name: getattr(problem, name) for name in fields} for problem in reading.errors]
            first = problems[0]
            raise BadInput(f"{first['file']} cannot be used: {first['problem']}. {first['fix']}", problems=problems)
        rows = rows_of(reading.data)
        return draw_sample(rows, options["sample"], seed=options["seeds"][0]) if options["sample"] else rows

    def settings_of(self, options: dict[str, Any]) -> FinetuneSettings:
        varied = {name: options[name] for name in ("epochs", "learning_rate", "batch_size")}
        grid = {name: tuple(values) for name, values in varied.items() if len(values) > 1}
        single = {name: values[0] for name, values in varied.items()}
        return FinetuneSettings(
            encoder=options["encoder"].removeprefix("hf:"),
            out=options["out"],
            seeds=tuple(options["seeds"]),
            grid=grid,
            max_length=options["max_length"],
            patience=options["patience"],
            class_weights=not options["no_class_weights"],
            published_split=options["published_split"],
            device=options["device"],
            threads=options["threads"],
            data_name=options["data"].name,
            **single,
        )

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


def read_label_map(pairs: list[str]) -> dict[str, str | None] | None:
    """`FROM=TO`; an empty TO leaves the rows out. Refuses anything without an equals sign."""
    found: dict[str, str | None] = {}
    for pair in pairs:
        name, equals, label = pair.partition("=")
        if not equals:
            raise BadInput(f"'{pair}' is not FROM=TO. Write for example 0=hateful.")
        found[name.strip()] = label.strip() or None
    return found or None


def draw_sample(rows: list[LabelledRow], size: int, *, seed: int) -> list[LabelledRow]:
    """So many rows, by label as in the whole."""
    import random

    chance = random.Random(seed)
    by_label: dict[str, list[LabelledRow]] = {}
    for row in rows:
        by_label.setdefault(row.label, []).append(row)
    chosen: list[LabelledRow] = []
    for label in sorted(by_label):
        share = max(1, round(size * len(by_label[label]) / len(rows)))
        chosen += chance.sample(by_label[label], min(share, len(by_label[label])))
    return chosen
