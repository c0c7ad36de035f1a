"""Pages of releases: each works, refuses a stranger, handles a missing thing and says why."""

import io
import uuid
import zipfile

import pytest
from django.urls import reverse

from annotation.models import Annotation, CampaignItem
from core.jobs import services as jobs
from core.models import Job
from curation.models import Release, ReleaseDownload, TestCase
from curation.releases import services as releases
from curation.releases.access import can_read_cases, request_access
from curation.releases.options import AccessOptions
from tests.curation.releases.factories import DISPUTED, make_candidate, make_release, make_suite
from tests.html import one_line

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite(mira):
    return make_suite(by=mira)


@pytest.fixture
def published(suite, mira, tmp_path, settings):
    settings.VAR = tmp_path
    return make_release(suite, by=mira)


def page_of(release: Release, name: str = "release", *more: object) -> str:
    return reverse(f"curation:{name}", args=[release.suite.key, release.version, *more])


def text_of(response) -> str:
    return one_line(response.content.decode())


PARTS = ["release", "release-cases", "release-statement", "release-datasheet", "release-downloads", "release-changes"]


@pytest.mark.parametrize("name", PARTS)
def test_a_public_release_is_for_everybody(client, published, name):
    page = text_of(client.get(page_of(published, name)))
    assert "small@1.0.0" in page
    assert page.count("<h1") == 1


@pytest.mark.parametrize("name", PARTS)
def test_a_private_release_is_not_found_by_strangers(client, suite, mira, vic, emil, name, tmp_path, settings):
    settings.VAR = tmp_path
    release = make_release(suite, by=mira, access="private")
    client.force_login(vic)
    assert client.get(page_of(release, name)).status_code == 404
    client.force_login(emil)
    assert client.get(page_of(release, name)).status_code == 200


@pytest.mark.parametrize("name", PARTS)
def test_a_missing_release_is_not_found(client, suite, name):
    assert client.get(reverse(f"curation:{name}", args=["small", "9.9.9"])).status_code == 404


def test_the_page_says_what_a_paper_would_cite(client, published):
    page = text_of(client.get(page_of(published)))
    for wanted in (published.sha256, "How to cite", "CC-BY-4.0", "Composition", "What changed", "Excluded"):
        assert wanted in page


def test_texts_of_a_release_are_covered_until_a_visitor_asks_for_them(client, published):
    key = published.cases.order_by("position").first().key
    pages = [page_of(published, "release-cases"), page_of(published, "lineage", key)]
    assert all(" data-covered" in text_of(client.get(page)) for page in pages)
    assert client.post(reverse("curation:cover-texts"), {"texts": "shown", "back": pages[0]}).url == pages[0]
    assert not any(" data-covered" in text_of(client.get(page)) for page in pages)


def test_visitors_list_what_is_published_and_nothing_else(client, published, suite, mira):
    make_candidate(suite, "1.1.0", by=mira)
    page = text_of(client.get(reverse("curation:releases")))
    assert page_of(published) in page
    assert "1.1.0" not in page
    assert "Freeze a release" not in page


def test_the_list_can_be_searched_filtered_and_sorted(client, published, suite, mira):
    make_candidate(suite, "1.1.0", by=mira)
    client.force_login(mira)
    address = reverse("curation:releases")
    assert "1.1.0" not in text_of(client.get(address, {"state": "published"}))
    assert "No matching releases" in text_of(client.get(address, {"q": "nothing like it"}))
    ordered = text_of(client.get(address, {"sort": "version", "suite": "small"}))
    assert ordered.index("small/1.0.0/") < ordered.index("small/1.1.0/")


def test_the_list_takes_a_fixed_number_of_queries(client, published, suite, mira, django_assert_max_num_queries):
    make_release(suite, "1.1.0", by=mira)
    client.force_login(mira)
    with django_assert_max_num_queries(9):
        client.get(reverse("curation:releases"))


def test_an_empty_list_says_what_to_do(client, mira):
    client.force_login(mira)
    assert "Choose a suite" in text_of(client.get(reverse("curation:releases")))


def test_the_preview_follows_the_form_and_writes_nothing(client, suite, mira):
    client.force_login(mira)
    values = {"suite": "small", "version": "1.0.0", "policy": "exclude", "min_agree": 4, "cascade": "closure"}
    page = text_of(client.get(reverse("curation:release-preview"), values))
    assert "disagreement" in page
    assert "Missing documentation" in page
    assert not Release.objects.exists()
    assert "Minimum agreement" in text_of(client.get(reverse("curation:release-preview"), values | {"min_agree": 9}))


def test_freezing_builds_a_candidate_and_publishing_freezes_it(client, suite, mira):
    client.force_login(mira)
    form = text_of(client.get(reverse("curation:release-new")))
    assert 'value="1.0.0"' in form
    values = {
        "suite": "small",
        "version": "1.0.0",
        "policy": "exclude",
        "min_agree": 4,
        "cascade": "closure",
        "access": "public",
    }
    answer = client.post(reverse("curation:release-new"), values)
    release = Release.objects.get()
    assert answer["Location"] == page_of(release)
    assert "Waiting to be built" in text_of(client.get(page_of(release)))
    jobs.perform(Job.objects.get().key, worker="test")
    assert client.get(page_of(release, "release-progress"))["HX-Refresh"] == "true"
    assert "Publish …" in text_of(client.get(page_of(release)))
    assert "First release." in text_of(client.get(page_of(release, "release-publish")))
    refused = client.post(page_of(release, "release-publish"), {"notes": "The **first** one."})
    assert refused.status_code == 422
    assert "Reason for publishing with open points" in text_of(refused)
    assert "This field is required." in text_of(refused)
    client.post(page_of(release, "release-publish"), {"notes": "The **first** one.", "reason": "A paper waits."})
    release.refresh_from_db()
    assert release.state == "published"
    page = text_of(client.get(page_of(release)))
    assert "<strong>first</strong>" in page
    assert "open points of the checklist: documented, credited. Reason: A paper waits." in page


def test_a_build_is_stopped_where_it_is_shown(client, suite, mira):
    release = make_candidate(suite, by=mira)
    releases.request_build(release, by=mira)
    client.force_login(mira)
    assert "Stop building" in text_of(client.get(page_of(release)))
    answer = client.post(page_of(release, "release-stop"), follow=True)
    assert "leaves a draft." in text_of(answer)
    assert Job.objects.get().state == "cancelled"


@pytest.mark.parametrize("name", ["release-cases", "release-downloads", "release-changes", "release-statement"])
def test_parts_of_a_draft_are_not_there_yet(client, suite, mira, name):
    release = releases.request_release(suite, "1.0.0", by=mira)
    client.force_login(mira)
    assert client.get(page_of(release, name)).status_code == 404


def test_a_published_release_leads_to_its_leaderboard(client, published, suite, mira):
    address = "/results/leaderboard/small/1.0.0/"
    assert address in text_of(client.get(page_of(published)))
    client.force_login(mira)
    assert "/results/leaderboard/" not in text_of(client.get(page_of(make_candidate(suite, "1.1.0", by=mira))))


def test_a_wrong_form_says_what_is_wrong(client, published, mira):
    client.force_login(mira)
    values = {
        "suite": "small",
        "version": "1.0.0",
        "policy": "exclude",
        "min_agree": 9,
        "cascade": "closure",
        "access": "public",
    }
    answer = client.post(reverse("curation:release-new"), values)
    assert answer.status_code == 422
    assert "exists already" in text_of(answer)
    assert "Use 1 to 5, or 0 for none" in text_of(answer)


@pytest.mark.parametrize("name", ["release-publish", "release-withdraw", "release-statement-edit"])
def test_what_maintainers_do_is_refused_to_experts(client, suite, mira, emil, name):
    release = make_candidate(suite, by=mira)
    client.force_login(emil)
    assert client.get(page_of(release, name)).status_code == 403
    assert client.get(reverse("curation:release-new")).status_code == 403


@pytest.mark.parametrize(
    "name", ["release-publish", "release-build", "release-delete", "release-withdraw", "release-doi"]
)
def test_strangers_cannot_change_a_release(client, published, vic, name):
    client.force_login(vic)
    assert client.post(page_of(published, name), {"reason": "Because."}).status_code == 403
    client.logout()
    assert client.post(page_of(published, name))["Location"].startswith("/account/login/")


def test_a_failed_build_is_shown_with_its_reason(client, mira):
    suite = make_suite(labelled=False)
    TestCase.objects.update(state="retired")
    release = releases.request_release(suite, "1.0.0", by=mira)
    jobs.perform(releases.request_build(release, by=mira).key, worker="test")
    client.force_login(mira)
    page = text_of(client.get(page_of(release)))
    assert "The build failed." in page
    assert "would be empty" in page


def test_a_draft_can_be_deleted(client, suite, mira):
    release = make_candidate(suite, by=mira)
    client.force_login(mira)
    client.post(page_of(release, "release-delete"))
    assert not Release.objects.exists()


def test_a_withdrawn_release_is_marked_everywhere(client, published, mira):
    client.force_login(mira)
    client.post(page_of(published, "release-withdraw"), {"reason": "A word was misspelled."})
    client.logout()
    for name in PARTS:
        assert "A word was misspelled." in text_of(client.get(page_of(published, name)))
    assert "Withdrawn" in text_of(client.get(reverse("curation:releases")))


def test_a_doi_recorded_after_publishing_is_how_the_release_is_cited(client, published, mira):
    client.force_login(mira)
    assert "Record a DOI" in text_of(client.get(page_of(published)))
    client.post(page_of(published, "release-doi"), {"doi": "https://doi.org/10.5281/zenodo.1234567"})
    client.logout()
    page = text_of(client.get(page_of(published)))
    assert '<a href="https://doi.org/10.5281/zenodo.1234567">10.5281/zenodo.1234567</a>' in page
    assert "version 1.0.0. https://doi.org/10.5281/zenodo.1234567" in page
    assert "doi = {10.5281/zenodo.1234567}" in page
    assert "Correct the DOI" not in page


def test_verifying_says_what_it_found(client, published, vic):
    client.force_login(vic)
    assert "Intact." in text_of(client.post(page_of(published, "release-verify")))


def test_documents_can_be_written_until_publication(client, suite, mira):
    release = make_candidate(suite, by=mira)
    client.force_login(mira)
    edit = page_of(release, "release-statement-edit")
    assert "Curation rationale" in text_of(client.get(edit))
    client.post(edit, {"curation_rationale": "To test *mild* sentences. <script>alert(1)</script>"})
    page = text_of(client.get(page_of(release, "release-statement")))
    assert "<em>mild</em>" in page
    assert "<script>alert" not in page
    assert client.get(page_of(release, "release-statement"), {"as": "markdown"})["Content-Type"].startswith(
        "text/markdown"
    )
    releases.publish_release(release, by=mira, reason="For a test.")
    client.post(edit, {"curation_rationale": "Something else."})
    release.refresh_from_db()
    assert "mild" in release.prose["curation_rationale"]


def test_cases_can_be_searched_and_what_was_left_out_is_listed_with_reasons(
    client, published, django_assert_max_num_queries
):
    address = page_of(published, "release-cases")
    assert "I dislike women." not in text_of(client.get(address, {"q": "welcome"}))
    assert "I dislike women." in text_of(client.get(address, {"label": "hateful", "sort": "-key"}))
    page = text_of(client.get(address, {"show": "excluded"}))
    assert DISPUTED in page
    assert "disagreement" in page
    with django_assert_max_num_queries(6):
        client.get(address)


def test_a_case_is_found_by_its_id(client, published):
    key = published.cases.get(text="I dislike women.").key
    page = text_of(client.get(page_of(published, "release-cases"), {"q": key}))
    assert "I dislike women." in page
    assert "Everybody is welcome." not in page
    left_out = TestCase.objects.get(text=DISPUTED).key
    assert DISPUTED in text_of(client.get(page_of(published, "release-cases"), {"q": left_out, "show": "excluded"}))


def test_every_case_has_a_stable_page_with_its_lineage(client, published):
    case = published.cases.get(text="I dislike women.")
    address = page_of(published, "lineage", case.key)
    page = text_of(client.get(address))
    for wanted in ("I dislike women.", "Where it comes from", "version 1", "Votes", "small-1", "women"):
        assert wanted in page


def test_words_and_focus_are_covered_as_texts_are(client, published):
    case = published.cases.get(text="I dislike women.")
    page = text_of(client.get(page_of(published, "lineage", case.key)))
    words = page[page.index("Words used") : page.index("Votes")]
    assert words.count("case-text") == 2
    assert ">women<" in words
    assert 'data-covered data-coverable> <h2 id="origin">' in page


def test_what_annotators_remarked_is_for_the_workshop_alone(client, suite, mira, emil):
    vote = Annotation.objects.filter(assignment__item__case__text="I dislike women.").first()
    vote.pk, vote.revision, vote.client_id, vote._state.adding = None, 2, uuid.uuid4(), True
    vote.comment, vote.is_unrealistic, vote.unrealistic_because = "My neighbour says so.", True, "Nobody I know."
    vote.save()
    release = make_release(suite, by=mira)
    address = page_of(release, "lineage", release.cases.get(text="I dislike women.").key)
    page = text_of(client.get(address))
    assert "flagged as unrealistic" in page
    assert "neighbour" not in page
    assert "Nobody I know" not in page
    client.force_login(emil)
    page = text_of(client.get(address))
    assert "My neighbour says so." in page
    assert "Nobody I know." in page


def test_an_answer_to_a_check_is_no_vote(client, suite, mira):
    CampaignItem.objects.filter(case__text="I dislike women.").update(role="check")
    release = make_release(suite, by=mira)
    page = text_of(client.get(page_of(release, "lineage", release.cases.get(text="I dislike women.").key)))
    assert "No one has labelled this case" in page


def test_a_case_that_was_left_out_says_why(client, published):
    key = TestCase.objects.get(text=DISPUTED).key
    answer = client.get(page_of(published, "lineage", key))
    assert answer.status_code == 404
    assert "was excluded from" in text_of(answer)
    assert "has no case" in text_of(client.get(page_of(published, "lineage", "nothing")))


def test_two_releases_are_compared_with_reasons(client, published, suite, mira):
    TestCase.objects.filter(text="Everybody is welcome.").update(text="All are welcome.")
    newer = make_release(suite, "1.1.0", by=mira, min_agree=2)
    page = text_of(client.get(page_of(newer, "release-changes"), {"since": "1.0.0"}))
    assert "Excluded before" in page
    changed = text_of(client.get(page_of(newer, "release-changes"), {"since": "1.0.0", "kind": "changed_text"}))
    assert "Everybody is welcome.</del>" in changed
    draft = text_of(client.get(page_of(newer, "release-changes"), {"since": "1.0.0", "as": "markdown"}))
    assert draft.startswith("## 1.1.0")
    assert "Nothing to compare with" in text_of(client.get(page_of(published, "release-changes")))
    assert client.get(page_of(newer, "release-changes"), {"since": "7.0"}).status_code == 404


@pytest.mark.parametrize(
    "file_format", ["csv", "jsonl", "parquet", "huggingface", "croissant", "hatecheck", "mhc", "all"]
)
def test_every_format_can_be_downloaded_and_is_logged(client, published, vic, file_format):
    client.force_login(vic)
    answer = client.get(page_of(published, "release-download", file_format))
    names = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))).namelist()
    assert "small-1.0.0/cases.csv" in names
    assert "small-1.0.0/annexes/excluded.csv" in names
    download = ReleaseDownload.objects.get()
    assert (download.user, download.file) == (vic, f"small-1.0.0-{file_format}.zip")


def test_an_unknown_format_is_refused_with_the_known_ones(client, published):
    answer = client.get(page_of(published, "release-download", "excel"))
    assert answer.status_code == 422
    assert "parquet" in text_of(answer)


def test_a_large_release_is_written_by_a_worker_first(client, published, mira, monkeypatch):
    monkeypatch.setattr("curation.releases.downloads.MADE_AT_ONCE", 2)
    client.force_login(mira)
    assert client.get(page_of(published, "release-download", "csv"))["Location"] == page_of(
        published, "release-downloads"
    )
    assert "being written" in text_of(client.get(page_of(published, "release-downloads")))
    jobs.perform(Job.objects.get(kind="curation.export_release").key, worker="test")
    assert client.get(page_of(published, "release-download", "csv"))["Content-Type"] == "application/zip"


def test_a_release_on_request_shows_its_page_but_not_its_cases(client, suite, mira, vic):
    release = make_release(suite, by=mira, access="request", terms="For research only.")
    client.force_login(vic)
    page = text_of(client.get(page_of(release)))
    assert "Ask for access" in page
    assert "I dislike women." not in page
    for address in (
        page_of(release, "release-cases"),
        page_of(release, "release-download", "csv"),
        page_of(release, "release-downloads"),
    ):
        answer = client.get(address)
        assert answer.status_code == 403
        assert "You need access" in text_of(answer)


def test_access_is_asked_for_granted_and_logged(client, suite, mira, vic, tmp_path, settings):
    settings.VAR = tmp_path
    release = make_release(suite, by=mira, access="request", terms="For research only.")
    address = page_of(release, "release-access")
    client.force_login(vic)
    assert "For research only." in text_of(client.get(address))
    client.post(address, {"reason": "To test a model.", "accepts_terms": "on"})
    assert "A maintainer decides" in text_of(client.get(address))
    client.force_login(mira)
    assert "To test a model." in text_of(client.get(address))
    asked = release.access_requests.get()
    client.post(page_of(release, "release-access-decide", asked.pk), {"decision": "grant", "answer": "Welcome."})
    client.force_login(vic)
    assert client.get(page_of(release, "release-download", "csv")).status_code == 200
    client.force_login(mira)
    assert "small-1.0.0-csv.zip" in text_of(client.get(address))


def test_maintainers_are_told_who_asks_and_can_take_back_what_they_granted(client, suite, mira, vic):
    release = make_release(suite, by=mira, access="request")
    asked = request_access(release, AccessOptions(reason="To test a model.", accepts_terms=True), by=vic)
    decide = page_of(release, "release-access-decide", asked.pk)
    client.force_login(mira)
    assert "1 person asks for access to small@1.0.0" in text_of(client.get("/"))
    client.post(decide, {"decision": "grant"})
    assert "asks for access to small" not in text_of(client.get("/"))
    assert can_read_cases(vic, release)
    assert client.post(decide, {"decision": "refuse"}).status_code == 422, "the person is told why"
    client.post(decide, {"decision": "refuse", "answer": "The project is over."})
    assert not can_read_cases(vic, release)
    client.force_login(vic)
    assert "The project is over." in text_of(client.get(page_of(release, "release-access")))


def test_nobody_decides_on_their_own_request(client, suite, mira, vic):
    release = make_release(suite, by=mira, access="request")
    client.force_login(vic)
    client.post(page_of(release, "release-access"), {"reason": "To test a model.", "accepts_terms": "on"})
    asked = release.access_requests.get()
    answer = client.post(page_of(release, "release-access-decide", asked.pk), {"decision": "grant"})
    assert answer.status_code == 403
    asked.refresh_from_db()
    assert asked.state == "asked"
