"""Documents for readers are in their language, files for machines are English, and no translation breaks a document."""

from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from core import text
from core.errors import BadInput
from core.reader import READER
from core.text import Text, in_english, use_language
from evaluation.reports.html_page import as_html
from evaluation.reports.latex import SPECIAL, escape
from evaluation.reports.names import Names
from evaluation.results.charting import CHARTS, chart_of
from evaluation.results.documents import EXCHANGED, FOR_READERS, FORMATS, Scope, make_document, read_scope
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model
from tests.evaluation.results.test_reports_tables import RIGHT

# What a translation may hold that has a meaning in HTML, LaTeX, Typst, CSV or XML.
NASTY = "<b>&amp; \"q\" 'a' {y} 5 % _i_ #1 $m$ ^ ~ [o] *s* ;"


@pytest.fixture
def translated() -> Iterator[None]:
    """Every message without values is translated, into something that no format takes as it is."""

    def translate(message: str) -> str:
        return message if "%(" in message else f"«{message}» {NASTY}"

    reader = replace(READER, gettext=translate, pgettext=lambda context, message: translate(message))
    before = text._reader
    use_language(reader)
    yield
    use_language(before)


@pytest.fixture
def release(db, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def runs(release, mira):
    return [
        run_model(release, "by_word", name="Words", by=mira),
        run_model(release, "no_word_for_it", name="Odd", by=mira),
    ]


@pytest.mark.parametrize("wanted", [name for name in FORMATS if name not in FOR_READERS])
def test_files_for_machines_are_the_same_in_every_language(release, runs, wanted, request):
    asked = {"cross": "functionality,origin", "language": "fr", "hub_dataset": "lab/suite", "organisation": "Lab"}
    scope = read_scope(asked, with_examples=False)
    runs = runs[:1] if wanted in EXCHANGED else runs
    english = make_document(release, runs, wanted, scope=scope)
    request.getfixturevalue("translated")
    assert make_document(release, runs, wanted, scope=scope) == english
    assert "«" not in english.content.decode()


class Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.said: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)

    def handle_data(self, data):
        self.said.append(data)


def test_a_page_shows_translated_headings_and_notes_and_takes_none_for_markup(release, runs, translated):
    page = make_document(release, runs, "html", scope=Scope(language="fr")).content.decode()
    read = Texts()
    read.feed(page)
    assert '<html lang="fr">' in page
    assert "b" not in read.tags
    said = " ".join(read.said)
    for heading in ("How it was measured", "Functionalities", "Cases", "undefined"):
        assert f"«{heading}» {NASTY}" in said


def test_a_page_in_a_language_that_is_written_from_the_right_says_so():
    assert '<html lang="ar" dir="rtl">' in as_html("s@1", {}, [], [], language="ar")
    assert '<html lang="en">' in as_html("s@1", {}, [], [])


@pytest.mark.parametrize("wanted", ["latex", "paper"])
def test_latex_is_escaped_whatever_a_translation_holds(release, runs, translated, wanted):
    source = make_document(release, runs, wanted).content.decode()
    assert f"«Total» {escape(NASTY)}" in source
    for line in source.splitlines():
        if not line.startswith("%"):
            assert "<b>&amp;" not in line
            assert " {y} " not in line


def test_every_sign_that_latex_reads_is_escaped():
    assert escape(Text.made("".join(SPECIAL), {})) == "".join(SPECIAL.values())
    assert escape("one\nline") == "one line"


def test_a_pdf_is_set_with_translated_texts(release, runs, translated):
    assert make_document(release, runs, "pdf").content.startswith(b"%PDF-")


def test_a_chart_is_drawn_and_kept_for_each_language(tmp_path, translated):
    with in_english():
        english = chart_of(RIGHT, "confusion", Names(), folder=tmp_path).decode()
    other = chart_of(RIGHT, "confusion", Names(), folder=tmp_path, language="fr").decode()
    assert "The model said" in english
    assert "«" not in english
    assert "«The model said»" in other
    assert chart_of(RIGHT, "confusion", Names(), folder=tmp_path).decode() == english
    assert len(list(tmp_path.glob("*.svg"))) == 2
    assert str(CHARTS["confusion"]).startswith("«")


def test_a_language_that_there_is_not_is_refused():
    with pytest.raises(BadInput, match="language: Choose from: ar, de, en, "):
        read_scope({"language": "klingon"}, with_examples=False)
    assert read_scope({"language": ""}, with_examples=False).language == "en"
