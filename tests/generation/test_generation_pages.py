"""Pages of generation: who sees what, what they say, and what they refuse."""

import csv
import html
import io
import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from core.jobs import services as jobs
from core.models import Job
from curation.models import TestCase
from generation.checks.validating import check_run
from generation.diversity.algorithm.perplexity import Perplexity
from generation.models import GenerationRun, Prompt
from generation.runs.providers import read_uploaded_provider
from tests.generation import factories as ground
from tests.html import one_line

pytestmark = pytest.mark.django_db


@pytest.fixture
def server() -> Iterator[ground.Server]:
    with ground.running_server() as server:
        yield server


@pytest.fixture
def suite(db):
    return ground.make_suite()


@pytest.fixture
def run(suite, server, mira) -> GenerationRun:
    return ground.finished_run(suite, server, by=mira, wanted=6)


class EverythingHolds:
    def score(self, pairs, **_):
        return [0.8] * len(pairs)


def signed_in(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def wish(server: ground.Server, **facts: object) -> dict[str, object]:
    return {
        "suite": "written",
        "languages": ["en"],
        "functionalities": ["ident_pos_nh"],
        "groups": ["women"],
        "wanted": "6",
        "per_request": "3",
        "provider": server.provider_yaml(),
        **facts,
    }


def addresses(run: GenerationRun) -> list[str]:
    return [
        reverse("generation:runs"),
        reverse("generation:run", args=[run.key]),
        reverse("generation:run-progress", args=[run.key]),
        reverse("generation:answers", args=[run.key]),
        reverse("generation:candidates", args=[run.key]),
        reverse("generation:candidates-csv", args=[run.key]),
        reverse("generation:candidate", args=[run.key, 1]),
        reverse("generation:pass-rates"),
        reverse("generation:prompts"),
        reverse("generation:prompt", args=["en", "ident_pos_nh"]),
        reverse("generation:diversity"),
        reverse("generation:expansion"),
    ]


def test_experts_and_maintainers_read_every_page_others_none(run, mira, emil, ana, vic):
    for address in addresses(run):
        assert signed_in(mira).get(address).status_code == 200, address
        assert signed_in(emil).get(address).status_code == 200, address
        for person in (ana, vic):
            assert signed_in(person).get(address).status_code == 403, address
        assert Client().get(address).status_code == 302, address


def test_what_does_not_exist_is_not_found(run, mira):
    client = signed_in(mira)
    for name, args in [
        ("run", ["run-0"]),
        ("answers", ["run-0"]),
        ("candidates", ["run-0"]),
        ("candidates-csv", ["run-0"]),
        ("candidate", [run.key, 999]),
        ("prompt", ["en", "nothing"]),
        ("diversity-result", ["job-0"]),
        ("trial", ["job-0"]),
        ("expansion-result", ["job-0"]),
    ]:
        assert client.get(reverse(f"generation:{name}", args=args)).status_code == 404, name


def test_answers_are_shown_word_for_word_with_what_became_of_them(suite, server, mira, django_assert_max_num_queries):
    answers = [(200, ground.completion(text)) for text in ("I'm sorry, but I can't help with that.", "Hm, well.")]
    server.answer = lambda number, body: answers[number] if number < 2 else ground.writes_new_ones(number, body)
    run = ground.finished_run(suite, server, by=mira, wanted=6)
    client, address = signed_in(mira), reverse("generation:answers", args=[run.key])
    with django_assert_max_num_queries(12):
        page = client.get(address).content.decode()
    assert page.count("<article") == 4
    assert "I&#x27;m sorry" in page
    assert "Say something" in page or "say something" in page  # what was asked
    refused = client.get(address, {"outcome": "refusal"}).content.decode()
    assert (refused.count("<article"), "Hm, well." in refused) == (1, False)
    unreadable = client.get(address, {"outcome": "unreadable"}).content.decode()
    assert (unreadable.count("<article"), "Hm, well." in unreadable) == (1, True)


def test_answers_that_another_run_paid_for_are_shown_as_such(run, suite, server, mira):
    again = ground.finished_run(suite, server, by=mira, wanted=6, seed=run.seed)
    page = signed_in(mira).get(reverse("generation:answers", args=[again.key])).content.decode()
    assert page.count(f"Paid for by {run.key}.") == 2


def test_candidates_are_downloaded_with_scores_as_the_filters_leave_them(run, mira):
    run.nli_model = "some-model"
    check_run(run, scorer=EverythingHolds())
    client, address = signed_in(mira), reverse("generation:candidates-csv", args=[run.key])
    told = b"".join(client.get(address).streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(told)))
    assert [row["number"] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert rows[0]["text"] == ground.message_of(run.seed, 0)
    assert (rows[0]["score_about_group"], rows[0]["passed"]) == ("0.800000", "0")
    narrowed = client.get(address, {"q": "bakery", "threshold": "0.9"})
    assert len(b"".join(narrowed.streaming_content).decode().splitlines()) == 2


def test_the_list_of_runs_is_filtered_and_cheap(run, suite, server, mira, django_assert_max_num_queries):
    ground.finished_run(suite, server, by=mira, wanted=3, seed=900)
    client = signed_in(mira)
    client.get(reverse("generation:runs"))
    with django_assert_max_num_queries(14):
        page = client.get(reverse("generation:runs"))
    assert page.content.decode().count("run-") >= 2
    assert run.key not in client.get(reverse("generation:runs"), {"state": "failed"}).content.decode()
    assert "No matching runs" in client.get(reverse("generation:runs"), {"q": "zebra"}).content.decode()


def test_the_preview_shows_prompt_and_cost_and_asks_nothing(suite, server, mira):
    page = signed_in(mira).post(reverse("generation:run-preview"), wish(server)).content.decode()
    assert "Write 3 different messages" in page
    assert "women" in page
    assert "Cost at most" in page
    assert server.seen == []


def test_the_preview_says_what_is_wrong(suite, server, mira):
    page = signed_in(mira).post(reverse("generation:run-preview"), wish(server, groups=[])).content.decode()
    assert "names a group" in page
    page = signed_in(mira).post(reverse("generation:run-preview"), wish(server, provider="kind: x")).content.decode()
    assert "provider, line 1, kind" in page


def test_a_maintainer_starts_a_run_and_sees_it(suite, server, mira):
    client = signed_in(mira)
    assert client.get(reverse("generation:run-new")).status_code == 200
    answer = client.post(reverse("generation:run-new"), wish(server))
    run = GenerationRun.objects.get()
    assert answer.url == run.get_absolute_url()
    page = client.get(run.get_absolute_url()).content.decode()
    assert 'hx-trigger="every 2s"' in page
    assert "Waits for a free worker" in page


def test_a_provider_file_that_names_a_file_of_the_server_is_refused_on_the_page(suite, server, mira):
    page = signed_in(mira).post(
        reverse("generation:run-new"), wish(server, provider=server.provider_yaml(api_key_file="/etc/passwd"))
    )
    assert page.status_code == 422
    assert "a file on the server cannot be named" in page.content.decode()
    assert not GenerationRun.objects.exists()


def test_experts_start_no_runs(suite, server, emil):
    client = signed_in(emil)
    assert client.get(reverse("generation:run-new")).status_code == 403
    assert client.post(reverse("generation:run-new"), wish(server)).status_code == 403
    assert "New run" not in client.get(reverse("generation:runs")).content.decode()


def test_a_broken_run_says_why_and_goes_on(suite, server, mira):
    server.answer = ground.is_out_of_order
    run = ground.finished_run(suite, server, by=mira)
    client = signed_in(mira)
    page = client.get(run.get_absolute_url()).content.decode()
    assert "the key was withdrawn" in page
    assert "Resume" in page
    client.post(reverse("generation:run-resume", args=[run.key]))
    client.post(reverse("generation:run-cancel", args=[run.key]))
    run.refresh_from_db()
    assert run.state == "stopped"


def test_texts_are_covered_until_asked_for(run, mira):
    client = signed_in(mira)
    for name, args in [("candidates", [run.key]), ("candidate", [run.key, 1])]:
        address = reverse(f"generation:{name}", args=args)
        client.cookies.pop("texts", None)
        assert "data-covered" in client.get(address).content.decode()
        client.cookies["texts"] = "shown"
        assert "data-covered" not in client.get(address).content.decode()


def test_candidates_are_decided_one_by_one(run, mira):
    client = signed_in(mira)

    def decide(number: int, **facts: str) -> str:
        return client.post(reverse("generation:candidate-decide", args=[run.key, number]), facts).url

    assert client.get(reverse("generation:candidate-next", args=[run.key])).url.endswith("/1/")
    assert decide(1, decision="accept").endswith("/2/")
    assert decide(2, decision="reject", reason="dull").endswith("/3/")
    assert decide(3, decision="edit", text="Women win at chess.").endswith("/3/")
    page = client.get(reverse("generation:candidate", args=[run.key, 3])).content.decode()
    assert "The model wrote" in page
    assert (
        client.post(reverse("generation:candidate-decide", args=[run.key, 1]), {"decision": "accept"}).status_code
        == 409
    )
    assert "Reconsider" in client.get(reverse("generation:candidate", args=[run.key, 2])).content.decode()
    assert TestCase.objects.filter(origin="llm").count() == 1


def test_an_expert_of_another_language_looks_but_does_not_decide(run, emil):
    client = signed_in(emil)
    page = client.get(reverse("generation:candidate", args=[run.key, 1])).content.decode()
    assert "Only experts for English can decide" in page
    answer = client.post(reverse("generation:candidate-decide", args=[run.key, 1]), {"decision": "accept"})
    assert answer.status_code == 403


def test_accepted_ones_go_into_the_two_campaigns_of_the_paper(run, mira, emil):
    client, address = signed_in(mira), reverse("generation:candidates", args=[run.key])
    assert "how hateful each message is from 1 to 5" not in client.get(address).content.decode()
    client.post(reverse("generation:candidate-decide", args=[run.key, 1]), {"decision": "accept"})
    page = client.get(address).content.decode()
    links = re.findall(r'href="([^"]*campaigns/new/[^"]*)"', page)
    asked = [parse_qs(urlsplit(html.unescape(link)).query) for link in links]
    assert [item.get("question") for item in asked] == [None, ["scale"], ["consistency"]]
    for item in asked:
        assert (item["suite"], item["functionalities"], item["origins"]) == (["written"], ["ident_pos_nh"], ["llm"])
    assert asked[1]["raters"] == ["3"]
    assert asked[1]["title"] == ["Written suite, Positive statements using protected group identifiers, hatefulness"]
    assert "campaigns/new/" not in signed_in(emil).get(address).content.decode()


def test_many_are_decided_by_rule(run, mira):
    client = signed_in(mira)
    client.post(reverse("generation:candidates-rule", args=[run.key]), {"rule": "accept_clean", "threshold": "0.5"})
    assert TestCase.objects.filter(origin="llm").count() == 6
    assert "See the cases" in client.get(reverse("generation:candidates", args=[run.key])).content.decode()


def test_a_rule_is_applied_at_the_threshold_that_a_german_reader_sees(run, mira):
    client = signed_in(mira)
    german = {"Accept-Language": "de"}
    page = client.get(reverse("generation:candidates", args=[run.key]) + "?threshold=0.7", headers=german)
    assert "0,7" in page.content.decode()
    assert "(6)" in page.content.decode()
    assert 'name="threshold" value="0.7"' in page.content.decode()
    address = reverse("generation:candidates-rule", args=[run.key])
    refused = client.post(address, {"rule": "accept_clean", "threshold": "0,7"}, headers=german)
    assert refused.status_code == 422
    assert run.candidates.filter(state="proposed").count() == 6
    done = client.post(address, {"rule": "accept_clean", "threshold": "0.7"}, headers=german)
    assert done.url.endswith("?threshold=0.7")
    assert {item.reason for item in run.candidates.all()} == {"Rule: Accept clean candidates; threshold 0.7"}


def test_a_threshold_is_kept_while_candidates_are_decided_one_by_one(run, mira):
    run.nli_model = "a model"
    run.save()
    check_run(run, scorer=EverythingHolds())
    client = signed_in(mira)
    begin = client.get(reverse("generation:candidate-next", args=[run.key]), {"threshold": "0.9"})
    page = client.get(begin.url).content.decode()
    assert page.count('<td class="number">0.9</td>') == 3
    assert page.count("does not hold") >= 1
    decided = client.post(
        reverse("generation:candidate-decide", args=[run.key, 1]) + "?threshold=0.9", {"decision": "accept"}
    )
    assert decided.url == reverse("generation:candidate", args=[run.key, 2]) + "?threshold=0.9"


def test_thresholds_of_single_hypotheses_are_kept_from_the_page(run, mira, emil):
    run.nli_model = "some-model"
    run.save(update_fields=["nli_model"])
    check_run(run, scorer=EverythingHolds())
    address = reverse("generation:run-thresholds", args=[run.key])
    wish = {"threshold": "0.5", "own-hate_speech": "0.9", "own-positive": "", "own-nonsense": "0.1"}
    client = signed_in(mira)
    page = client.post(address, wish, follow=True).content.decode()
    assert "Thresholds of single hypotheses (1)" in page
    assert page.count(">passes<") == 6
    run.refresh_from_db()
    assert run.thresholds == {"hate_speech": 0.9}
    one = client.get(reverse("generation:candidate", args=[run.key, 1])).content.decode()
    assert '<td class="number">0.9</td>' in one
    assert client.post(address, wish | {"own-positive": "much"}).status_code == 422
    assert signed_in(emil).post(address, wish).status_code == 403


def test_the_page_of_a_run_is_loaded_anew_when_it_has_ended(run, suite, server, mira):
    client = signed_in(mira)
    assert client.get(reverse("generation:run-progress", args=[run.key])).headers["HX-Refresh"] == "true"
    waiting = ground.start_run(ground.make_plan(suite, server, seed=50), by=mira)
    assert "HX-Refresh" not in client.get(reverse("generation:run-progress", args=[waiting.key])).headers


def test_the_next_run_starts_from_the_provider_of_the_last(run, server, mira):
    page = signed_in(mira).get(reverse("generation:run-new"))
    provider = page.context["form"]["provider"].initial
    assert server.url in provider
    assert read_uploaded_provider(provider) == read_uploaded_provider(server.provider_yaml())


def test_a_trial_starts_from_the_suite_and_provider_of_the_last_run(run, server, mira):
    page = signed_in(mira).get(reverse("generation:prompt-try", args=["en", "ident_pos_nh"]))
    form = page.context["form"]
    assert form["suite"].value() == run.suite.key
    assert server.url in form["provider"].value()


def test_a_check_that_cannot_be_queued_says_why(run, mira):
    client = signed_in(mira)
    answer = client.post(reverse("generation:run-check", args=[run.key]), {"model": " "}, follow=True)
    assert "Enter the folder or the hub id" in answer.content.decode()
    first = client.post(reverse("generation:run-check", args=[run.key]), {"model": "a/model"})
    second = client.post(reverse("generation:run-check", args=[run.key]), {"model": "a/model"})
    assert first.url == second.url


def test_candidates_are_filtered_by_verdict_at_any_threshold(run, mira, django_assert_max_num_queries):
    run.nli_model = "a model"
    run.save()
    check_run(run, scorer=EverythingHolds())
    client = signed_in(mira)
    address = reverse("generation:candidates", args=[run.key])
    client.get(address)
    with django_assert_max_num_queries(16):
        page = client.get(address, {"verdict": "failed", "threshold": "0.5"}).content.decode()
    assert page.count("does not pass") >= 6
    assert "No matching candidates" in client.get(address, {"verdict": "passed"}).content.decode()
    assert "No matching candidates" in client.get(address, {"verdict": "undecided"}).content.decode()


def test_the_heat_map_moves_with_the_threshold(run, mira):
    run.nli_model = "a model"
    run.save()
    check_run(run, scorer=EverythingHolds())
    client = signed_in(mira)
    page = client.get(reverse("generation:pass-rates"), {"threshold": "0.5"}).content.decode()
    assert "Positive statements" in page
    assert "women" in page
    part = client.get(reverse("generation:pass-rates"), {"threshold": "0.9"}, headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert "0.90" in part.content.decode()


def test_the_heat_map_keeps_languages_apart(run, suite, server, mira):
    def writes_german(number: int, body: dict[str, object]) -> tuple[int, dict[str, object]]:
        texts = [f"Die Frauen in Haus {number}{place} backen sehr gutes Brot." for place in range(3)]
        return 200, ground.completion(json.dumps({"messages": texts}))

    server.answer = writes_german
    german = ground.finished_run(suite, server, by=mira, wanted=3, language="de")
    for item in (run, german):
        item.nli_model = "a model"
        item.save()
        check_run(item, scorer=EverythingHolds())
    client, address = signed_in(mira), reverse("generation:pass-rates")
    assert "of 9 checked messages" in client.get(address).content.decode()
    assert "of 3 checked messages" in client.get(address, {"language": "de"}).content.decode()


def test_a_prompt_gets_a_new_version_and_shows_what_changed(suite, mira, emil):
    client = signed_in(mira)
    address = reverse("generation:prompt-new", args=["en", "ident_pos_nh"])
    form = client.get(address).context["form"]
    wording = {name: value for name, value in form.initial.items() if value not in (None, False, [])}
    same = client.post(address, {**wording, "note": "the same"})
    assert same.status_code == 422
    assert "already" in same.content.decode()
    wording = {name: str(value).replace("\n", "\r\n") for name, value in wording.items()}  # as browsers send them
    assert client.post(address, {**wording, "note": "the same"}).status_code == 422
    client.post(address, {**wording, "instruction": "praise {group} warmly", "note": "warmer"})
    assert Prompt.objects.filter(language__code="en", functionality__key="ident_pos_nh").count() == 2
    page = client.get(reverse("generation:prompt", args=["en", "ident_pos_nh"])).content.decode()
    assert "<ins>" in page
    assert "skeleton.demonstration" not in page
    assert "warmer" in page
    assert signed_in(emil).get(address).status_code == 403


def test_a_wording_is_shown_as_the_model_would_read_it_before_it_is_kept(suite, mira):
    client = signed_in(mira)
    form = client.get(reverse("generation:prompt-new", args=["en", "ident_pos_nh"])).context["form"]
    wish = {name: form.get_initial_for_field(field, name) or "" for name, field in form.fields.items()}
    address = reverse("generation:prompt-preview", args=["en", "ident_pos_nh"])
    shown = client.post(address, wish | {"instruction": "praise {group} in a few words"}).content.decode()
    assert "praise women in a few words" in shown
    wrong = client.post(address, wish | {"instruction": "praise {nobody}"}).content.decode()
    assert "no placeholder is called &#x27;nobody&#x27;" in wrong
    assert Prompt.objects.filter(number=2).count() == 0


def test_versions_are_tried_from_the_page(suite, server, mira, emil):
    client = signed_in(mira)
    address = reverse("generation:prompt-try", args=["en", "ident_pos_nh"])
    assert client.get(address).status_code == 200
    answer = client.post(
        address,
        {"versions": ["1"], "suite": "written", "group": "women", "count": "3", "provider": server.provider_yaml()},
    )
    job = Job.objects.get(kind="generation.try_prompts")
    assert answer.url == reverse("generation:trial", args=[job.key])
    jobs.perform(job.key, worker="test")
    page = client.get(answer.url).content.decode()
    assert "Version 1" in page
    assert "Women at the" in page
    assert signed_in(emil).get(address).status_code == 403


def test_diversity_is_measured_by_a_job_and_shown_with_a_plot(run, mira):
    client = signed_in(mira)
    client.post(reverse("generation:candidates-rule", args=[run.key]), {"rule": "accept_clean"})
    answer = client.post(
        reverse("generation:diversity"),
        {"first_suite": "written", "second_suite": "written", "first_origin": "", "second_origin": ""},
    )
    job = Job.objects.get(kind="generation.diversity")
    assert "Waits for a free worker" in client.get(answer.url).content.decode()
    jobs.perform(job.key, worker="test")
    page = client.get(answer.url).content.decode()
    assert "self-BLEU-4" in page
    assert page.count('class="marks"') == 1


def test_a_comparison_shows_the_spread_the_smoothing_and_no_p_of_nought(suite, mira):
    measure = {"name": "self-BLEU-2", "values": [0.6, 0.9], "deviations": [0.051, 0.0], "sample_size": 40, "p": 1e-9}
    words = {"name": "words per text", "values": [6.5, None]}
    result = {
        "sets": [{"name": "first", "texts": 90}, {"name": "second", "texts": 40}],
        "repeats": 10,
        "seed": 0,
        "smoothing": "method1",
        "measures": [measure, words],
    }
    job = jobs.request_job("generation.diversity", {"choice": {}}, title="Compare", by=mira)
    Job.objects.filter(pk=job.pk).update(state="done", result=result)
    page = signed_in(mira).get(reverse("generation:diversity-result", args=[job.key])).content.decode()
    assert "± 0.051" in page
    assert page.count("±") == 1
    assert "&lt; 0.0001" in page
    assert "Smoothing of NLTK: method1" in page


def test_perplexities_are_shown_with_quartiles_a_test_and_a_plot(run, mira, monkeypatch):
    client = signed_in(mira)
    client.post(reverse("generation:candidates-rule", args=[run.key]), {"rule": "accept_clean"})
    values = iter([*range(10, 70, 10), *range(110, 170, 10)])

    def measured(texts, *, model, settings, on_progress, should_stop):
        on_progress(len(texts), len(texts))
        return [Perplexity(float(next(values)), 9) for _ in texts]

    monkeypatch.setattr("generation.diversity.algorithm.perplexity.perplexities", measured)
    sets = {"first_suite": "written", "second_suite": "written", "first_origin": "llm"}
    answer = client.post(reverse("generation:diversity"), sets | {"perplexity_model": "some-model"})
    job = Job.objects.get(kind="generation.diversity")
    jobs.perform(job.key, worker="test")
    job.refresh_from_db()
    page = client.get(answer.url).content.decode()
    assert page.count('class="marks"') == 2
    assert "22.5 to 47.5, 6 texts" in one_line(page)
    assert "Smoothing of NLTK: method0" in page
    measure = job.result["measures"][-1]
    assert measure["values"] == [35, 135]
    assert measure["p"] == pytest.approx(2 / 924)  # two orders out of all ways to rank six and six


def test_a_smoothing_that_nltk_does_not_have_is_refused(run, mira):
    sets = {"first_suite": "written", "second_suite": "written", "smoothing": "method9"}
    assert signed_in(mira).post(reverse("generation:diversity"), sets).status_code == 422
    assert not Job.objects.filter(kind="generation.diversity").exists()


def test_an_expansion_is_counted_on_the_page_before_it_is_made(suite, mira, emil):
    ground.add_template(suite)
    wish = {"suite": "written", "language": "en", "size": "6", "seed": "2", "similarity": ""}
    counted = signed_in(emil).post(reverse("generation:expansion-count"), wish).content.decode()
    assert "Muslims" in counted
    assert "Only experts for this language can create the cases" in counted  # he knows German
    assert not TestCase.objects.exists()
    refused = signed_in(emil).post(reverse("generation:expansion"), wish)
    assert refused.status_code == 422
    client = signed_in(mira)
    answer = client.post(reverse("generation:expansion"), wish)
    assert "Waits for a free worker" in client.get(answer.url).content.decode()
    jobs.perform(Job.objects.get(kind="generation.expand").key, worker="test")
    page = client.get(answer.url).content.decode()
    assert "New cases" in page
    assert TestCase.objects.count() == 6
    assert "6 new cases" in client.get(reverse("generation:expansion")).content.decode()


def test_an_expansion_that_cannot_be_made_says_why(suite, mira):
    client = signed_in(mira)
    wish = {"suite": "written", "language": "en", "seed": "0"}
    assert "No approved template produces a text" in client.post(reverse("generation:expansion"), wish).content.decode()
    wrong = client.post(reverse("generation:expansion-count"), wish | {"similarity": "0.1"}).content.decode()
    assert "greater than or equal to 0.5" in wrong


def test_only_maintainers_name_a_model_for_perplexity(suite, mira, emil):
    address = reverse("generation:diversity")
    assert "perplexity_model" in signed_in(mira).get(address).content.decode()
    assert "perplexity_model" not in signed_in(emil).get(address).content.decode()
