"""From a prompt to accepted cases in a real browser, with a provider that fails half-way and is resumed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.jobs import services as jobs
from core.models import Job
from curation.models import TestCase
from generation.checks.versions import shipped_rules
from generation.models import GenerationRun, ProviderRequest
from generation.runs.options import PlanOptions
from generation.runs.planning import make_plan, start_plan
from generation.runs.providers import read_uploaded_provider
from tests.generation import factories as ground

pytestmark = pytest.mark.browser
SHOTS = os.environ.get("TOUCHSTONE_SHOTS", "")


@pytest.fixture
def server() -> Iterator[ground.Server]:
    with ground.running_server() as server:
        yield server


def shoot(page: Page, name: str) -> None:
    """Pictures for looking at, wide and narrow; only where a folder is named."""
    if not SHOTS:
        return
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.screenshot(path=str(Path(SHOTS) / f"{name}-{width}.png"), full_page=True)
    page.set_viewport_size({"width": 1440, "height": 900})


def test_from_prompt_to_cases_with_a_provider_that_fails_half_way(page, sign_in, mira, server, violations, is_too_wide):
    ground.make_suite()
    sign_in(page, mira)
    page.goto("/generation/prompts/en/ident_pos_nh/")
    shoot(page, "prompt")
    page.get_by_role("link", name="New version").click()
    page.get_by_label("Instruction").fill("say something kind about {group}")
    page.get_by_label("Change note").fill("simpler")
    page.get_by_role("button", name="Save version").click()
    expect(page.get_by_text("Version 2 saved")).to_be_visible()
    expect(page.locator("ins").first).to_be_visible()
    assert violations(page) == []

    page.get_by_role("link", name="New run").click()
    page.get_by_label("Suite").select_option("written")
    page.get_by_label("women", exact=True).check()
    page.get_by_label("Messages per group").fill("9")
    page.get_by_text("Advanced").click()
    page.get_by_label("Messages per request").fill("3")
    page.locator("#id_provider").fill(server.provider_yaml())
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview")).to_contain_text("say something kind about women")
    expect(page.locator("#preview")).to_contain_text("Cost at most")
    assert server.seen == []
    assert violations(page) == []
    shoot(page, "new-run")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Waits for a free worker")).to_be_visible()

    server.answer = lambda number, body: (
        ground.is_out_of_order(number, body) if number == 1 else ground.writes_new_ones(number, body)
    )
    run = GenerationRun.objects.get()
    ground.perform(run)
    expect(page.get_by_text("the key was withdrawn")).to_be_visible(timeout=10_000)
    shoot(page, "run-broken")
    assert violations(page) == []
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("Resumed.")).to_be_visible()
    ground.perform(GenerationRun.objects.select_related("job").get())
    expect(page.get_by_text("Done", exact=True)).to_be_visible(timeout=10_000)
    assert [body["seed"] for body in server.seen] == [0, 1, 1, 2]
    assert ProviderRequest.objects.count() == 3
    page.reload()
    shoot(page, "run")

    page.get_by_role("link", name="All candidates").click()
    page.get_by_role("button", name="Show texts").click()
    expect(page.get_by_text(ground.message_of(0, 0))).to_be_visible()
    assert violations(page) == []
    shoot(page, "candidates")
    page.get_by_role("link", name="Decide one by one").click()
    expect(page.get_by_role("heading", name="Candidate 1")).to_be_visible()
    assert violations(page) == []
    shoot(page, "candidate")
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Candidate 2")).to_be_visible()
    page.keyboard.press("r")
    page.keyboard.type("a bit dull")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Candidate 3")).to_be_visible()
    page.keyboard.press("e")
    page.get_by_label("Text", exact=True).fill("Women win at chess every time.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("The model wrote:")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_role("heading", name="Candidate 4")).to_be_visible()

    page.goto(f"/generation/runs/{run.key}/candidates/")
    page.locator("#rule").select_option("accept_clean")
    page.get_by_role("button", name="Apply with threshold").click()
    page.get_by_role("dialog").get_by_role("button", name="Apply the rule").click()
    expect(page.get_by_text("Accepted: 6. Rejected: 0.")).to_be_visible()
    page.get_by_role("link", name="Start a campaign").click()
    expect(page.get_by_label("Written by a language model")).to_be_checked()
    page.go_back()
    page.get_by_role("link", name="See the cases").click()
    expect(page.get_by_text("en-00008")).to_be_visible()
    cases = TestCase.objects.filter(origin="llm")
    assert cases.count() == 8
    edited = cases.get(text="Women win at chess every time.")
    assert edited.provenance["original_text"] == ground.message_of(0, 2)


def test_a_run_is_stopped_however_long_one_thinks_about_it(page, sign_in, mira, server):
    run = ground.start_run(ground.make_plan(ground.make_suite(), server), by=mira)
    sign_in(page, mira)
    page.goto(f"/generation/runs/{run.key}/")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    for _ in range(2):  # the live part is replaced meanwhile
        with page.expect_response(lambda response: "/progress/" in response.url):
            pass
    page.get_by_role("dialog").get_by_role("button", name="Stop the run").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    run.refresh_from_db()
    assert run.state == "stopped"


def test_templates_are_counted_and_then_expanded(page, sign_in, mira, violations, is_too_wide):
    ground.add_template(ground.make_suite())
    sign_in(page, mira)
    page.goto("/generation/expansions/?suite=written&language=en")
    expect(page.locator("#count")).to_contain_text("Muslims")
    page.get_by_label("Size of the sample").fill("6")
    page.get_by_label("Size of the sample").press("Tab")
    expect(page.locator("#count")).to_contain_text("Sample size")
    assert not TestCase.objects.exists()
    assert violations(page) == []
    page.get_by_role("button", name="Create cases").click()
    expect(page.get_by_text("Waits for a free worker")).to_be_visible()
    jobs.perform(Job.objects.get(kind="generation.expand").key, worker="test")
    expect(page.get_by_text("New cases")).to_be_visible(timeout=10_000)
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 800})
    assert not is_too_wide(page)
    page.get_by_role("link", name="See the cases").click()
    expect(page.get_by_text("en-00006")).to_be_visible()


def test_no_page_is_too_wide_for_a_phone(page, sign_in, mira, server, violations, is_too_wide):
    suite = ground.make_suite()
    run = ground.finished_run(suite, server, by=mira, wanted=3)
    tests = [test.key for test in shipped_rules("touchstone").hypotheses_for("ident_pos_nh")]
    scores = {test: 0.1 if "hate" in test else 0.8 for test in tests}
    run.candidates.update(checks={"model": "m", "rule_set": "touchstone", "scores": scores})
    sign_in(page, mira)
    options = PlanOptions(
        suite="written", functionalities=("ident_pos_nh", "ident_neutral_nh"), languages=("en", "de"),
        groups=("women",), wanted=3, per_request=3, seed=90,
    )  # fmt: skip
    planned = start_plan(make_plan(suite, options, provider=read_uploaded_provider(server.provider_yaml())), by=mira)
    ground.perform(planned[0])
    for name, path in {
        "runs": "/generation/",
        "new-plan": "/generation/new/",
        "run": f"/generation/runs/{run.key}/",
        "plan": planned[0].plan.get_absolute_url(),
        "hypotheses": "/generation/hypotheses/",
        "hypotheses-of-one": "/generation/hypotheses/ident_pos_nh/?language=de",
        "pass-rates": "/generation/pass-rates/",
        "prompts": "/generation/prompts/",
        "diversity": "/generation/diversity/",
        "expand": "/generation/expansions/",
        "candidates-phone": f"/generation/runs/{run.key}/candidates/",
        "candidate-phone": f"/generation/runs/{run.key}/candidates/1/",
    }.items():
        page.goto(path)
        assert violations(page) == []
        shoot(page, name)
        page.set_viewport_size({"width": 390, "height": 800})
        assert not is_too_wide(page), path
        page.set_viewport_size({"width": 1440, "height": 900})
