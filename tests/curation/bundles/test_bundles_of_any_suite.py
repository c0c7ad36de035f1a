"""Suites nobody thought of: whatever words, templates and cases a suite has, its bundle brings all of them back."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.catalogue.loading import find_or_create_targets, load_catalogue
from curation.models import (
    Form,
    Functionality,
    Language,
    LexiconEntry,
    Suite,
    Template,
    TemplateVariant,
    TemplateVersion,
    TestCase,
)
from curation.morphology.identity import identity_hash, text_hash
from tests.curation.bundles.round_trip import bytes_there_and_back

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=60)
FEATURES = st.sampled_from(["", "Number=Sing", "Number=Plur", "Case=Dat|Number=Plur", "Gender=Fem"])
STATES = st.lists(st.sampled_from(["approved", "rejected", "superseded"]), max_size=3)
WORD = st.tuples(TEXT, st.dictionaries(FEATURES, TEXT, max_size=4), st.sampled_from(["", "women", "women + Muslims"]))
TEMPLATE = st.tuples(STATES, st.dictionaries(FEATURES, TEXT, min_size=1, max_size=2), st.booleans(), TEXT)
CASE = st.tuples(TEXT, st.sampled_from(["hateful", "non-hateful"]), st.sampled_from(["hand", "import", "llm"]), TEXT)


def made(words, templates, cases) -> Suite:
    load_catalogue()
    suite = Suite.objects.create(key="mild", name="Any suite", authors=[{"name": "Ä"}], raters=3, threshold=2)
    german = Language.objects.get(code="de")
    functionality = Functionality.objects.get(key="derog_neg_emote_h")
    suite.languages.add(german)
    targets = find_or_create_targets(german, {"women", "women + Muslims"})
    for number, (lemma, forms, target) in enumerate(words):
        entry = LexiconEntry.objects.create(
            suite=suite, language=german, key=f"w{number}", kind="identity", lemma=lemma, position=number,
            target=targets.get(target), properties={"elides": lemma},
        )  # fmt: skip
        Form.objects.bulk_create(Form(entry=entry, features=name, text=text) for name, text in forms.items())
    for number, (states, variants, has_draft, note) in enumerate(templates):
        template = Template.objects.create(
            suite=suite, language=german, functionality=functionality, key=f"t{number}", position=number,
            extra={"note": note}, drafts={"machine": note},
        )  # fmt: skip
        kept = [state for place, state in enumerate(states) if state != "approved" or "approved" not in states[:place]]
        for place, state in enumerate([*kept, *(["draft"] if has_draft else [])], 1):
            version = TemplateVersion.objects.create(template=template, number=place, reason=note)
            TemplateVariant.objects.bulk_create(
                TemplateVariant(version=version, features=name, text=text, position=spot)
                for spot, (name, text) in enumerate(variants.items())
            )
            TemplateVersion.objects.filter(pk=version.pk).update(state=state)
    for number, (text, label, origin, note) in enumerate(cases):
        TestCase.objects.create(
            suite=suite, language=german, functionality=functionality, key=f"c{number}", text=text, gold_label=label,
            origin=origin, provenance={"note": note}, position=number, text_hash=text_hash(text),
            identity_hash=identity_hash(
                language="de", functionality=functionality.key, template=f"c{number}", target="", text=text
            ),
        )  # fmt: skip
    return suite


@pytest.mark.django_db
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORD, max_size=3), st.lists(TEMPLATE, max_size=3), st.lists(CASE, max_size=4))
def test_whatever_a_suite_holds_comes_back_byte_for_byte(db, words, templates, cases):
    with tempfile.TemporaryDirectory() as folder:
        first, second = bytes_there_and_back(lambda: made(words, templates, cases), Path(folder))
    assert first == second
