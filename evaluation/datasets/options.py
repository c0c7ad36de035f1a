"""The options of importing labelled data, declared once for the page, the API and the command."""

from typing import Any, Self

from pydantic import model_validator

from core.options import COMMAND, File, Options, Pairs, only, option, refuse
from evaluation.datasets.services import Mapped

COLUMNS: dict[str, Any] = {"group": "Columns and labels"}
FILES: dict[str, Any] = {"group": "Parts in files of their own", "advanced": True, "metavar": "FILE"}
IDS: dict[str, Any] = {"group": "Parts by lists of ids", "advanced": True}
FOUND = "found by its name"


class DatasetOptions(Options):
    """A labelled file and how it is read.

    With files for further parts, the first one is the training part; lists of ids tell the parts of one file apart.
    """

    verb = "import_dataset"

    title: str = option(help="As you would call it in a paper.", longest=160, positional=True)
    file: File = option(
        help="CSV, TSV, JSON Lines, Excel or Parquet. All rows, or the training part.",
        flag="--path",
        aliases=("train",),
        metavar="FILE",
    )
    language: str = option("", help="Code of the language of the texts.", longest=20, metavar="CODE")
    owner: str = option(
        "",
        help="E-mail address of the person whose data it is.",
        unless_given="only maintainers see it",
        metavar="EMAIL",
        without=only(COMMAND, "it is yours: you are signed in"),
    )
    text_column: str = option("", help="Column with the texts.", unless_given=FOUND, **COLUMNS)
    label_column: str = option("", help="Column with the labels.", unless_given=FOUND, **COLUMNS)
    split_column: str = option(
        "", help="Column that says train, dev or test of every row.", unless_given=FOUND, **COLUMNS
    )
    label_map: Pairs = option(
        {},
        help="What the labels of the file become, such as 0=abusive; nothing behind the sign leaves its rows out.",
        aliases=("map",),
        metavar="LABEL=MEANING",
        rows=4,
        **COLUMNS,
    )
    extra_columns: tuple[str, ...] = option(
        (),
        label="Further columns to keep",
        help="Such as the groups a post is about, or where it comes from.",
        metavar="COLUMN",
        **COLUMNS,
    )
    dev_file: File = option(
        None, label="Validation part", help="Only if it is a file of its own.", flag="--dev", **FILES
    )
    test_file: File = option(None, label="Test part", help="Only if it is a file of its own.", flag="--test", **FILES)
    id_column: str = option("", help="Only needed for lists of ids.", unless_given=FOUND, **IDS)
    train_ids: File = option(
        None, label="Ids of the training part", help="A list of ids, one per line.", metavar="FILE", **IDS
    )
    dev_ids: File = option(
        None, label="Ids of the validation part", help="A list of ids, one per line.", metavar="FILE", **IDS
    )
    test_ids: File = option(
        None, label="Ids of the test part", help="A list of ids, one per line.", metavar="FILE", **IDS
    )

    @model_validator(mode="after")
    def _one_way_to_tell_parts(self) -> Self:
        if self.further_parts() and self.ids():
            refuse("Hand in a file for each part, or one file with lists of ids, not both.")
        return self

    def further_parts(self) -> dict[str, Any]:
        return {part: file for part in ("dev", "test") if (file := getattr(self, f"{part}_file"))}

    def ids(self) -> dict[str, Any]:
        return {part: file for part in ("train", "dev", "test") if (file := getattr(self, f"{part}_ids"))}

    def mapped(self) -> Mapped:
        """Return how the file is read."""
        return Mapped(
            text_column=self.text_column,
            label_column=self.label_column,
            split_column=self.split_column,
            id_column=self.id_column,
            extra_columns=self.extra_columns,
            label_map={label: meaning or None for label, meaning in self.label_map.items()} or None,
        )
