"""The options of a training, declared once for the page, the API and the command."""

from pathlib import Path
from typing import Any

from pydantic import field_validator

from core.options import API, COMMAND, LARGEST_SEED, PAGE, File, Options, Pairs, only, option
from core.text import _
from evaluation.training.algorithm.cleaning import NOTHING, Cleaning
from evaluation.training.algorithm.settings import FinetuneSettings, SelectBy

STEPS = {
    "urls": _("URLs"), "users": _("Names of users"), "emoji": _("Emoji"), "hashtags": _("Hashtags"),
    "lower_case": _("Capitals"), "entities": _("HTML entities"),
}  # fmt: skip
SELECTIONS = {
    "macro_f1": _("Macro F1 on the validation part"),
    "f1": _("F1 of the hateful class on the validation part"),
    "loss": _("Loss on the validation part"),
}
LINEAR = ("linear:logistic", "linear:svm")
STORED = only(COMMAND, "works on a stored data set, which knows it")
IN_FILES = {COMMAND: "works on files and writes a folder"}
BY_A_WORKER = only(COMMAND, "the settings of the worker say it")
FURTHER: dict[str, Any] = {"group": _("More settings"), "advanced": True}


def known_trainer(trainer: str) -> str:
    """Return the trainer in full: an encoder may stand there without its kind, a linear model without a solver."""
    trainer = trainer.strip()
    kind, colon, target = trainer.partition(":")
    if trainer in ("linear", *LINEAR):
        return LINEAR[0] if trainer == "linear" else trainer
    if kind == "hf" and colon:
        if not target:
            raise ValueError(_("Name an encoder: a folder or a hub id."))
        return trainer
    if colon and not Path(trainer).exists():
        raise ValueError(
            _(
                "'%(trainer)s' is not a trainer. Write linear:logistic, linear:svm, or hf: and an encoder.",
                trainer=trainer,
            )
        )
    return f"hf:{trainer}"


class Tuning(Options):
    """How to train. Several values are a grid; a linear model heeds the parts, the first seed, sample and cleaning."""

    published_split: bool = option(
        False,
        label=_("Use the data's own parts"),
        help=_("Use the parts train, dev and test that the data names, instead of a random 80/10/10 split."),
    )
    epochs: tuple[int, ...] = option(
        (3,), label=_("Epochs"), help=_("Several numbers make a grid search, for example 2, 3, 4."), least=1, most=1000
    )
    learning_rate: tuple[float, ...] = option(
        (5e-5,),
        label=_("Learning rate"),
        help=_("Several numbers make a grid search, for example 2e-5, 5e-5."),
        above=0,
    )
    batch_size: tuple[int, ...] = option(
        (16,),
        label=_("Batch size"),
        help=_("Several numbers make a grid search, for example 16, 32."),
        least=1,
        most=1024,
    )
    seeds: tuple[int, ...] = option(
        (0,),
        label=_("Seeds"),
        help=_("One training per seed. The best one on the validation part is kept. Example: 1, 2, 3."),
        least=0,
        most=LARGEST_SEED,
    )
    sample: int | None = option(
        None,
        label=_("Sample"),
        help=_("Number of rows to train on, drawn with the first seed, for example 1000."),
        unless_given=_("all rows"),
        least=1,
        **FURTHER,
    )
    max_length: int = option(
        128,
        label=_("Longest text"),
        help=_("How many tokens of a text the encoder reads, for example 128."),
        least=4,
        most=10_000,
        **FURTHER,
    )
    patience: int = option(
        2,
        label=_("Patience"),
        help=_("Training stops after this many epochs without a better validation score."),
        least=1,
        most=1000,
        **FURTHER,
    )
    select_by: SelectBy = option(
        "macro_f1",
        label=_("Select by"),
        help=_("The measure by which the best epoch and the best training are chosen."),
        choices=SELECTIONS,
        **FURTHER,
    )
    class_weights: bool = option(
        True, label=_("Class weights"), help=_("Rare labels weigh as much as frequent ones."), **FURTHER
    )
    cleaning: bool = option(
        True,
        label=_("Clean the texts"),
        help=_("Replace URLs, user names, emoji and hashtags, and ignore upper and lower case."),
        **FURTHER,
    )
    keep: tuple[str, ...] = option(
        (),
        label=_("Leave unchanged"),
        help=_("Parts of a text that cleaning does not change."),
        choices=STEPS,
        unless_given=_("all steps"),
        **FURTHER,
    )

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

    name: str = option(
        "",
        label=_("Name"),
        help=_("The name you would use in a paper, for example HateBERT."),
        longest=160,
        needed=(PAGE, API),
        without=IN_FILES,
    )
    dataset: str = option(
        "",
        label=_("Data set"),
        help=_("Key of a stored data set, for example davidson-2017."),
        needed=(PAGE, API),
        without=IN_FILES,
    )
    more_datasets: tuple[str, ...] = option(
        (), label=_("More data sets"), help=_("Keys of other data sets to train on, too."), without=IN_FILES
    )
    test_datasets: tuple[str, ...] = option(
        (),
        label=_("More test sets"),
        help=_(
            "Keys of other data sets to measure the model on. Their test part is used, or all rows if they have none."
        ),
        without=IN_FILES,
    )
    positive: tuple[str, ...] = option(
        (),
        label=_("Labels that mean hateful"),
        help=_("The labels as they are in the data, for example abusive. All other labels are non-hateful."),
        needed=(PAGE, API),
        without={COMMAND: "renames labels with --label-map"},
    )
    trainer: str = option(
        label=_("Trainer"),
        help=_(
            "Write linear:logistic or linear:svm for a linear model on TF-IDF, or hf: and the folder or hub id of an "
            "encoder to fine-tune."
        ),
        longest=500,
        flag="--encoder",
        metavar="SPEC",
        suggestions=(*LINEAR, "hf:distilroberta-base"),
    )
    data: tuple[File, ...] = option(
        (), help=_("Labelled texts in one file or several: CSV, TSV, JSON Lines or Parquet."), metavar="FILE",
        needed=(COMMAND,), without=STORED,
    )  # fmt: skip
    test: tuple[File, ...] = option(
        (), help=_("More test sets. Their test part is used, or all rows if they have none."), metavar="FILE",
        without=STORED,
    )  # fmt: skip
    out: File = option(
        None,
        help=_("Folder to write to."),
        metavar="DIR",
        needed=(COMMAND,),
        without=only(COMMAND, "keeps the model itself"),
    )
    text_column: str = option(
        "", help=_("Name of the column with the texts."), unless_given=_("found by its name"), without=STORED
    )
    label_column: str = option(
        "", help=_("Name of the column with the labels."), unless_given=_("found by its name"), without=STORED
    )
    split_column: str = option(
        "", help=_("Name of the column with the parts."), unless_given=_("found by its name"), without=STORED
    )
    label_map: Pairs = option(
        {},
        help=_("What each label becomes, for example 0=hateful 1=non-hateful. Write 2= to leave out its rows."),
        metavar="FROM=TO",
        without=STORED,
    )
    checkpoint_every: int = option(
        100, help=_("Number of steps between checkpoints."), least=1, metavar="STEPS", without=BY_A_WORKER
    )
    device: str = option("cpu", help=_("Device to train on, for example cuda."), without=BY_A_WORKER)
    threads: int | None = option(
        None,
        help=_("Number of processor threads."),
        unless_given=_("as many as there are cores"),
        least=1,
        without=BY_A_WORKER,
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
        "", help=_("Key of a finished run."), positional=True, needed=(COMMAND,), metavar="RUN",
        without=only(COMMAND, "the address names it"),
    )  # fmt: skip
    below: float = option(
        0.7,
        label=_("Accuracy below"),
        help=_("A functionality fails if its accuracy is lower than this, for example 0.7."),
        above=0,
        most=1,
    )
    functionalities: tuple[str, ...] = option(
        (),
        label=_("Functionalities"),
        help=_("Keys of functionalities to use instead, for example negate_neg_nh."),
        unless_given=_("those that fail"),
        metavar="KEY",
    )
    held_out: float = option(
        0.5,
        label=_("Held-out templates"),
        help=_("Share of the templates of each functionality that is kept for testing, for example 0.5."),
        above=0,
        below=1,
    )
    seed: int = option(
        1, label=_("Seed"), help=_("The seed decides which templates are held out."), least=0, most=LARGEST_SEED
    )
    title: str = option(
        "",
        label=_("Title"),
        help=_("Title of the data set, for example “What HateBERT fails on”."),
        unless_given=_("the model and the release"),
        longest=160,
        without={COMMAND: "writes a file"},
    )
    out: File = option(
        None, help=_("CSV file to write."), metavar="FILE", needed=(COMMAND,),
        without=only(COMMAND, "keeps it as a data set"),
    )  # fmt: skip


class ContaminationOptions(Options):
    """Whether a training set holds cases of releases, word for word or nearly."""

    verb = "check contamination"

    data: tuple[File, ...] = option(
        (), help=_("Labelled texts: CSV, TSV, JSON Lines or Parquet."), metavar="FILE", needed=(COMMAND,),
        without=only(COMMAND, "the address names the data set"),
    )  # fmt: skip
    text_column: str = option(
        "", help=_("Name of the column with the texts."), unless_given=_("found by its name"), without=STORED
    )
    label_column: str = option(
        "", help=_("Name of the column with the labels."), unless_given=_("found by its name"), without=STORED
    )
    releases: tuple[str, ...] = option(
        (),
        label=_("Releases"),
        help=_("Releases to look for, for example hatecheck@1.0.0."),
        unless_given=_("every published release"),
        metavar="SUITE@VERSION",
    )
    similarity: float = option(
        0.8,
        label=_("Similarity"),
        help=_("A text is nearly a case if it has this share of the case's three-word sequences, for example 0.8."),
        above=0,
        most=1,
    )


class InoculationOptions(Options):
    """Trainings with more and more of the material added: what it does on held-out templates."""

    verb = "inoculate"

    material: File = option(
        None, help=_("File that training_material wrote."), metavar="FILE", needed=(COMMAND,),
        without=only(COMMAND, "the address names it"),
    )  # fmt: skip
    data: File = option(
        None, help=_("Labelled texts to add the material to."), metavar="FILE", needed=(COMMAND,), without=STORED
    )
    dataset: str = option(
        "",
        label=_("Data set"),
        help=_("Key of the data set to add the material to, for example davidson-2017."),
        needed=(PAGE, API),
        without=IN_FILES,
    )
    positive: tuple[str, ...] = option(
        (),
        label=_("Labels that mean hateful"),
        help=_("The labels as they are in the data, for example abusive. All other labels are non-hateful."),
        unless_given=_("the label with a common name, such as hateful"),
        metavar="LABEL",
    )
    trainer: str = option(
        LINEAR[0],
        label=_("Trainer"),
        help=_("Write linear:logistic, linear:svm, or hf: and the folder or hub id of an encoder to fine-tune."),
        longest=500,
        metavar="SPEC",
        suggestions=LINEAR,
    )
    sizes: tuple[int, ...] = option(
        (0, 20, 50, 100, 200),
        label=_("Numbers of examples"),
        help=_("How many examples are added in each training, for example 0, 50, 200."),
        least=0,
        most=1_000_000,
    )
    seeds: tuple[int, ...] = option(
        (1, 2, 3),
        label=_("Seeds"),
        help=_("One training per seed for every number of examples. Example: 1, 2, 3."),
        least=0,
        most=LARGEST_SEED,
    )
    epochs: int = option(
        3, label=_("Epochs"), help=_("Number of epochs of a fine-tuning, for example 3."), least=1, most=1000, **FURTHER
    )
    learning_rate: float = option(
        5e-5,
        label=_("Learning rate"),
        help=_("Learning rate of a fine-tuning, for example 5e-5."),
        above=0,
        **FURTHER,
    )
    batch_size: int = option(
        16,
        label=_("Batch size"),
        help=_("Number of texts per step of a fine-tuning, for example 16."),
        least=1,
        most=1024,
        **FURTHER,
    )
    max_length: int = option(
        128,
        label=_("Longest text"),
        help=_("How many tokens of a text the encoder reads, for example 128."),
        least=4,
        most=10_000,
        **FURTHER,
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
