"""Pages of generation: who sees what, what they say, and what they refuse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse

from curation.models import Job, TestCase
from curation.services import jobs
from generation.models import GenerationRun, Prompt
from generation.services.validating import check_run
from tests import generation_ground as ground

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
        "language": "en",
        "functionality": "ident_pos_nh",
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
        reverse("generation:candidates", args=[run.key]),
        reverse("generation:candidate", args=[run.key, 1]),
        reverse("generation:pass-rates"),
        reverse("generation:prompts"),
        reverse("generation:prompt", args=["en", "ident_pos_nh"]),
        reverse("generation:diversity"),
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
        ("candidates", ["run-0"]),
        ("candidate", [run.key, 999]),
        ("prompt", ["en", "nothing"]),
        ("diversity-result", ["job-0"]),
        ("trial", ["job-0"]),
    ]:
        assert client.get(reverse(f"generation:{name}", args=args)).status_code == 404, name


def test_the_list_of_runs_is_filtered_and_cheap(run, suite, server, mira, django_assert_max_num_queries):
    ground.finished_run(suite, server, by=mira, wanted=3, seed=900)
    client = signed_in(mira)
    client.get(reverse("generation:runs"))
    with django_assert_max_num_queries(14):
        page = client.get(reverse("generation:runs"))
    assert page.content.decode().count("run-") >= 2
    assert run.key not in client.get(reverse("generation:runs"), {"state": "failed"}).content.decode()
    assert "No run fits" in client.get(reverse("generation:runs"), {"q": "zebra"}).content.decode()


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
    assert "a file of the server cannot be named" in page.content.decode()
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
    assert "Go on" in page
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
    assert "Experts for English decide" in page
    answer = client.post(reverse("generation:candidate-decide", args=[run.key, 1]), {"decision": "accept"})
    assert answer.status_code == 403


def test_many_are_decided_by_rule(run, mira):
    client = signed_in(mira)
    client.post(reverse("generation:candidates-rule", args=[run.key]), {"rule": "accept_clean", "threshold": "0.5"})
    assert TestCase.objects.filter(origin="llm").count() == 6
    assert "See the cases" in client.get(reverse("generation:candidates", args=[run.key])).content.decode()


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
    assert "No candidate fits" in client.get(address, {"verdict": "passed"}).content.decode()
    assert "No candidate fits" in client.get(address, {"verdict": "undecided"}).content.decode()


def test_the_heat_map_moves_with_the_threshold(run, mira):
    run.nli_model = "a model"
    run.save()
    check_run(run, scorer=EverythingHolds())
    client = signed_in(mira)
    page = client.get(reverse("generation:pass-rates"), {"threshold": "0.5"}).content.decode()
    assert "ident_pos_nh" in page
    assert "women" in page
    part = client.get(reverse("generation:pass-rates"), {"threshold": "0.9"}, headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert "0.90" in part.content.decode()


def test_a_prompt_gets_a_new_version_and_shows_what_changed(suite, mira, emil):
    client = signed_in(mira)
    address = reverse("generation:prompt-new", args=["en", "ident_pos_nh"])
    form = client.get(address).context["form"]
    wording = {name: value for name, value in form.initial.items() if value not in (None, False)}
    same = client.post(address, {**wording, "note": "the same"})
    assert same.status_code == 422
    assert "already" in same.content.decode()
    client.post(address, {**wording, "instruction": "praise {group} warmly", "note": "warmer"})
    assert Prompt.objects.filter(language__code="en", functionality__key="ident_pos_nh").count() == 2
    page = client.get(reverse("generation:prompt", args=["en", "ident_pos_nh"])).content.decode()
    assert "<ins>" in page
    assert "warmer" in page
    assert signed_in(emil).get(address).status_code == 403


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
    answer = client.post(reverse("generation:diversity"), {"first_suite": "written", "second_suite": "written"})
    job = Job.objects.get(kind="generation.diversity")
    assert "Waits for a free worker" in client.get(answer.url).content.decode()
    jobs.perform(job.key, worker="test")
    page = client.get(answer.url).content.decode()
    assert "self-BLEU-4" in page
    assert "<svg" in page
