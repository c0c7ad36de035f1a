"""What is said about a template: the same on page and in the API."""

from typing import Any

from core.options import API, COMMAND, PAGE, Options, option
from core.text import _
from curation.authoring.models import Relation
from curation.fields import DETAIL_FIELDS

BY_PEOPLE = {COMMAND: "templates come in with import_suite"}
TYPED = {PAGE: "the editor has a field for each text"}
DETAIL = {field.name: field for field in DETAIL_FIELDS}
DETAIL_LABELS = {
    "direction": _("Direction"),
    "focus_words": _("Focus words"),
    "focus_lemma": _("Focus lemma"),
}
DETAIL_HELP = {
    "direction": _("Whether the text is about a group in general or directed at a person. Example: general."),
    "focus_words": _("The words that make the difference, such as not."),
    "focus_lemma": _("The dictionary form of the focus words."),
}


def detail(name: str) -> Any:
    """Declare a detail that templates and cases share."""
    return option("", label=DETAIL_LABELS[name], help=DETAIL_HELP[name], longest=DETAIL[name].longest)


class TemplatePlace(Options):
    """Where a template belongs; the page of a suite and a language shows it."""

    suite: str = option(
        "", help="Key of the suite.", longest=60, needed=(API,), without={PAGE: "is chosen above the editor"}
    )
    language: str = option(
        "", help="Code of the language.", longest=20, needed=(API,), without={PAGE: "is chosen above the editor"}
    )


class TemplateFacts(Options):
    """What is said about a template beside its wording, and its texts."""

    functionality: str = option(label=_("Functionality"), help=_("What the cases of the template test."), longest=80)
    label_gold: str = option(
        "",
        label=_("Gold label"),
        help=_("Only for a mixed functionality: the label that all cases of the template get. Example: hateful."),
        unless_given=_("that of the functionality"),
        longest=60,
    )
    direction: str = detail("direction")
    focus_words: str = detail("focus_words")
    focus_lemma: str = detail("focus_lemma")
    refers_to: str = option(
        "",
        label=_("Related template (key)"),
        help=_("The template that this one is a variation of, such as de-012."),
        longest=80,
    )
    relation: str = option(
        "",
        label=_("Relation"),
        help=_("How this template relates to the other one."),
        choices=dict(Relation.choices),
    )
    target: str | None = option(
        None,
        label=_("Target group"),
        help=_("Only for texts without placeholders. Otherwise the group comes from the word."),
        longest=120,
    )
    variants: tuple[dict[str, Any], ...] = option((), help="Texts, one per set of features.", without=TYPED)
    defaults: str = option(
        "", help="Features that every placeholder takes, such as Case=Dat; saved with the texts.", longest=200,
        without=TYPED,
    )  # fmt: skip


class TemplateOptions(TemplateFacts):
    """A change of a template; what is left out stays as it is."""

    verb = "change_template"
    without = BY_PEOPLE

    based_on: str = option(
        "", help="The `based_on` that was read: a change meanwhile is refused.", longest=40, without=TYPED
    )


class NewTemplateOptions(TemplateFacts, TemplatePlace):
    """A template that the suite does not have yet."""

    verb = "new_template"
    without = BY_PEOPLE

    key: str = option(
        "", label=_("Key"), help=_("Name of the template, such as de-012."), unless_given=_("the next free key"),
        longest=80,
    )  # fmt: skip
