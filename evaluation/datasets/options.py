"""The options of importing labelled data, declared once for the page, the API and the command."""

from typing import Any, Self

from pydantic import model_validator

from core.options import COMMAND, File, Options, Pairs, only, option, refuse
from core.text import _
from evaluation.datasets.services import Mapped

COLUMNS: dict[str, Any] = {"group": _("Columns and labels")}
FILES: dict[str, Any] = {"group": _("One file per part"), "advanced": True, "metavar": "FILE"}
IDS: dict[str, Any] = {"group": _("Parts by lists of ids"), "advanced": True}
FOUND = _("found by its name")


class DatasetOptions(Options):
    """A labelled file and how it is read.

    With files for further parts, the first one is the training part; lists of ids tell the parts of one file apart.
    """

    verb = "import_dataset"

    title: str = option(
        label=_("Title"),
        help=_("The name you would use in a paper, for example “Davidson 2017”."),
        longest=160,
        positional=True,
    )
    file: File = option(
        label=_("File"),
        help=_("CSV, TSV, JSON Lines, Excel or Parquet file with all rows, or with the training part only."),
        flag="--path",
        aliases=("train",),
        metavar="FILE",
    )
    language: str = option(
        "", label=_("Language"), help=_("Language of the texts, for example en."), longest=20, metavar="CODE"
    )
    owner: str = option(
        "",
        help=_("E-mail address of the person who owns the data, for example mira@example.org."),
        unless_given=_("only maintainers see it"),
        metavar="EMAIL",
        without=only(COMMAND, "it is yours: you are signed in"),
    )
    text_column: str = option(
        "", label=_("Text column"), help=_("Name of the column with the texts."), unless_given=FOUND, **COLUMNS
    )
    label_column: str = option(
        "", label=_("Label column"), help=_("Name of the column with the labels."), unless_given=FOUND, **COLUMNS
    )
    split_column: str = option(
        "",
        label=_("Part column"),
        help=_("Name of the column that says for every row whether it is train, dev or test."),
        unless_given=FOUND,
        **COLUMNS,
    )
    label_map: Pairs = option(
        {},
        label=_("Label map"),
        help=_(
            "What each label of the file becomes, for example 0=abusive. Write 2= to leave out the rows with label 2."
        ),
        aliases=("map",),
        metavar="LABEL=MEANING",
        rows=4,
        **COLUMNS,
    )
    extra_columns: tuple[str, ...] = option(
        (),
        label=_("Other columns to keep"),
        help=_("Names of columns, for example with the groups a post is about, or with its source."),
        metavar="COLUMN",
        **COLUMNS,
    )
    dev_file: File = option(
        None, label=_("Validation part"), help=_("Only if this part is in a separate file."), flag="--dev", **FILES
    )
    test_file: File = option(
        None, label=_("Test part"), help=_("Only if this part is in a separate file."), flag="--test", **FILES
    )
    id_column: str = option(
        "",
        label=_("Id column"),
        help=_("Name of the column with the ids. Only needed for lists of ids."),
        unless_given=FOUND,
        **IDS,
    )
    train_ids: File = option(
        None, label=_("Ids of the training part"), help=_("File with one id per line."), metavar="FILE", **IDS
    )
    dev_ids: File = option(
        None, label=_("Ids of the validation part"), help=_("File with one id per line."), metavar="FILE", **IDS
    )
    test_ids: File = option(
        None, label=_("Ids of the test part"), help=_("File with one id per line."), metavar="FILE", **IDS
    )

    @model_validator(mode="after")
    def _one_way_to_tell_parts(self) -> Self:
        if self.further_parts() and self.ids():
            refuse(_("Give one file per part, or one file with lists of ids, but not both."))
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
