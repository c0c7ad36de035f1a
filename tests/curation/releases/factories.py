"""A small labelled suite that releases are made of in tests: seven cases, one of them disputed."""

from accounts.models import User
from curation.cases.generating import generate_cases
from curation.formats.values import EntryValue, FormValue, LabelValue, SuiteValues, TemplateValue, VariantValue
from curation.importing.label_intake import take_in
from curation.importing.services import import_values
from curation.models import Release, Suite, TestCase
from curation.publishing.values import FrozenCase
from curation.releases.building import build_release
from curation.releases.frozen import frozen_blocks
from curation.releases.services import publish_release, request_release

WORDS = [("identity-01", "woman", "women"), ("identity-02", "immigrant", "immigrants")]
TEMPLATES = [
    ("1", "I like [identity:Number=Plur].", "ident_pos_nh", "non-hateful", None),
    ("2", "I really like [identity:Number=Plur].", "ident_pos_nh", "non-hateful", "1"),
    ("3", "I dislike [identity:Number=Plur].", "derog_neg_emote_h", "hateful", None),
    ("4", "Everybody is welcome.", "ident_neutral_nh", "non-hateful", None),
]
DISPUTED = "I like women."


def make_suite(key: str = "small", *, labelled: bool = True, by: User | None = None) -> Suite:
    """Makes the seven cases and, unless told otherwise, has five people label them; two agree on the disputed one."""
    values = SuiteValues(
        entries=[EntryValue(word, "en", "identity", many, one, n) for n, (word, one, many) in enumerate(WORDS)],
        forms=[
            FormValue(word, f"Number={number}", "", text, language="en", position=n)
            for n, (word, one, many) in enumerate(WORDS)
            for number, text in (("Sing", one), ("Plur", many))
        ],
        templates=[
            TemplateValue(name, "en", functionality, (VariantValue("", text),), label, int(name), refers_to=origin)
            for name, text, functionality, label, origin in TEMPLATES
        ],
    )
    import_values(key, values, format_name="csv", name=key.capitalize(), by=by)
    suite = Suite.objects.get(key=key)
    suite.description, suite.licence = "A small suite of mild sentences.", "CC-BY-4.0"
    suite.save()
    generate_cases(suite, by=by)
    if labelled:
        label(suite)
    return suite


def label(suite: Suite, *, agreeing_on_disputed: int = 2) -> None:
    """Five labels per case."""
    cases = TestCase.objects.of(suite).in_order().values_list("key", "id", "text", "functionality__gold_label")
    other = {"hateful": "non-hateful", "non-hateful": "hateful"}
    labels = [
        LabelValue(key, str(rater), gold if text != DISPUTED or rater <= agreeing_on_disputed else other[gold])
        for key, _, text, gold in cases
        for rater in range(1, 6)
    ]
    take_in(suite, labels, case_ids={key: case_id for key, case_id, _, _ in cases}, by=None)


def make_candidate(suite: Suite, version: str = "1.0.0", *, by: User | None = None, **facts: object) -> Release:
    return build_release(request_release(suite, version, by=by, **facts), by=by)


def make_release(suite: Suite, version: str = "1.0.0", *, by: User | None = None, **facts: object) -> Release:
    return publish_release(make_candidate(suite, version, by=by, **facts), by=by, reason="Made for a test.")


def cases_of(release: Release) -> list[FrozenCase]:
    """What a release holds, as plain values in order."""
    return [case for block in frozen_blocks(release) for case in block.cases()]
