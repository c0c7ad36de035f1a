"""Which templates compare target groups: one decision for releases and for measures."""

import pytest

from curation.morphology.placeholders import has_identity


@pytest.mark.parametrize(
    "text",
    ["I like [identity:Number=Plur].", "I like [IDENTITY_P].", "I like [identity:Number=Plur", "I like IDENTITY_P]"],
)
def test_identity_placeholders_count_also_where_the_text_cannot_be_parsed(text):
    assert has_identity(text)


@pytest.mark.parametrize(
    "text", ["", "I like rain.", "I like [SLUR_P].", "I like [slur:Number=Plur", "My identity is mine."]
)
def test_other_templates_do_not(text):
    assert not has_identity(text)
