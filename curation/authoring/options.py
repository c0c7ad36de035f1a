"""What is said about a template: the same on page and in the API."""

from typing import Any

from core.options import API, COMMAND, PAGE, Options, option
from curation.authoring.models import Relation
from curation.fields import DETAIL_FIELDS

BY_PEOPLE = {COMMAND: "templates come in with import_suite"}
TYPED = {PAGE: "the editor has a field for each text"}
DETAIL = {field.name: field for field in DETAIL_FIELDS}


def detail(name: str) -> Any:
    """Declare a detail that templates and cases share."""
    help_text = DETAIL[name].help
    return option("", help=f"{help_text[:1].upper()}{help_text[1:]}", longest=DETAIL[name].longest)


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

    functionality: str = option(help="What the cases of the template test.", longest=80)
    direction: str = detail("direction")
    focus_words: str = detail("focus_words")
    focus_lemma: str = detail("focus_lemma")
    refers_to: str = option("", label="Varies template", help="Key of the template it varies.", longest=80)
    relation: str = option("", label="How", help="How it varies that template.", choices=dict(Relation.choices))
    target: str | None = option(
        None, label="About", help="Target group, only for texts without placeholders; otherwise the words tell.",
        longest=120,
    )  # fmt: skip
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

    key: str = option("", help="Name of the template.", unless_given="the next free one", longest=80)
