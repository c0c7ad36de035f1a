"""The options of a training, declared once for the page, the API and the command."""

from pathlib import Path
from typing import Any

from pydantic import field_validator

from core.options import API, COMMAND, LARGEST_SEED, PAGE, File, Options, Pairs, only, option
from evaluation.training.algorithm.cleaning import NOTHING, Cleaning
from evaluation.training.algorithm.settings import FinetuneSettings, SelectBy

STEPS = {
    "urls": "URLs", "users": "Names of users", "emoji": "Emoji", "hashtags": "Hashtags", "lower_case": "Capitals",
    "entities": "HTML entities",
}  # fmt: skip
SELECTIONS = {
    "macro_f1": "Macro F1 on the validation part",
    "f1": "F1 of the hateful class on the validation part",
    "loss": "Loss on the validation part",
}
LINEAR = ("linear:logistic", "linear:svm")
STORED = only(COMMAND, "works on a stored data set, which knows it")
IN_FILES = {COMMAND: "works on files and writes a folder"}
BY_A_WORKER = only(COMMAND, "the settings of the worker say it")
FURTHER: dict[str, Any] = {"group": "More settings", "advanced": True}


def known_trainer(trainer: str) -> str:
    """Return the trainer in full: an encoder may stand there without its kind, a linear model without a solver."""
    trainer = trainer.strip()
    kind, colon, target = trainer.partition(":")
    if trainer in ("linear", *LINEAR):
        return LINEAR[0] if trainer == "linear" else trainer
    if kind == "hf" and colon:
        if not target:
            raise ValueError("Name an encoder: a folder or a hub id.")
        return trainer
    if colon and not Path(trainer).exists():
        raise ValueError(f"'{trainer}' names no trainer. Write {' or '.join(LINEAR)}, or hf: and an encoder.")
    return f"hf:{trainer}"


class Tuning(Options):
    """How to train. Several values are a grid; a linear model heeds the parts, the first seed, sample and cleaning."""

    published_split: bool = option(
        False, label="Use the data's own parts", help="Train, dev and test as the data names them, instead of 80/10/10."
    )
    epochs: tuple[int, ...] = option((3,), help="Several numbers are a grid search.", least=1, most=1000)
    learning_rate: tuple[float, ...] = option((5e-5,), help="Several numbers are a grid search.", above=0)
    batch_size: tuple[int, ...] = option((16,), help="Several numbers are a grid search.", least=1, most=1024)
    seeds: tuple[int, ...] = option(
        (0,), help="One training each; the best on the validation part is kept.", least=0, most=LARGEST_SEED
    )
    sample: int | None = option(
        None, help="Train on so many rows, drawn with the first seed.", unless_given="all rows", least=1, **FURTHER
    )
    max_length: int = option(
        128, label="Longest text", help="Tokens of a text that the encoder reads.", least=4, most=10_000, **FURTHER
    )
    patience: int = option(
        2, help="Epochs without a better validation score before it stops.", least=1, most=1000, **FURTHER
    )
    select_by: SelectBy = option(
        "macro_f1", label="Select by", help="What the best epoch and the best trial are chosen by.", choices=SELECTIONS,
        **FURTHER,
    )  # fmt: skip
    class_weights: bool = option(True, help="Rare labels weigh as much as frequent ones.", **FURTHER)
    cleaning: bool = option(
        True, label="Clean the texts", help="Replace URLs, users, emoji and hashtags, and ignore case.", **FURTHER
    )
    keep: tuple[str, ...] = option(
        (), label="Leave alone", help="Steps of cleaning that are left out.", choices=STEPS, unless_given="all steps",
        **FURTHER,
    )  # fmt: skip

    def settings(self, encoder: str, out: Path, data_name: str, **others: Any) -> FinetuneSettings:
        """Return the same for a fine-tuning."""
        return FinetuneSettings.with_grid(
            encoder=encoder.removeprefix("hf:"),
            out=out,
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            batch_size=self.batch_size,
            seeds=self.seeds,
            max_length=self.max_length,
            patience=self.patience,
            select_by=self.select_by,
            class_weights=self.class_weights,
            published_split=self.published_split,
            cleaning=self.cleaner,
            data_name=data_name,
            **others,
        )

    @property
    def cleaner(self) -> Cleaning:
        return Cleaning(**{step: step not in self.keep for step in STEPS}) if self.cleaning else NOTHING


class TrainingOptions(Tuning):
    """A baseline to train on labelled texts."""

    verb = "finetune"

    name: str = option("", help="As you would call it in a paper.", longest=160, needed=(PAGE, API), without=IN_FILES)
    dataset: str = option("", label="Data set", help="Key of a stored data set.", needed=(PAGE, API), without=IN_FILES)
    more_datasets: tuple[str, ...] = option(
        (), label="Further data sets", help="Keys of data sets that are trained on with it.", without=IN_FILES
    )
    test_datasets: tuple[str, ...] = option(
        (), label="Further test sets", help="Keys of data sets that the model is measured on. Their test part counts, "
        "or all rows where they have none.", without=IN_FILES,
    )  # fmt: skip
    positive: tuple[str, ...] = option(
        (),
        label="Labels that mean hateful",
        help="As they are in the data. All others are non-hateful.",
        needed=(PAGE, API),
        without={COMMAND: "renames labels with --label-map"},
    )
    trainer: str = option(
        label="What to train",
        help="linear:logistic or linear:svm for TF-IDF and a linear model, or hf: and the folder or hub id of an "
        "encoder that is fine-tuned.",
        longest=500,
        flag="--encoder",
        metavar="SPEC",
        suggestions=(*LINEAR, "hf:distilroberta-base"),
    )
    data: tuple[File, ...] = option(
        (), help="Labelled texts, one file or several: CSV, TSV, JSON Lines or Parquet.", metavar="FILE",
        needed=(COMMAND,), without=STORED,
    )  # fmt: skip
    test: tuple[File, ...] = option(
        (), help="Further test sets. Their test part counts, or all rows where they have none.", metavar="FILE",
        without=STORED,
    )  # fmt: skip
    out: File = option(
        None,
        help="Folder to write to.",
        metavar="DIR",
        needed=(COMMAND,),
        without=only(COMMAND, "keeps the model itself"),
    )
    text_column: str = option("", help="Column with the texts.", unless_given="found by its name", without=STORED)
    label_column: str = option("", help="Column with the labels.", unless_given="found by its name", without=STORED)
    split_column: str = option("", help="Column with the parts.", unless_given="found by its name", without=STORED)
    label_map: Pairs = option(
        {},
        help="What labels become: 0=hateful 1=non-hateful; 2= leaves the rows of 2 out.",
        metavar="FROM=TO",
        without=STORED,
    )
    checkpoint_every: int = option(
        100, help="Steps between checkpoints.", least=1, metavar="STEPS", without=BY_A_WORKER
    )
    device: str = option("cpu", help="What to train on, such as cuda.", without=BY_A_WORKER)
    threads: int | None = option(
        None, help="Processor threads.", unless_given="as many as there are cores", least=1, without=BY_A_WORKER
    )

    @field_validator("trainer")
    @classmethod
    def _known_trainer(cls, trainer: str) -> str:
        return known_trainer(trainer)

    @property
    def is_linear(self) -> bool:
        return self.trainer in LINEAR


class MaterialOptions(Options):
    """Training material from the functionalities a model fails on; the test part are templates that are held out."""

    verb = "training material"

    run: str = option(
        "", help="Key of a finished run.", positional=True, needed=(COMMAND,), metavar="RUN",
        without=only(COMMAND, "the address names it"),
    )  # fmt: skip
    below: float = option(
        0.7, label="Accuracy below", help="A functionality fails below this share of right answers.", above=0, most=1
    )
    functionalities: tuple[str, ...] = option(
        (), help="Keys of functionalities to take instead.", unless_given="those that fail", metavar="KEY"
    )
    held_out: float = option(
        0.5, label="Held-out templates", help="Share of the templates of each functionality that is only tested with.",
        above=0, below=1,
    )  # fmt: skip
    seed: int = option(1, help="Decides which templates are held out.", least=0, most=LARGEST_SEED)
    title: str = option(
        "", help="Of the data set.", unless_given="model and release", longest=160,
        without={COMMAND: "writes a file"},
    )  # fmt: skip
    out: File = option(
        None, help="CSV file to write.", metavar="FILE", needed=(COMMAND,),
        without=only(COMMAND, "keeps it as a data set"),
    )  # fmt: skip


class ContaminationOptions(Options):
    """Whether a training set holds cases of releases, word for word or nearly."""

    verb = "check contamination"

    data: tuple[File, ...] = option(
        (), help="Labelled texts: CSV, TSV, JSON Lines or Parquet.", metavar="FILE", needed=(COMMAND,),
        without=only(COMMAND, "the address names the data set"),
    )  # fmt: skip
    text_column: str = option("", help="Column with the texts.", unless_given="found by its name", without=STORED)
    label_column: str = option("", help="Column with the labels.", unless_given="found by its name", without=STORED)
    releases: tuple[str, ...] = option(
        (), help="Releases to look for, as suite@version.", unless_given="every published one",
        metavar="SUITE@VERSION",
    )  # fmt: skip
    similarity: float = option(
        0.8, help="Share of the three-word sequences of a case that makes a text nearly the case.", above=0, most=1
    )


class InoculationOptions(Options):
    """Trainings with more and more of the material added: what it does on held-out templates."""

    verb = "inoculate"

    material: File = option(
        None, help="File that training_material wrote.", metavar="FILE", needed=(COMMAND,),
        without=only(COMMAND, "the address names it"),
    )  # fmt: skip
    data: File = option(None, help="Labelled texts to add to.", metavar="FILE", needed=(COMMAND,), without=STORED)
    dataset: str = option(
        "", label="Data set", help="Key of the data set that the material is added to.", needed=(PAGE, API),
        without=IN_FILES,
    )  # fmt: skip
    positive: tuple[str, ...] = option(
        (), label="Labels that mean hateful", help="As they are in the data. All others are non-hateful.",
        unless_given="the one with a common name, such as hateful", metavar="LABEL",
    )  # fmt: skip
    trainer: str = option(
        LINEAR[0], label="What to train", help="linear:logistic, linear:svm, or hf: and an encoder that is fine-tuned.",
        longest=500, metavar="SPEC", suggestions=LINEAR,
    )  # fmt: skip
    sizes: tuple[int, ...] = option(
        (0, 20, 50, 100, 200), help="Numbers of examples that are added.", least=0, most=1_000_000
    )
    seeds: tuple[int, ...] = option(
        (1, 2, 3), help="One training each for every number of examples.", least=0, most=LARGEST_SEED
    )
    epochs: int = option(3, help="Of fine-tuning.", least=1, most=1000, **FURTHER)
    learning_rate: float = option(5e-5, help="Of fine-tuning.", above=0, **FURTHER)
    batch_size: int = option(16, help="Of fine-tuning.", least=1, most=1024, **FURTHER)
    max_length: int = option(
        128, label="Longest text", help="Tokens of a text that the encoder reads.", least=4, most=10_000, **FURTHER
    )

    @field_validator("trainer")
    @classmethod
    def _known_trainer(cls, trainer: str) -> str:
        return known_trainer(trainer)

    def tuning(self, seed: int) -> Tuning:
        """Return one training; the parts of the data are set before."""
        return Tuning(
            published_split=True, epochs=(self.epochs,), learning_rate=(self.learning_rate,),
            batch_size=(self.batch_size,), max_length=self.max_length, seeds=(seed,),
        )  # fmt: skip
