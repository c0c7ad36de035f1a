"""Pages of templates, reviews, coverage, adaptation and cases: they work, refuse strangers, and say why."""

import csv
import json

import pytest
from django.urls import reverse

from core.models import Job
from curation.authoring.reviewing import approve_version
from curation.authoring.services import save_draft, submit_version
from curation.authoring.wording_checks import VariantText
from curation.cases.generating import generate_cases
from curation.cases.handwritten import write_case
from curation.models import Form, Language, Template, TestCase
from tests.curation.authoring.factories import (
    approve_template,
    functionality,
    german,
    make_suite,
    newest,
    write_template,
)
from tests.html import one_line

pytestmark = pytest.mark.django_db
PLURAL = "Ich mag [identity:Number=Plur] nicht."


@pytest.fixture
def suite():
    return make_suite()


@pytest.fixture
def template(suite, emil):
    return write_template(suite, PLURAL, by=emil)


@pytest.fixture
def approved(template, emil, mira, suite):
    approve_template(template, author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    return template


def address(name: str, template: Template) -> str:
    return reverse(f"curation:{name}", args=[template.suite.key, template.language.code, template.key])


def as_(client, user):
    client.force_login(user)
    return client


PAGES = ["templates", "template-new", "matrix", "adapt", "reviews", "cases", "case-new", "cases-perturb"]


@pytest.mark.parametrize("name", PAGES)
def test_each_page_works_for_an_expert(client, suite, approved, emil, name):
    response = as_(client, emil).get(reverse(f"curation:{name}"), {"suite": "mild", "language": "de"})
    assert response.status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_each_page_refuses_a_stranger(client, suite, ana, name):
    assert client.get(reverse(f"curation:{name}")).status_code == 302
    response = as_(client, ana).get(reverse(f"curation:{name}"))
    assert response.status_code == 403
    assert "language experts" in response.content.decode()


@pytest.mark.parametrize("name", PAGES)
def test_each_page_works_before_there_is_a_suite(client, mira, name):
    assert as_(client, mira).get(reverse(f"curation:{name}")).status_code == 200


@pytest.mark.parametrize("name", ["template", "template-history", "review"])
def test_a_missing_template_is_not_found(client, suite, emil, name):
    as_(client, emil)
    assert client.get(reverse(f"curation:{name}", args=["mild", "de", "nothing"])).status_code == 404
    assert client.get(reverse(f"curation:{name}", args=["none", "de", "nothing"])).status_code == 404


def test_the_list_searches_filters_and_sorts(client, suite, template, approved, emil):
    other = write_template(suite, "Das Wetter ist schlecht.", by=emil, functionality=functionality("ident_neutral_nh"))
    as_(client, emil)

    def keys(**query: str) -> list[str]:
        return [row["template"].key for row in client.get(reverse("curation:templates"), query).context["rows"]]

    assert keys() == [template.key, other.key]
    assert keys(sort="-key") == [other.key, template.key]
    assert keys(q="wetter") == [other.key]
    assert keys(state="draft") == [other.key]
    assert keys(state="approved") == [template.key]
    assert keys(functionality="ident_neutral_nh") == [other.key]
    assert keys(language="en") == []
    assert keys(missing="on") == []
    Form.objects.filter(entry__key="frau", features="Number=Plur").delete()
    Form.objects.filter(entry__key="frau", features="Case=Dat|Number=Plur").delete()
    assert keys(missing="on") == [template.key]


def test_the_list_needs_the_same_queries_whatever_its_length(
    client, suite, approved, emil, django_assert_max_num_queries
):
    for number in range(12):
        write_template(suite, f"Satz {number} über [identity].", by=emil)
    as_(client, emil)
    with django_assert_max_num_queries(17):
        client.get(reverse("curation:templates"))


def test_the_list_downloads_what_is_filtered(client, suite, approved, emil):
    write_template(suite, "Das Wetter\rist schlecht.", by=emil)
    response = as_(client, emil).get(reverse("curation:templates"), {"state": "draft", "download": "csv"})
    rows = list(csv.DictReader(b"".join(response.streaming_content).decode().splitlines(keepends=True)))
    assert [(row["state"], row["language"]) for row in rows] == [("draft", "de")]


def test_many_templates_change_at_once(client, suite, template, emil):
    other = write_template(suite, "Ich mag [identty].", by=emil)
    as_(client, emil)
    many = reverse("curation:templates-many")
    response = client.post(many, {"action": "submit", "template": [template.pk, other.pk]}, follow=True)
    page = response.content.decode()
    assert "1 template changed." in page
    assert "no placeholder is called" in page or "identty" in page
    assert newest(template).state == "submitted"
    assert client.post(many, {"action": "submit"}).status_code == 422
    assert client.post(many, {"action": "dance", "template": [template.pk]}).status_code == 422


def test_the_editor_shows_text_cases_and_completions(client, template, emil):
    page = as_(client, emil).get(template.get_absolute_url()).content.decode()
    assert "[identity:Number=Plur]" in page
    assert "Ich mag Frauen nicht." in page
    assert "Submit for review" in page
    assert '"Number=Plur"' in page


def test_the_editor_is_read_only_for_experts_of_other_languages(client, template, emil):
    emil.grants.update(language="fr")
    page = as_(client, emil).get(template.get_absolute_url()).content.decode()
    assert "Submit for review" not in page
    response = client.post(template.get_absolute_url(), {"functionality": "derog_neg_emote_h", "variant_text": "x"})
    assert response.status_code == 403
    assert newest(template).variants.get().text == PLURAL


def test_who_wrote_a_wording_is_offered_to_withdraw_it_and_others_to_review_it(client, template, emil, mira):
    submit_version(newest(template), by=emil)
    own = as_(client, emil).get(template.get_absolute_url()).content.decode()
    assert address("template-withdraw", template) in own
    assert address("review", template) not in own
    others = as_(client, mira).get(template.get_absolute_url()).content.decode()
    assert address("review", template) in others


def test_saving_keeps_a_draft_and_submitting_hands_it_in(client, template, emil):
    as_(client, emil)
    form = {
        "functionality": "derog_neg_emote_h",
        "variant_features": [""],
        "variant_text": ["Ich meide [identity:Number=Plur]."],
    }
    assert client.post(template.get_absolute_url(), {**form, "then": ""}).status_code == 302
    assert newest(template).state == "draft"
    client.post(template.get_absolute_url(), {**form, "then": "submit", "direction": "general"})
    template.refresh_from_db()
    assert (newest(template).state, template.direction) == ("submitted", "general")


def test_a_refused_save_keeps_what_was_typed(client, template, emil, mira):
    seen = as_(client, emil).get(template.get_absolute_url()).context["based_on"]
    save_draft(template, [VariantText("", "Von Mira.")], by=mira)
    form = {"functionality": "derog_neg_emote_h", "based_on": seen, "variant_text": ["Mein langer Satz."]}
    response = client.post(template.get_absolute_url(), form)
    assert response.status_code == 409
    assert "Mein langer Satz." in response.content.decode()
    assert "changed by another person" in response.content.decode()


def test_a_new_template_is_prefilled_from_the_matrix_and_created(client, suite, emil):
    as_(client, emil)
    new = reverse("curation:template-new")
    page = client.get(new, {"suite": "mild", "language": "de", "functionality": "ident_neutral_nh", "target": "women"})
    assert page.context["form"].initial["functionality"] == "ident_neutral_nh"
    form = {
        "suite": "mild",
        "language": "de",
        "functionality": "ident_neutral_nh",
        "variant_text": ["Hallo [identity]."],
    }
    response = client.post(new, form)
    made = Template.objects.get()
    assert response["Location"] == made.get_absolute_url()
    assert newest(made).author == emil
    again = client.post(new, {**form, "key": made.key})
    assert again.status_code == 422
    assert "already" in again.content.decode()


def test_the_preview_answers_with_cases_and_colours(client, suite, emil, ana):
    preview = reverse("curation:template-preview")
    asked = {
        "suite": "mild",
        "language": "de",
        "variant_text": ["Ich mag [identity:Number=Plur]."],
        "variant_features": [""],
    }
    answer = as_(client, emil).post(preview, asked).json()
    assert answer["total"] == 2
    assert "Ich mag Muslime." in answer["html"]
    assert answer["spans"][0][0] == [0, 8, "text"]
    broken = client.post(preview, {**asked, "variant_text": ["<b>[identty]"]}).json()
    assert broken["total"] == 0
    assert "Character 4" in one_line(broken["html"])
    bold = client.post(preview, {**asked, "variant_text": ["<b>[identity:Number=Plur]</b>"]}).json()
    assert "&lt;b&gt;Frauen&lt;/b&gt;" in bold["html"]
    assert "<b>" not in bold["html"]
    assert as_(client, ana).post(preview, asked).status_code == 403


def test_a_missing_form_links_to_its_cell(client, suite, emil):
    Form.objects.filter(entry__key="muslim").exclude(features="Number=Sing").delete()
    asked = {"suite": "mild", "language": "de", "variant_text": ["Ich mag [identity:Number=Plur]."]}
    html = as_(client, emil).post(reverse("curation:template-preview"), asked).json()["html"]
    assert "has no form for plural" in html
    query = "suite=mild&amp;language=de&amp;kind=identity&amp;column=Number%3DPlur"
    assert f"{reverse('curation:lexicon')}?{query}#muslim" in html


def test_review_approves_by_somebody_else_only(client, suite, template, emil, mira):
    submit_version(newest(template), by=emil)
    page = as_(client, emil).get(address("review", template)).content.decode()
    assert "You wrote part of this version." in page
    assert client.post(address("template-decide", template), {"decision": "approve"}).status_code == 403
    page = as_(client, mira).get(address("review", template))
    assert "Ich mag Frauen nicht." in page.content.decode()
    seen = page.context["seen_by_reader"]
    client.post(address("template-decide", template), {"decision": "approve", "seen": seen})
    assert newest(template).state == "approved"
    assert newest(template).reviewer == mira


def test_a_decision_about_another_wording_is_refused(client, template, emil, mira):
    submit_version(newest(template), by=emil)
    response = as_(client, mira).post(address("template-decide", template), {"decision": "approve", "seen": "other"})
    assert response.status_code == 409
    assert newest(template).state == "submitted"


def test_rejecting_says_why(client, template, emil, mira):
    submit_version(newest(template), by=emil)
    as_(client, mira)
    assert client.post(address("template-decide", template), {"decision": "reject"}).status_code == 422
    client.post(address("template-decide", template), {"decision": "reject", "reason": "Not said this way."})
    page = as_(client, emil).get(template.get_absolute_url()).content.decode()
    assert "Rejected: Not said this way." in page


def test_review_of_a_new_wording_shows_why_the_one_before_was_rejected(client, template, emil, mira):
    submit_version(newest(template), by=emil)
    as_(client, mira).post(address("template-decide", template), {"decision": "reject", "reason": "Not said this way."})
    save_draft(template, [VariantText("", "Ich meide [identity:Number=Plur].")], by=emil)
    submit_version(newest(template), by=emil)
    page = one_line(client.get(address("review", template)).content.decode())
    assert "Version 1 was rejected by Mira" in page
    assert "Not said this way." in page


def test_review_shows_what_changes(client, suite, approved, emil, mira):
    save_draft(approved, [VariantText("", "Ich meide [identity:Number=Plur].")], by=emil)
    submit_version(newest(approved), by=emil)
    page = one_line(as_(client, mira).get(address("review", approved)).content.decode())
    assert "<del>mag</del><ins>meide</ins>" in page
    assert "New: 2. Retired: 2. Unchanged: 0." in page
    history = client.get(address("template-history", approved)).content.decode()
    assert "<ins>meide</ins>" in history
    assert "Version 2" in history


def test_the_queue_lists_what_waits(client, template, emil, mira):
    submit_version(newest(template), by=emil)
    page = as_(client, mira).get(reverse("curation:reviews")).content.decode()
    assert address("review", template) in page


def test_comments_are_read_by_the_others(client, template, emil, mira):
    as_(client, mira).post(address("template-comment", template), {"version": "1", "text": "Is this said?"})
    assert "Is this said?" in as_(client, emil).get(template.get_absolute_url()).content.decode()


def test_withdraw_and_delete(client, template, emil):
    submit_version(newest(template), by=emil)
    as_(client, emil).post(address("template-withdraw", template))
    assert newest(template).state == "draft"
    client.post(address("template-delete", template))
    assert not Template.objects.exists()


def test_the_matrix_leads_into_holes_and_to_cases(client, suite, approved, emil):
    page = as_(client, emil).get(reverse("curation:matrix"), {"suite": "mild", "language": "de"}).content.decode()
    assert "functionality=derog_neg_emote_h&amp;target=women" in page
    assert "templates/new/?suite=mild&amp;language=de&amp;functionality=ident_neutral_nh&amp;target=women" in page


def test_pinyin_is_not_offered_for_german(client, suite, approved, emil):
    where = reverse("curation:cases-perturb")
    page = as_(client, emil).get(where, {"suite": "mild", "language": "de"}).content.decode()
    assert 'value="spell_leet_h"' in page
    assert "spell_pinyin_h" not in page
    form = {"suite": "mild", "language": "de", "functionality": "spell_pinyin_h", "seed": 7}
    assert "Choose a spelling functionality that applies in this language." in client.post(where, form).content.decode()
    assert not Template.objects.filter(functionality__key="spell_pinyin_h").exists()


def test_the_page_names_the_templates_nothing_could_be_made_for(client, suite, approved, emil, mira):
    short = write_template(suite, "[identity:Number=Plur]", by=emil)
    approve_template(short, author=emil, reviewer=mira)
    generate_cases(suite, by=mira)
    form = {"suite": "mild", "language": "de", "functionality": "spell_space_del_h", "seed": 7}
    page = as_(client, emil).post(reverse("curation:cases-perturb"), form, follow=True).content.decode()
    assert "2 new cases; 0 existed already." in page
    assert f"No case could be made for these templates: {short.key} (" in page


def test_the_dialog_and_the_toast_say_how_many_cases_go_with_a_word(client, suite, approved, emil):
    where = reverse("curation:word", args=["mild", "de", "frau"])
    said = (
        "1 case made with this word will be retired when cases are next generated. "
        "Imported cases and released cases stay."
    )
    assert f"and its forms will be removed. {said}" in as_(client, emil).get(where).content.decode()
    page = client.post(where, {"then": "remove"}, follow=True).content.decode()
    assert f"was removed. {said}" in page


def test_adapting_goes_on_to_the_next_template(client, suite, approved, emil, mira):
    second = write_template(suite, "Ich grüße [identity:Number=Plur].", by=emil)
    as_(client, mira)
    listed = client.get(reverse("curation:adapt"), {"suite": "mild", "language": "en", "source": "de"})
    assert [row.status for row in listed.context["page"]] == ["not started", "not started"]
    args = ["mild", "en", "mild", "de"]
    page = client.get(reverse("curation:adapt-template", args=[*args, approved.key])).content.decode()
    assert "Ich mag Frauen nicht." in page
    form = {"variant_text": ["The weather is bad."], "then": "submit"}
    response = client.post(reverse("curation:adapt-template", args=[*args, approved.key]), form)
    assert response["Location"] == reverse("curation:adapt-template", args=[*args, second.key])
    adapted = Template.objects.get(language__code="en")
    assert (adapted.adapted_from, newest(adapted).state) == (approved, "submitted")


ADAPTING = ["mild", "en", "mild", "de"]


@pytest.fixture
def to_adapt(client, suite, emil, mira, max_):
    """Five German templates; the second is adapted to English and approved, the third waits for review."""
    texts = [f"Ich {verb} [identity:Number=Plur]." for verb in ("mag", "rufe", "frage", "kenne", "meide")]
    sources = [write_template(suite, text, by=emil) for text in texts]
    as_(client, mira)
    for place in (1, 2):
        client.post(adapting(sources[place]), {"variant_text": [f"Text {place}."], "then": "submit"})
    approve_version(newest(Template.objects.get(adapted_from=sources[1])), by=max_)
    return sources


def adapting(source: Template, query: str = "") -> str:
    return reverse("curation:adapt-template", args=[*ADAPTING, source.key]) + query


def submit(client, source: Template, query: str = ""):
    return client.post(adapting(source, query), {"variant_text": ["The weather is bad."], "then": "submit"})


def test_submitting_skips_what_is_adapted_already(client, to_adapt):
    assert submit(client, to_adapt[0])["Location"] == adapting(to_adapt[3])


def test_after_the_end_of_the_list_adapting_goes_on_at_its_top(client, to_adapt):
    assert submit(client, to_adapt[4])["Location"] == adapting(to_adapt[0])


def test_a_rejected_or_unfinished_adaptation_still_needs_one(client, to_adapt, mira):
    client.post(adapting(to_adapt[3]), {"variant_text": ["Half a"]})
    assert submit(client, to_adapt[0])["Location"] == adapting(to_adapt[3])


def test_adapting_stays_within_the_filters_of_the_list(client, to_adapt):
    query = "?status=not+started&q=me"
    listed = client.get(reverse("curation:adapt"), {"suite": "mild", "language": "en", "q": "me"}).content.decode()
    assert adapting(to_adapt[4], "?q=me") in listed
    assert submit(client, to_adapt[0], "?q=k")["Location"] == adapting(to_adapt[3], "?q=k")
    done = submit(client, to_adapt[4], query)
    assert done["Location"].startswith(reverse("curation:adapt") + "?")
    assert done["Location"].endswith("&status=not+started&q=me")
    assert "All templates in this list are adapted." in client.get(done["Location"]).content.decode()


def test_adapting_refuses_other_languages(client, suite, approved, emil):
    where = reverse("curation:adapt-template", args=["mild", "en", "mild", "de", approved.key])
    response = as_(client, emil).post(where, {"variant_text": ["Hello."]})
    assert response.status_code == 403
    assert not Template.objects.filter(language=Language.objects.get(code="en")).exists()


def test_cases_are_found_filtered_and_downloaded(client, suite, approved, emil):
    as_(client, emil)
    cases = reverse("curation:cases")
    assert len(client.get(cases, {"suite": "mild"}).context["page"]) == 2
    assert len(client.get(cases, {"target": "women"}).context["page"]) == 1
    assert len(client.get(cases, {"q": "muslime"}).context["page"]) == 1
    assert len(client.get(cases, {"origin": "hand"}).context["page"]) == 0
    assert len(client.get(cases, {"state": "retired"}).context["page"]) == 0
    lines = b"".join(client.get(cases, {"q": "muslime", "download": "csv"}).streaming_content).decode().splitlines()
    assert len(lines) == 2
    whole = b"".join(client.get(reverse("curation:cases-download", args=["mild"])).streaming_content).decode()
    assert whole.splitlines()[0].startswith("case_id,functionality,test_case,label_gold")
    assert len(whole.splitlines()) == 3


def test_the_list_of_cases_needs_few_queries(client, suite, approved, emil, django_assert_max_num_queries):
    as_(client, emil)
    with django_assert_max_num_queries(11):
        client.get(reverse("curation:cases"))


def test_a_case_tells_where_it_comes_from(client, suite, approved, emil, ana):
    case = TestCase.objects.get(key="de-00001")
    page = as_(client, emil).get(reverse("curation:case", args=["mild", case.key])).content.decode()
    assert approved.get_absolute_url() in page
    assert "Number=Plur" in page
    assert as_(client, ana).get(reverse("curation:case", args=["mild", case.key])).status_code == 403
    assert as_(client, emil).get(reverse("curation:case", args=["mild", "nothing"])).status_code == 404


def test_a_case_is_written_changed_and_retired_by_hand(client, suite, emil):
    as_(client, emil)
    form = {"suite": "mild", "language": "de", "functionality": "ident_neutral_nh", "test_case": "Guten Tag."}
    client.post(reverse("curation:case-new"), form)
    case = TestCase.objects.get()
    assert (case.origin, case.author) == ("hand", emil)
    assert client.post(reverse("curation:case-new"), form).status_code == 422
    client.post(reverse("curation:case-edit", args=["mild", case.key]), {"test_case": "Guten Abend."})
    case.refresh_from_db()
    assert case.text == "Guten Abend."
    assert client.post(reverse("curation:case-retire", args=["mild", case.key])).status_code == 422
    client.post(reverse("curation:case-retire", args=["mild", case.key]), {"reason": "Unclear."})
    case.refresh_from_db()
    assert case.state == "retired"
    assert "Unclear." in client.get(reverse("curation:case", args=["mild", case.key])).content.decode()


def test_an_imported_text_that_no_template_gives_can_be_retired(client, suite, approved, emil):
    case = TestCase.objects.get(key="de-00001")
    page = reverse("curation:case", args=["mild", case.key])
    assert "Retire this case" not in as_(client, emil).get(page).content.decode()
    TestCase.objects.filter(pk=case.pk).update(origin="import", identity_hash="0" * 32)
    assert "Retire this case" in client.get(page).content.decode()
    client.post(reverse("curation:case-retire", args=["mild", case.key]), {"reason": "Released with a slip."})
    case.refresh_from_db()
    assert case.state == "retired"


def test_generating_is_a_job(client, suite, emil, ana):
    response = as_(client, emil).post(reverse("curation:cases-generate"), {"suite": "mild"})
    job = Job.objects.get()
    assert (job.kind, job.requested_by) == ("curation.generate_cases", emil)
    assert response["Location"] == job.get_absolute_url()
    assert as_(client, ana).post(reverse("curation:cases-generate"), {"suite": "mild"}).status_code == 403


def test_misspelt_versions_are_made_from_the_page(client, suite, approved, emil):
    form = {"suite": "mild", "language": "de", "functionality": "spell_leet_h", "seed": "7"}
    as_(client, emil).post(reverse("curation:cases-perturb"), form)
    assert TestCase.objects.filter(functionality__key="spell_leet_h").count() == 2
    refused = client.post(reverse("curation:cases-perturb"), {**form, "template": "nothing"})
    assert refused.status_code == 422
    assert "no cases to perturb" in refused.content.decode()


def test_texts_are_covered_until_asked_for(client, suite, approved, emil):
    as_(client, emil)
    assert " data-covered" in client.get(reverse("curation:cases")).content.decode()
    back = reverse("curation:cases")
    client.post(reverse("curation:cover-texts"), {"texts": "shown", "back": back})
    assert " data-covered" not in client.get(back).content.decode()
    elsewhere = client.post(reverse("curation:cover-texts"), {"texts": "covered", "back": "https://example.org/"})
    assert elsewhere["Location"] == back


def test_odd_keys_have_pages(client, suite, emil):
    odd = Template.objects.create(suite=suite, language=german(), functionality=functionality(), key="a/b ü?")
    assert as_(client, emil).get(odd.get_absolute_url()).status_code == 200
    case = write_case(suite, german(), functionality(), by=emil, text="Hm.")
    TestCase.objects.filter(pk=case.pk).update(key="x/y")
    assert client.get(reverse("curation:case", args=["mild", "x/y"])).status_code == 200


def test_the_completions_are_plain_data(client, template, emil):
    page = as_(client, emil).get(template.get_absolute_url()).content.decode()
    data = page.split('<script id="completions-data" type="application/json">')[1].split("</script>")[0]
    assert "identity" in json.loads(data)["kinds"]
