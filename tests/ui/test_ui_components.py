"""Template tags: what they escape, keep and announce."""

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.core.paginator import Paginator
from django.template import RequestContext, Template
from django.test import RequestFactory

UI = Path(apps.get_app_config("ui").path)


def drawn(source: str, address: str = "/", **context: object) -> str:
    request = RequestFactory().get(address)
    return Template("{% load ui %}" + source).render(RequestContext(request, context))


def test_case_text_carries_its_language_and_direction():
    shown = drawn("{% case_text text language %}", text="أحب جيراني", language="ar")
    assert '<bdi class="case-text" lang="ar" dir="auto">أحب جيراني</bdi>' in shown


def test_case_text_is_escaped():
    assert "<script>" not in drawn("{% case_text text language %}", text="<script>alert(1)</script>", language="en")


def test_covered_text_is_closed_until_asked_for():
    shown = drawn("{% case_text text language covered=True %}", text="x", language="en")
    assert "<details" in shown
    assert " open" not in shown


def test_labels_are_told_apart_by_word_and_colour():
    assert "badge--hateful" in drawn('{% label_badge "hateful" %}')
    assert "badge--non-hateful" in drawn('{% label_badge "non-hateful" %}')
    assert ">offensive<" in drawn('{% label_badge "offensive" %}')


def test_a_missing_label_is_undefined():
    assert "There is no label yet." in drawn("{% label_badge nothing %}", nothing=None)


def test_an_icon_is_silent_unless_it_stands_for_a_word():
    assert 'aria-hidden="true"' in drawn('{% icon "check" %}')
    assert 'role="img" aria-label="Done"' in drawn('{% icon "check" label="Done" %}')


def test_every_icon_that_templates_ask_for_is_drawn():
    sprite = (UI / "static/ui/icons.svg").read_text()
    drawn_icons = set(re.findall(r'<symbol id="([a-z-]+)"', sprite))
    asked = {name for file in UI.rglob("*.html") for name in re.findall(r'{% icon "([a-z-]+)"', file.read_text())}
    assert asked <= drawn_icons


def test_sorting_turns_round_and_keeps_the_filters():
    source = '{% sort_header "Key" "key" %}'
    assert 'href="?language=de&amp;sort=key"' in drawn(source, "/?language=de&page=3")
    ascending = drawn(source, "/?language=de&sort=key")
    assert 'aria-sort="ascending"' in ascending
    assert "sort=-key" in ascending
    assert 'aria-sort="descending"' in drawn(source, "/?sort=-key")


def test_pagination_says_where_one_is_and_keeps_the_filters():
    page = Paginator(range(481), 50).get_page(3)
    shown = drawn('{% pagination page what="cases" %}', "/?language=de", page=page)
    assert "101–150 of 481" in shown
    assert "?language=de&amp;page=4" in shown
    assert shown.count('aria-current="page"') == 1


def test_an_empty_list_has_no_pagination():
    assert drawn("{% pagination page %}", page=Paginator([], 50).get_page(1)).strip() == ""


def test_a_short_list_is_counted_but_has_no_links():
    shown = drawn("{% pagination page %}", page=Paginator([1, 2], 50).get_page(1))
    assert "1–2 of 2" in shown
    assert "<a " not in shown


def test_progress_of_nothing_does_not_divide_by_zero():
    assert 'max="1"' in drawn('{% progress 0 0 "Labels" %}')


def test_an_empty_state_offers_its_action_only_with_an_address():
    with_address = drawn('{% empty_state title="None" action="Write one" url="/new/" %}')
    assert 'href="/new/"' in with_address
    assert "Write one" not in drawn('{% empty_state title="None" action="Write one" %}')


def test_every_snippet_of_the_manual_is_valid():
    manual = (UI.parent / "docs" / "ui.md").read_text()
    snippets = re.findall(r"```django\n(.*?)```", manual, re.S)
    assert len(snippets) > 8
    for snippet in snippets:
        Template(snippet if snippet.startswith("{% extends") else "{% load ui %}" + snippet)


def test_the_manual_names_every_icon():
    sprite = (UI / "static/ui/icons.svg").read_text()
    named = set((UI.parent / "docs" / "ui.md").read_text().replace(".", " ").split())
    assert set(re.findall(r'<symbol id="([a-z-]+)"', sprite)) - {"mark"} <= named


@pytest.mark.parametrize("folder", ["templates", "static/ui/js"])
def test_nothing_needs_an_inline_style_or_script(folder):
    """The content security policy would block it, and nobody would see why."""
    for file in (UI / folder).rglob("*.*"):
        text = file.read_text()
        assert not re.search(r"\sstyle=|\son(click|load|submit|change)=", text), file
        # JSON is data that scripts read: browsers run none of it, and the policy lets it pass.
        assert not re.search(r"<script(?![^>]*\s(src=|type=\"application/json\"))[^>]*>", text), file


def test_stylesheets_know_neither_left_nor_right():
    """Logical properties only: right-to-left pages work by themselves."""
    physical = re.compile(
        r"\b(margin|padding|border)-(left|right|top|bottom)\b|^\s*(left|right|top|bottom):|text-align: (left|right)",
        re.M,
    )
    for file in (UI / "static/ui/css").glob("*.css"):
        assert not physical.search(file.read_text()), file
