"""A small mild German suite that tests of authoring stand on: words that inflect, two groups, a few functionalities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curation.authoring.reviewing import approve_version
from curation.authoring.services import create_template, latest_version, submit_version
from curation.authoring.wording_checks import VariantText
from curation.catalogue.loading import find_or_create_targets, load_catalogue
from curation.models import Form, Functionality, Language, LexiconEntry, Suite, TemplateVersion

if TYPE_CHECKING:
    from accounts.models import User
    from curation.models import Template

WORDS = {
    ("frau", "women", "Gender=Fem"): {
        "Number=Sing": "Frau",
        "Number=Plur": "Frauen",
        "Case=Dat|Number=Plur": "Frauen",
    },
    ("muslim", "Muslims", "Gender=Masc"): {
        "Number=Sing": "Muslim",
        "Number=Plur": "Muslime",
        "Case=Dat|Number=Plur": "Muslimen",
    },
}


def make_suite(key: str = "mild") -> Suite:
    """A suite in German and English with the words above in German."""
    load_catalogue()
    suite = Suite.objects.create(key=key, name="Mild suite")
    german = Language.objects.get(code="de")
    suite.languages.add(german, Language.objects.get(code="en"))
    targets = find_or_create_targets(german, {"women", "Muslims"})
    for position, ((entry_key, target, inherent), forms) in enumerate(WORDS.items()):
        entry = LexiconEntry.objects.create(
            suite=suite,
            language=german,
            key=entry_key,
            kind="identity",
            target=targets[target],
            lemma=forms["Number=Sing"],
            inherent=inherent,
            position=position,
        )
        Form.objects.bulk_create(Form(entry=entry, features=features, text=text) for features, text in forms.items())
    return suite


def german() -> Language:
    return Language.objects.get(code="de")


def functionality(key: str = "derog_neg_emote_h") -> Functionality:
    return Functionality.objects.get(key=key)


def write_template(suite: Suite, text: str, *, by: User, **facts: object) -> Template:
    """A template with a draft."""
    about = facts.pop("functionality", None) or functionality()
    return create_template(suite, german(), about, by=by, variants=[VariantText("", text)], **facts)  # type: ignore[arg-type]


def newest(template: Template) -> TemplateVersion:
    version = latest_version(template)
    assert version is not None
    version.template = template
    return version


def approve_template(template: Template, *, author: User, reviewer: User) -> TemplateVersion:
    """Take a draft through review."""
    return approve_version(submit_version(newest(template), by=author), by=reviewer)
