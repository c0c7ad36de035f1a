"""The options of running a model on a release and of handing in predictions, declared once for all surfaces."""

from typing import Any

from pydantic import field_validator

from core.errors import BadInput
from core.options import COMMAND, PAGE, File, Options, Pairs, only, option
from core.text import _
from evaluation.registry.options import LONGEST_NAME, RegisterOptions, Spec, language_codes, with_settings
from evaluation.results.terminal import RULES
from evaluation.runners.loading import name_of

RELEASE: dict[str, Any] = {
    "label": _("Release"),
    "help": _("The release, as suite@version."),
    "positional": True,
    "metavar": "SUITE@VERSION",
}
REGISTERED = {PAGE: "runs a registered model, which has it"}
FOR_BUILDS = only(COMMAND, "is for builds")


class RunOptions(Options):
    """Which model is run on which release, and on which of its cases."""

    verb = "evaluate"

    release: str = option(**RELEASE)
    model: str = option(
        "",
        label=_("Model"),
        help=_("Name or key of a registered model. A command takes a SPEC such as hf:FOLDER_OR_ID or chat:FILE.yaml."),
        longest=500,
        metavar="SPEC",
        needed=(COMMAND,),
        without={PAGE: "the address names it"},
    )
    spec: str = option(
        "",
        label=_("Location"),
        help=_("Location of a model that need not be registered, such as hf:FOLDER_OR_ID, instead of its name."),
        longest=500,
        without={**REGISTERED, COMMAND: "takes it as --model"},
    )
    more_settings: dict[str, Any] = option(
        {},
        label=_("More settings"),
        help=_("Settings of the model that the spec names."),
        without={**REGISTERED, COMMAND: "reads them from the file that the spec names"},
    )
    name: str = option(
        "",
        label=_("Name"),
        help=_("What to call the model of the spec."),
        unless_given=_("the last part of the spec"),
        longest=LONGEST_NAME,
        without=REGISTERED,
    )
    label_map: Pairs = option(
        {},
        label=_("Label of each class"),
        help=_("For hf: models whose class names do not say what they mean: LABEL_0=non-hateful LABEL_1=hateful."),
        metavar="CLASS=LABEL",
        without=REGISTERED,
    )
    languages: tuple[str, ...] = option(
        (),
        label=_("Languages"),
        help=_("Run it on the cases in these languages only, such as en and de."),
        metavar="CODE",
        unless_given=_("the languages that the description of the model names, otherwise all"),
    )
    fail_under: tuple[str, ...] = option((), help=RULES, metavar="RULE", without=FOR_BUILDS)
    junit: File = option(
        None,
        label=_("JUnit file"),
        help=_("Write JUnit XML for a build server."),
        metavar="FILE",
        without=FOR_BUILDS,
    )
    again: bool = option(
        False,
        label=_("New run"),
        help=_("Start a new run even if there is a finished one."),
        without=only(COMMAND, "always makes a new run"),
    )

    @field_validator("languages")
    @classmethod
    def _are_languages(cls, codes: tuple[str, ...]) -> tuple[str, ...]:
        return language_codes(codes, about="languages")

    def model_spec(self) -> Spec:
        """Return the spec with its settings. Refuses a label map where the description has its own place for it."""
        spec = self.spec or self.model
        kind, target = spec.partition(":")[::2]
        if self.label_map and (kind != "hf" or target.endswith((".yaml", ".yml"))):
            raise BadInput(
                _("--label-map is for hf:FOLDER_OR_ID. Write labels: {CLASS: LABEL} into the file of other models.")
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
        label=_("Model"),
        help=_("The name of the model, which is also that of its column where the file has several."),
        longest=LONGEST_NAME,
        metavar="NAME",
    )
    predictions: File = option(
        label=_("Predictions"),
        help=_(
            "A CSV, XLSX or JSON Lines file with case_id, prediction and, if you have it, score; "
            "or the log of lm-evaluation-harness, inspect_ai or guard-eval-harness."
        ),
        flag="--path",
        metavar="FILE",
    )
    column: str = option(
        "",
        label=_("Column"),
        help=_("The column with the predictions, where the file has several; the scorer or filter of a log."),
        unless_given=_("found by its name"),
        longest=160,
    )
    label_map: Pairs = option(
        {},
        label=_("Label of each word"),
        help=_(
            "What the words of the file stand for, such as severe=hateful, mild=non-hateful. 1 and 0 are understood."
        ),
        metavar="WORD=LABEL",
    )
    threshold: float | None = option(
        None,
        label=_("Threshold"),
        help=_("If the file has scores instead of labels: texts are hateful from this score on, such as 0.5."),
    )
    allow_missing: bool = option(
        False,
        label=_("Allow missing cases"),
        help=_("Missing cases count as unanswered, so they are not counted as right."),
    )

    def reading(self) -> dict[str, Any]:
        """Return how the file is read."""
        return {name: getattr(self, name) for name in ("column", "label_map", "threshold", "allow_missing")}
