"""The options of running a model on a release and of handing in predictions, declared once for all surfaces."""

from typing import Any

from pydantic import field_validator

from core.errors import BadInput
from core.options import COMMAND, PAGE, File, Options, Pairs, only, option
from evaluation.registry.options import LONGEST_NAME, RegisterOptions, Spec, language_codes, name_of, with_settings
from evaluation.results.terminal import RULES

RELEASE: dict[str, Any] = {"help": "The release, as suite@version.", "positional": True, "metavar": "SUITE@VERSION"}
REGISTERED = {PAGE: "runs a registered model, which has it"}
FOR_BUILDS = only(COMMAND, "is for builds")


class RunOptions(Options):
    """Which model is run on which release, and on which of its cases."""

    verb = "evaluate"

    release: str = option(**RELEASE)
    model: str = option(
        "", help="Name or key of a registered model. A command takes a SPEC such as hf:FOLDER_OR_ID or chat:FILE.yaml.",
        longest=500, metavar="SPEC", needed=(COMMAND,), without={PAGE: "the address names it"},
    )  # fmt: skip
    spec: str = option(
        "", help="Where a model is that need not be registered, instead of its name.", longest=500,
        without={**REGISTERED, COMMAND: "takes it as --model"},
    )  # fmt: skip
    more_settings: dict[str, Any] = option(
        {}, help="Settings of the model that the spec names.",
        without={**REGISTERED, COMMAND: "reads them from the file that the spec names"},
    )  # fmt: skip
    name: str = option(
        "", help="What to call the model of the spec.", unless_given="the last part of the spec",
        longest=LONGEST_NAME, without=REGISTERED,
    )  # fmt: skip
    label_map: Pairs = option(
        {}, help="For hf: models whose class names do not tell: LABEL_0=non-hateful LABEL_1=hateful.",
        metavar="CLASS=LABEL", without=REGISTERED,
    )  # fmt: skip
    languages: tuple[str, ...] = option(
        (), help="Run it on the cases in these languages only, such as en and de.", metavar="CODE",
        unless_given="the languages that the description of the model names, otherwise all",
    )  # fmt: skip
    fail_under: tuple[str, ...] = option((), help=RULES, metavar="RULE", without=FOR_BUILDS)
    junit: File = option(None, help="Write JUnit XML for a build server.", metavar="FILE", without=FOR_BUILDS)
    again: bool = option(
        False, help="Make a new run although a finished one is there.",
        without=only(COMMAND, "always makes a new run"),
    )  # fmt: skip

    @field_validator("languages")
    @classmethod
    def _are_languages(cls, codes: tuple[str, ...]) -> tuple[str, ...]:
        return language_codes(codes, about="languages")

    def model_spec(self) -> Spec:
        """Return the spec with its settings. Refuses a label map where the description has its own place for it."""
        spec = self.spec or self.model
        kind, _, target = spec.partition(":")
        if self.label_map and (kind != "hf" or target.endswith((".yaml", ".yml"))):
            raise BadInput(
                "--label-map is for hf:FOLDER_OR_ID. Write labels: {CLASS: LABEL} into the file of other models."
            )
        return with_settings(spec, self.more_settings | ({"labels": self.label_map} if self.label_map else {}))

    def registration(self) -> RegisterOptions:
        """Return the registration of the model that the spec names, to be run here."""
        return RegisterOptions(
            name=self.name or self.model or name_of(self.model_spec()),
            spec=self.spec,
            labels=self.label_map,
            more_settings=self.more_settings,
            release=self.release,
            languages=self.languages,
        )


class PredictionsOptions(Options):
    """Predictions that were computed elsewhere, and how their file is read."""

    verb = "import predictions"

    release: str = option(**RELEASE)
    model: str = option(
        help="Its name, and its column where the file has several.", longest=LONGEST_NAME, metavar="NAME"
    )
    predictions: File = option(
        help="CSV, XLSX or JSON Lines: case_id, prediction and, if you have it, score.", flag="--path", metavar="FILE"
    )
    column: str = option(
        "", help="The column with the predictions, where the file has several.", unless_given="found by its name",
        longest=160,
    )  # fmt: skip
    label_map: Pairs = option(
        {}, label="What its words mean",
        help="Such as severe=hateful and mild=non-hateful. 1 and 0 are understood.", metavar="WORD=LABEL",
    )  # fmt: skip
    threshold: float | None = option(None, help="If the file has scores instead of labels: hateful from here on.")
    allow_missing: bool = option(
        False, label="Cases may be missing", help="They count as unanswered, which is not right."
    )

    def reading(self) -> dict[str, Any]:
        """Return how the file is read."""
        return {name: getattr(self, name) for name in ("column", "label_map", "threshold", "allow_missing")}
