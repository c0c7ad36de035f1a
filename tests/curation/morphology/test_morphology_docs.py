"""What the guide for authors shows can be written."""

import re
from pathlib import Path

import pytest

from curation.formats.values import VariantValue
from curation.morphology.linting import check_template
from curation.morphology.placeholders import TemplateError, parse

GUIDE = (Path(__file__).parents[3] / "docs" / "templates.md").read_text(encoding="utf-8")
TEMPLATES = re.findall(r"```template\n(.*?)\n```", GUIDE, re.DOTALL)
TOKENS = re.findall(r"`(\[[A-Za-z_]+\])`", GUIDE)


def test_the_guide_has_examples():
    assert len(TEMPLATES) > 5
    assert len(TOKENS) > 5


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_of_the_guide_is_sound(template):
    assert check_template([VariantValue("", template)]) == []


@pytest.mark.parametrize("token", TOKENS)
def test_every_token_of_the_guide_can_be_read(token):
    assert str(parse(token)) == token


@pytest.mark.parametrize("text", ["I hate [identty:Number=Plur]", "uma {female_IDENT_S] morta"])
def test_the_guide_quotes_errors_as_they_are(text):
    with pytest.raises(TemplateError) as caught:
        parse(text)
    assert str(caught.value) in GUIDE
