"""Train a baseline on labelled texts: an encoder for `evaluate --model hf:DIR`, or a linear one for `linear:DIR`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from curation.commands import DomainCommand
from curation.errors import BadInput
from evaluation.datasets.reading import read_labelled
from evaluation.runners import RunnerError
from evaluation.services.registry import runner_settings
from evaluation.training.cleaning import NOTHING, Cleaning
from evaluation.training.rows import LabelledRow, rows_of
from evaluation.training.settings import FinetuneSettings, Moment


class Command(DomainCommand):
    help = "Fine-tune an encoder on a labelled file. Interrupted, the same command goes on from its last checkpoint."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--data", required=True, type=Path, metavar="FILE", help="CSV, TSV, JSONL or Parquet")
        parser.add_argument(
            "--encoder",
            required=True,
            metavar="SPEC",
            help="folder or hub id, also as hf:...; linear or linear:svm trains TF-IDF with a linear classifier",
        )
        parser.add_argument("--out", required=True, type=Path, metavar="DIR")
        columns = parser.add_argument_group("columns and labels")
        for name in ("text", "label", "split"):
            columns.add_argument(f"--{name}-column", help="default: found by its common names")
        columns.add_argument(
            "--label-map",
            nargs="+",
            action="extend",
            default=[],
            metavar="FROM=TO",
            help="0=hateful 1=non-hateful 2= (leaves 2 out)",
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
        training.add_argument("--checkpoint-every", type=int, default=100, metavar="STEPS")
        training.add_argument("--no-cleaning", action="store_true", help="leave URLs, users, emoji, hashtags and case")
        training.add_argument("--device", default="cpu")
        training.add_argument("--threads", type=int)

    def perform(self, **options: Any) -> dict[str, Any]:
        rows = self.read(options)
        kind, _, solver = options["encoder"].partition(":")
        try:
            return self.train_linear(rows, solver, options) if kind == "linear" else self.train_encoder(rows, options)
        except (ValueError, RunnerError) as error:
            raise BadInput(f"Nothing was trained. {error}") from error

    def train_encoder(self, rows: list[LabelledRow], options: dict[str, Any]) -> dict[str, Any]:
        from evaluation.training.finetune import finetune

        found = finetune(self.settings_of(options), rows, allowed=runner_settings(), progress=self.show_moment)
        return {"out": str(found.folder), "model": f"hf:{found.folder}", **found.metrics}

    def train_linear(self, rows: list[LabelledRow], solver: str, options: dict[str, Any]) -> dict[str, Any]:
        """The linear baseline; of the training options only the parts, the first seed and the cleaning matter to it."""
        from evaluation.training.linear import train_linear_folder

        metrics = train_linear_folder(
            rows,
            options["out"],
            solver=solver or "logistic",
            seed=options["seeds"][0],
            cleaning=NOTHING if options["no_cleaning"] else Cleaning(),
            data_name=options["data"].name,
            as_published=options["published_split"],
        )
        return {"out": str(options["out"]), "model": f"linear:{options['out']}", **metrics}

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
        return FinetuneSettings.with_grid(
            encoder=options["encoder"].removeprefix("hf:"),
            out=options["out"],
            epochs=options["epochs"],
            learning_rate=options["learning_rate"],
            batch_size=options["batch_size"],
            seeds=tuple(options["seeds"]),
            max_length=options["max_length"],
            patience=options["patience"],
            class_weights=not options["no_class_weights"],
            published_split=options["published_split"],
            cleaning=NOTHING if options["no_cleaning"] else Cleaning(),
            checkpoint_every=options["checkpoint_every"],
            device=options["device"],
            threads=options["threads"],
            data_name=options["data"].name,
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
