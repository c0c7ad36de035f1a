"""Documents of a release in the language that is asked for, files always in English, kept sentences in the reader's."""

from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import trans_real

from core.jobs import services as jobs
from core.text import _, keep
from curation.models import Release
from curation.publishing.verify import verify_folder
from curation.releases import services as releases
from curation.releases.documents import card_of, datasheet_of, statement_of
from curation.releases.export import export_release
from curation.releases.rules import release_warnings
from curation.releases.verifying import verify_release
from tests.contracts.pseudo import OPEN, bracketed, pseudo
from tests.curation.releases.factories import make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db
WRITERS = [statement_of, datasheet_of, card_of]


@pytest.fixture(autouse=True)
def german(monkeypatch):
    """German, with every message of ours in brackets."""
    monkeypatch.setitem(trans_real._translations, "de", pseudo())


@pytest.fixture
def published(mira):
    return make_release(make_suite(by=mira), by=mira)


def page_of(release: Release, name: str) -> str:
    return reverse(f"curation:{name}", args=[release.suite.key, release.version])


@pytest.mark.parametrize("write", WRITERS)
def test_a_document_is_in_the_language_that_is_asked_for_and_else_in_english(published, write):
    english = write(published)
    assert OPEN not in english
    with translation.override("de"):
        assert write(published) == english
    german = write(published, "de")
    assert bracketed("cases") in german
    assert german.count("\n| ") == english.count("\n| ")


def test_headings_and_sentences_of_a_document_are_translated_and_prose_is_not(published):
    german = statement_of(published, "de")
    assert f"## {bracketed('Curation rationale')}" in german
    assert bracketed("*Not written yet.*") in german
    assert bracketed("words") in german
    assert "| hateful |" in german


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_an_export_has_the_same_bytes_whoever_asks_for_it(published, tmp_path):
    formats = ["csv", "jsonl", "huggingface", "croissant", "hatecheck"]
    export_release(published, tmp_path / "english", formats=formats)
    with translation.override("de"):
        export_release(published, tmp_path / "german", formats=formats)
        assert verify_release(published).is_intact
        assert verify_folder(tmp_path / "german").is_intact
    assert files_of(tmp_path / "english") == files_of(tmp_path / "german")


@pytest.mark.parametrize("name", ["release-statement", "release-datasheet"])
def test_a_page_shows_a_document_in_english_or_in_the_language_asked_for(client, published, name):
    address = page_of(published, name)
    for_a_german = client.get(address, headers={"accept-language": "de"}).content.decode()
    assert '<article class="measure document" lang="en">' in for_a_german
    assert OPEN not in for_a_german.partition("<article")[2].partition("</article>")[0]
    asked_for = client.get(address, {"language": "de"}).content.decode()
    assert OPEN in asked_for.partition('<article class="measure document" lang="de">')[2].partition("</article>")[0]
    assert "as=markdown&amp;language=de" in asked_for
    assert OPEN in client.get(address, {"as": "markdown", "language": "de"}).content.decode()
    assert OPEN not in client.get(address, {"as": "markdown", "language": "tlh"}).content.decode()


def test_the_api_gives_documents_in_english_or_in_the_language_asked_for(client, published):
    address = f"/api/v1/releases/{published.key}/documents/"
    english = client.get(address, headers={"accept-language": "de"}).json()
    documents = ("data_statement", "datasheet", "dataset_card")
    assert not any(OPEN in english[name] for name in documents)
    german = client.get(address, {"language": "de"}).json()
    assert all(OPEN in german[name] for name in documents)
    assert client.get(address, {"language": "tlh"}).status_code == 400


def test_the_draft_of_the_changelog_is_in_english_or_in_the_language_asked_for(client, published, mira):
    newer = make_release(published.suite, "1.1.0", by=mira, min_agree=2)
    address, wanted = page_of(newer, "release-changes"), {"since": "1.0.0", "as": "markdown"}
    assert "### Added" in client.get(address, wanted, headers={"accept-language": "de"}).content.decode()
    assert f"### {bracketed('Added')}" in client.get(address, wanted | {"language": "de"}).content.decode()


def test_why_a_build_failed_is_kept_for_readers_of_any_language(client, mira):
    suite = make_suite(labelled=False, by=mira)
    release = releases.request_release(suite, "1.0.0", by=mira, without_labels="exclude")
    jobs.perform(releases.request_build(release, by=mira).key, worker="test")
    release.refresh_from_db()
    client.force_login(mira)
    with translation.override("de"):
        assert OPEN in client.get(release.get_absolute_url(), headers={"accept-language": "de"}).content.decode()
    english = client.get(f"/api/v1/releases/{release.key}/").json()["failure"]
    assert english.startswith("small@1.0.0 would be empty: 7 cases were never labelled.")
    german = client.get(f"/api/v1/releases/{release.key}/", headers={"accept-language": "de"}).json()["failure"]
    assert german.startswith(f"small@1.0.0{bracketed(' would be empty: ')}7")


def test_warnings_are_kept_for_readers_of_any_language_and_older_ones_stay(mira):
    release = make_candidate(make_suite(by=mira), by=mira)
    release.facts["warnings"] = [*keep([_("There is no case.")]), "As an older version wrote it."]
    assert release_warnings(release) == ["There is no case.", "As an older version wrote it."]
    with translation.override("de"):
        assert [str(warning) for warning in release_warnings(release)] == [
            bracketed("There is no case."),
            "As an older version wrote it.",
        ]
