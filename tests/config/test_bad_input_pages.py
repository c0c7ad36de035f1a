"""Forms and files that no honest browser sends: refused with a sentence, never an error of the server."""

import csv
import io
import zipfile
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from core.models import Job
from curation.exporting.cases import export_cases
from curation.lexicon.files import import_words
from curation.models import Form, LexiconEntry, Suite, TestCase
from evaluation.models import Dataset, DetectionModel
from tests.annotation.factories import make_open_campaign
from tests.annotation.factories import make_suite as make_labelled_suite
from tests.curation.authoring.factories import german, make_suite, newest, write_template
from tests.curation.releases.factories import make_candidate, make_release
from tests.curation.releases.factories import make_suite as make_released_suite
from tests.evaluation.factories import allow_models, registered, run_model
from tests.generation import factories as ground
from tests.html import one_line

pytestmark = pytest.mark.django_db
NUL = "broken \x00 text"
CASES = b"functionality,test_case,label_gold\nderog_neg_emote_h,I dislike them.,hateful\n"


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"
    settings.VAR = tmp_path


@pytest.fixture
def page(client, mira) -> Client:
    client.force_login(mira)
    return client


@pytest.fixture
def template(emil):
    return write_template(make_suite(), "Ich mag [identity:Number=Plur] nicht.", by=emil)


def of_template(name: str, template) -> str:
    return reverse(f"curation:{name}", args=[template.suite.key, template.language.code, template.key])


class TestNullCharacters:
    """PostgreSQL keeps no null character, SQLite does: on both, the form cannot be read and nothing is changed."""

    def refused(self, page, address: str, values: dict[str, object]) -> None:
        answer = page.post(address, values)
        assert answer.status_code == 400
        assert "null character in pasted text. Nothing was changed." in one_line(answer.content.decode())

    def test_in_a_comment(self, page, template):
        self.refused(page, of_template("template-comment", template), {"version": "1", "text": NUL})
        assert not newest(template).comments.exists()

    def test_in_the_reason_of_coverage(self, page, template):
        values = {"functionality": template.functionality.key, "applies": "no", "reason": NUL}
        self.refused(page, reverse("curation:language", args=["de"]), values)

    def test_in_notes_and_reasons_of_a_release(self, page, mira):
        suite = make_released_suite(by=mira)
        candidate = make_candidate(suite, cascade="none", by=mira)
        self.refused(page, reverse("curation:release-publish", args=[suite.key, candidate.version]), {"notes": NUL})
        released = make_release(make_released_suite("other", by=mira), cascade="none", by=mira)
        where = [released.suite.key, released.version]
        self.refused(page, reverse("curation:release-withdraw", args=where), {"reason": NUL})

    def test_in_a_message_to_annotators(self, page, mira):
        campaign = make_open_campaign(make_labelled_suite(), mira)
        self.refused(page, reverse("annotation:campaign-message", args=[campaign.key]), {"text": NUL})

    def test_in_texts_to_try_and_keys_to_share(self, page, settings):
        allow_models(settings)
        version = registered("by_word", name="Words")
        self.refused(page, reverse("evaluation:model-try", args=[version.model.key]), {"texts": NUL})
        self.refused(page, reverse("evaluation:share"), {"run": NUL})

    def test_in_the_name_of_a_field(self, page, template):
        self.refused(page, of_template("template-comment", template), {"version": "1", "te\x00xt": "Fine."})

    def test_as_an_escape_in_a_cookie_is_no_session(self, client):
        for name in ("touchstone_session", "csrftoken", "messages"):
            answer = client.get(reverse("curation:releases"), HTTP_COOKIE=f'{name}="\\000aaaaaaaaaaaa"')
            assert answer.status_code == 200

    @pytest.mark.parametrize(("encoding", "query"), [("utf-7", "q=%2BAAA-"), ("raw_unicode_escape", "q=\\ud800")])
    def test_in_an_encoding_that_no_page_is_written_in(self, page, encoding, query):
        address = f"{reverse('curation:cases')}?{query}"
        assert page.get(address, CONTENT_TYPE=f"text/plain; charset={encoding}").status_code == 400

    def test_of_a_stranger_is_not_even_read(self, template):
        """The token is missed first: strangers cannot make the server read endless bodies."""
        answer = Client(enforce_csrf_checks=True).post(of_template("template-comment", template), {"text": NUL})
        assert answer.status_code == 403


@pytest.mark.parametrize("number", ["one", "-1", "1.5", "", "²", "9" * 40])
def test_a_comment_on_a_version_that_is_no_number_is_not_found(page, template, number):
    assert page.post(of_template("template-comment", template), {"version": number, "text": "Hm"}).status_code == 404


@pytest.mark.parametrize(
    "back", ["nonsense", "curation:nothing", "https://elsewhere.example/", "//elsewhere", "", "/["]
)
def test_an_address_to_return_to_that_is_none_is_left_alone(page, template, back):
    answer = page.post(reverse("curation:cover-texts"), {"back": back, "texts": "shown"})
    assert (answer.status_code, answer["Location"]) == (302, back if back == "/[" else reverse("curation:cases"))
    ticked = {"back": back, "template": str(template.pk), "action": "withdraw"}
    assert page.post(reverse("curation:templates-many"), ticked).status_code in (302, 422)


def test_an_address_to_return_to_on_this_site_is_followed(page):
    answer = page.post(reverse("curation:cover-texts"), {"back": "/cases/?q=harbour", "texts": "shown"})
    assert answer["Location"] == "/cases/?q=harbour"


def test_a_date_that_does_not_exist_is_named_in_settings_of_models(page):
    values = {"name": "Mine", "spec": "hf:owner/model", "more_settings": "since: 2026-13-45"}
    answer = page.post(reverse("evaluation:model-new"), values)
    assert answer.status_code == 422
    assert "it is not YAML (month must be in 1..12)" in answer.content.decode()


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return content.getvalue()


def changed(archive: bytes, *, flag: int | None = None, method: int | None = None) -> bytes:
    """The archive with other flags or another method of its only member, in both places where it says so."""
    data = bytearray(archive)
    central = data.index(b"PK\x01\x02")
    for at, offset in ((data.index(b"PK\x03\x04"), 6), (central, 8)):
        if flag is not None:
            data[at + offset] |= flag
        if method is not None:
            data[at + offset + 2] = method
    return bytes(data)


BAD_ARCHIVES = {
    "encrypted": (changed(packed(("cases.csv", CASES)), flag=1), "is encrypted. Pack it again without a password."),
    "unknown method": (changed(packed(("cases.csv", CASES)), method=97), "packed by a method that cannot be read"),
    "empty": (packed(), "it is empty"),
    "long member name": (packed(("長" * 120 + ".csv", CASES)), "is too long. Shorten it to 255 bytes."),
    "file and folder": (packed(("a", b"x"), ("a/cases.csv", CASES)), "is both a file and a folder in it"),
    "cut short": (packed(("cases.csv", CASES * 50), method=zipfile.ZIP_DEFLATED).replace(b"\xcb", b"\x00", 1), ""),
}


@pytest.mark.parametrize("kind", BAD_ARCHIVES)
def test_an_archive_that_cannot_be_unpacked_is_refused_and_nothing_of_it_stays(page, kind):
    make_suite()
    archive, said = BAD_ARCHIVES[kind]
    values = {"suite": "mild", "format": "csv", "language": "en", "file": SimpleUploadedFile("suite.zip", archive)}
    answer = page.post(reverse("curation:import"), values)
    assert answer.status_code in (200, 422)
    assert "cannot be unpacked" in answer.content.decode()
    assert said in answer.content.decode()
    assert not Job.objects.exists()
    assert list((Path(site.MEDIA_ROOT) / "imports").glob("*")) == []


def test_a_file_whose_name_no_disk_keeps_is_refused(page):
    make_suite()
    file = SimpleUploadedFile("長" * 200 + ".csv", CASES)
    answer = page.post(reverse("curation:import"), {"suite": "mild", "format": "csv", "language": "en", "file": file})
    assert answer.status_code in (200, 422)
    assert "Shorten it to 255 bytes" in answer.content.decode()
    assert not (Path(site.MEDIA_ROOT) / "imports").exists()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("posts." + "x" * 240, b"text,label\na,x\n", "which is not one of a file we read"),
        ("posts.jsonl", b'{"text": "a", "label": ' + b"[" * 5000 + b"]" * 5000 + b"}\n", "is not a JSON object"),
    ],
)
def test_data_that_no_reader_takes_is_refused_with_its_place(page, name, content, said):
    values = {"title": "Odd", "file": SimpleUploadedFile(name, content)}
    answer = page.post(reverse("evaluation:dataset-new"), values)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Dataset.objects.exists()


FORMULA = '=HYPERLINK("http://elsewhere.example")'


def cells(answer) -> str:
    return b"".join(answer.streaming_content).decode() if answer.streaming else answer.content.decode()


class TestFormulas:
    """What a person opens in a spreadsheet runs nothing; files that programs read stay as they are."""

    def test_in_a_list_of_cases(self, page, mira, tmp_path):
        suite = made_with_a_formula(mira)
        assert '"\'=HYPERLINK(""http' in cells(page.get(reverse("curation:cases"), {"download": "csv"}))
        exact = cells(page.get(reverse("curation:cases-download", args=[suite.key])))
        export_cases(suite, tmp_path / "cases.csv")
        assert exact == (tmp_path / "cases.csv").read_text(encoding="utf-8")
        assert '"=HYPERLINK(""http' in exact

    def test_in_the_cases_behind_a_result(self, page, mira, settings):
        allow_models(settings)
        release = make_release(made_with_a_formula(mira), cascade="none", by=mira)
        run = run_model(release, "by_word", name="Words", by=mira)
        found = cells(page.get(reverse("evaluation:run-cases-file", args=[run.key]), {"show": "all"}))
        assert "\"'=HYPERLINK" in found
        assert '"=HYPERLINK' not in found

    def test_in_what_a_language_model_wrote(self, page, mira):
        with ground.running_server() as server:
            server.answer = ground.writes(FORMULA, "Women paint boats.")
            run = ground.finished_run(ground.make_suite(), server, by=mira, wanted=2, per_request=2)
        found = cells(page.get(reverse("generation:candidates-csv", args=[run.key])))
        assert "'=HYPERLINK" in found
        assert '"=HYPERLINK' not in found

    @pytest.mark.parametrize("name", [FORMULA, "＝1+1", "\n=1+1", "@cmd"])
    def test_in_the_name_of_a_model_in_a_report(self, page, mira, settings, name):
        allow_models(settings)
        release = make_release(make_released_suite(by=mira), cascade="none", by=mira)
        run = run_model(release, "by_word", name="Words", by=mira)
        DetectionModel.objects.filter(pk=run.model_version.model_id).update(name=name)
        found = cells(page.get(reverse("evaluation:download", args=["csv"]), {"run": run.key}))
        named = {row["model"] for row in csv.DictReader(io.StringIO(found, newline=""))}
        assert f"'{name}" in named
        assert name not in named

    def test_words_are_defused_on_the_way_out_and_restored_on_the_way_in(self, page, suite_of_words, emil):
        suite, language = suite_of_words
        address = reverse("curation:lexicon") + f"?suite={suite.key}&language=de&kind=identity"
        entry = LexiconEntry.objects.of(suite, language, "identity").first()
        form = entry.forms.first()
        Form.objects.filter(pk=form.pk).update(text="-in")
        content = cells(page.get(address + "&download=csv"))
        assert "'-in" in content
        import_words(suite, language, "identity", content.encode(), by=emil)
        form.refresh_from_db()
        assert form.text == "-in"


def made_with_a_formula(by) -> Suite:
    suite = make_released_suite(by=by)
    case = TestCase.objects.of(suite).in_order().last()
    TestCase.objects.filter(pk=case.pk).update(text=FORMULA)
    return suite


@pytest.fixture
def suite_of_words():
    return make_suite(), german()
