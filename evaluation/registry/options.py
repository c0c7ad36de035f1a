"""The options of registering a model and of changing what is said about it, declared once for page and API."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import field_validator

from core.inference.settings import DTYPES
from core.options import API, COMMAND, PAGE, Options, Pairs, option, refuse
from core.text import _
from evaluation.runners.loading import target_key, usages

Spec = str | Mapping[str, Any]
LANGUAGE_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
LONGEST_NAME = 160
NO_NAME = _("The model needs a name. Give the one you would use in a paper.")
DETAILS = ("revision", "labels", "threshold", "dtype")


def language_codes(given: tuple[str, ...], *, about: str) -> tuple[str, ...]:
    """Return each code once. Refuses words that are no language codes: they would never match a language of a suite."""
    codes = tuple(dict.fromkeys(code.strip() for code in given if code.strip()))
    for code in codes:
        if not LANGUAGE_CODE.fullmatch(code):
            refuse(_("'%(code)s' is no language code. Write codes such as en, de or pt-BR.", code=code), about=about)
    return codes


def with_settings(spec: str, settings: Mapping[str, Any]) -> Spec:
    """Return the spec alone, or with its settings as one description."""
    if not settings:
        return spec.strip()
    kind, target = spec.strip().partition(":")[::2]
    return {"kind": kind, **({target_key(kind): target} if target else {}), **settings}


class ModelFacts(Options):
    """What is said about a model."""

    description: str = option(
        "",
        label=_("Description"),
        help=_("What readers of the results should know about the model, such as its training data."),
        rows=3,
    )
    trained_on: tuple[str, ...] = option(
        (),
        label=_("Training languages"),
        help=_("Codes such as en and de, with commas between them on pages."),
        unless_given=_("unknown"),
    )
    on_leaderboard: bool = option(
        False, label=_("Public results"), help=_("Anyone can see the results on the leaderboards of releases.")
    )

    @field_validator("trained_on")
    @classmethod
    def _are_languages(cls, codes: tuple[str, ...]) -> tuple[str, ...]:
        return language_codes(codes, about="trained_on")

    def facts(self) -> dict[str, Any]:
        """Return the facts as the model stores them."""
        return self.model_dump(mode="json", include=set(ModelFacts.model_fields))


class ChangeModelOptions(ModelFacts):
    """What is said about a model; over the API only what is given changes."""

    verb = "change model"
    without = {COMMAND: "a signed-in maintainer changes it"}


class SpecOptions(Options):
    """What a model is called, and how it is reached."""

    name: str = option(
        label=_("Name"),
        help=_("As you would call the model in a paper. A known name gets a new version."),
        longest=LONGEST_NAME,
    )
    spec: str = option(
        label=_("Location"),
        help=_("Written as %(kinds)s. Write http: alone if everything is in the settings.", kinds=usages()),
        longest=500,
    )
    revision: str = option(
        "",
        label=_("Revision"),
        help=_("Commit of a model from the hub, such as 5c0f1b2."),
        unless_given=_("the newest, which is kept"),
        longest=100,
    )
    labels: Pairs = option(
        {},
        label=_("Label of each class"),
        help=_("What the classes of the model stand for, such as LABEL_0=non-hateful, LABEL_1=hateful."),
        unless_given=_("taken from the names of the classes"),
    )
    threshold: float | None = option(
        None,
        label=_("Threshold"),
        help=_("Texts are hateful from this score on, such as 0.5."),
        unless_given=_("the likeliest class"),
    )
    dtype: str = option(
        "",
        label=_("Number format"),
        help=_("Number format of a model that is loaded on this machine, such as bf16."),
        choices={name: name if name != "int8" else _("%(format)s (a preview)", format=name) for name in DTYPES},
        unless_given=_("the usual one"),
    )
    more_settings: dict[str, Any] = option(
        {},
        label=_("More settings"),
        help=_(
            "YAML on pages, an object in the API: url, prompt, answer, hypotheses … Secrets by name: ${MY_API_KEY}."
        ),
        rows=5,
    )

    def model_spec(self) -> Spec:
        """Return the spec alone, or with its settings as one description."""
        details = {name: value for name in DETAILS if (value := getattr(self, name)) not in ("", None, {})}
        return with_settings(self.spec, self.more_settings | details)


class RegisterOptions(ModelFacts, SpecOptions):  # in this order the spec comes first on the page
    """A model, how it is reached, and what is said about it."""

    verb = "register model"
    without = {COMMAND: "evaluate registers the model that it runs"}

    release: str = option(
        "",
        label=_("Release for the first run"),
        help=_("The release on which the model is run at once, as suite@version."),
        unless_given=_("no run yet"),
    )
    languages: tuple[str, ...] = option(
        (),
        label=_("Languages"),
        help=_("Run it there on the cases in these languages only, such as en and de."),
        unless_given=_("all languages it knows"),
        without={PAGE: "offers them on the page of the model"},
    )

    @field_validator("languages")
    @classmethod
    def _run_in_languages(cls, codes: tuple[str, ...]) -> tuple[str, ...]:
        return language_codes(codes, about="languages")

    @field_validator("name")
    @classmethod
    def _has_a_name(cls, name: str) -> str:
        return name.strip() or refuse(NO_NAME, about="name")


class StarOptions(Options):
    """Give a model a star: results show it before newer ones."""

    verb = "star"
    without = {PAGE: "a button gives or takes the star"}

    model: str = option(
        "", help=_("Name or key of a model."), positional=True, needed=(COMMAND,),
        without={API: "the address names it"},
    )  # fmt: skip
    off: bool = option(False, help=_("Take the star away."))
