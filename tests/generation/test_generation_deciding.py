"""Deciding: people and rules, originals kept, verdicts from kept scores."""

import pytest
from django.db import DatabaseError, transaction

from accounts.errors import DomainError, NotAllowed
from core.errors import BadInput, WrongState
from core.jobs import services as jobs
from core.jobs.services import request_job
from core.models import Job
from curation.cases.adding import add_case
from curation.models import Functionality, Language, TestCase
from generation.candidates import deciding
from generation.checks.screening import screen_run
from generation.checks.validating import (
    check_run,
    pass_rate_cells,
    request_check,
    set_thresholds,
    verdict_of,
)
from generation.checks.versions import shipped_rules
from generation.models import Candidate, GenerationRun, ProviderRequest
from generation.prompts.services import current_prompt
from generation.runs.groups import find_targets
from tests.curation.releases.factories import make_release
from tests.generation import factories as ground

pytestmark = pytest.mark.django_db
TEXTS = [
    "Women run this town.",
    "Women bake good bread.",
    "Women bake good bread!",
    "Call me at max@example.org, women!",
]


@pytest.fixture
def run(db) -> GenerationRun:
    """A finished run with four candidates, made without a server."""
    return make_run(ground.make_suite())


def make_run(suite, language: str = "en", texts: list[str] = TEXTS) -> GenerationRun:
    about = Functionality.objects.get(key="ident_pos_nh")
    tongue = Language.objects.get(code=language)
    run = GenerationRun.objects.create(
        suite=suite,
        language=tongue,
        functionality=about,
        prompt=current_prompt(about, tongue),
        provider={"kind": "openai_compatible", "name": "local writer"},
        model="test-writer",
        wanted=4,
        state="done",
        nli_model="a model",
    )
    (target,) = find_targets(tongue, ["women"])
    run.targets.add(target)
    answer = ProviderRequest.objects.create(
        scope="x",
        key=f"k{run.pk}",
        prompt_sha256="p" * 64,
        system="s",
        user="u",
        model="test-writer-2",
        parameters={"temperature": 0.5},
        seed=7,
        attempts=1,
        seconds=0.1,
    )
    for number, text in enumerate(texts, start=1):
        Candidate.objects.create(
            run=run, number=number, target=target, request=answer, position=number, text=text, original_text=text
        )
    return run


def candidate(run: GenerationRun, number: int) -> Candidate:
    return run.candidates.for_deciding().get(number=number)


class FixedScorer:
    """Scores by hypothesis, and counts how often it is asked."""

    def __init__(self, score: float) -> None:
        self.score_value, self.calls = score, 0

    def score(self, pairs, *, on_progress=lambda done, total: None, should_stop=lambda: False):
        self.calls += 1
        return [self.score_value] * len(pairs)


def test_an_accepted_candidate_becomes_a_case_that_knows_where_it_came_from(run, mira):
    case = deciding.accept_candidate(candidate(run, 1), by=mira)
    assert (case.origin, case.state, case.key) == ("llm", "ready", "en-00001")
    assert case.target.name == "women"
    assert case.provenance["run"] == run.key
    assert case.provenance["model"] == "test-writer-2"
    assert case.provenance["prompt"] == {"version": 1, "sha256": "p" * 64}
    assert candidate(run, 1).case == case
    assert candidate(run, 1).decided_by == mira


def test_nothing_is_decided_twice(run, mira):
    first = candidate(run, 1)
    stale = candidate(run, 1)
    deciding.accept_candidate(first, by=mira)
    with pytest.raises(WrongState):
        deciding.accept_candidate(candidate(run, 1), by=mira)
    with pytest.raises(DomainError):
        deciding.reject_candidate(stale, by=mira, reason="late")
    assert TestCase.objects.count() == 1


def test_a_text_that_is_a_case_already_is_refused_and_stays_proposed(run, mira):
    deciding.accept_candidate(candidate(run, 1), by=mira)
    other = make_run(run.suite)
    with pytest.raises(BadInput, match="already"):
        deciding.accept_candidate(candidate(other, 1), by=mira)
    assert candidate(other, 1).state == "proposed"


def test_a_rejection_needs_a_reason_and_can_be_taken_back(run, mira):
    with pytest.raises(BadInput, match="Give a reason"):
        deciding.reject_candidate(candidate(run, 1), by=mira, reason=" ")
    deciding.reject_candidate(candidate(run, 1), by=mira, reason="unnatural")
    assert candidate(run, 1).reason == "unnatural"
    deciding.reconsider_candidate(candidate(run, 1), by=mira)
    assert (candidate(run, 1).state, candidate(run, 1).decided_by) == ("proposed", None)


def test_an_edit_keeps_the_original_drops_old_scores_and_screens_again(run, mira):
    check_run(run, scorer=FixedScorer(0.9))
    edited = deciding.edit_candidate(candidate(run, 4), by=mira, text=" Women sing in the choir. ")
    edited.refresh_from_db()
    assert edited.text == "Women sing in the choir."
    assert edited.original_text == TEXTS[3]
    assert edited.why_unchecked == "The text was edited after it was checked."
    assert edited.findings == []
    case = deciding.accept_candidate(candidate(run, 4), by=mira)
    assert case.provenance["original_text"] == TEXTS[3]
    with pytest.raises(WrongState):
        deciding.edit_candidate(candidate(run, 4), by=mira, text="too late")


def test_characters_that_no_database_keeps_are_left_out(run, mira):
    first, second = list(run.candidates.for_deciding().order_by("number"))[:2]
    assert deciding.edit_candidate(first, by=mira, text="Women \x00paint boats.").text == "Women paint boats."
    deciding.reject_candidate(second, by=mira, reason="\x00unnatural")
    second.refresh_from_db()
    assert second.reason == "unnatural"
    with pytest.raises(BadInput, match="Give a reason"):
        deciding.reject_candidate(first, by=mira, reason="\x00")


def test_an_edit_that_repeats_another_candidate_or_the_instruction_is_found(run, mira):
    first, second = list(run.candidates.for_deciding().order_by("number"))[:2]
    deciding.edit_candidate(second, by=mira, text=first.text.upper())
    assert [(item["check"], item["other"]) for item in second.findings] == [("duplicate", str(first.number))]
    deciding.edit_candidate(second, by=mira, text=run.prompt.instruction.replace("{group}", "women") + " and so on")
    assert "leaked_instruction" in {item["check"] for item in second.findings}


def test_a_text_of_another_functionality_of_the_suite_is_found_and_can_be_accepted(run, mira):
    first = run.candidates.for_deciding().order_by("number")[0]
    other = Functionality.objects.get(key="ident_neutral_nh")
    case = add_case(run.suite, run.language, other, text=first.text, target=first.target, provenance={}, by=mira)
    screen_run(run)
    first.refresh_from_db()
    assert ("duplicate", case.key) in {(item["check"], item["other"]) for item in first.findings}
    assert deciding.accept_candidate(first, by=mira).functionality == run.functionality


def test_the_database_keeps_accepted_texts_as_they_are(run, mira):
    deciding.accept_candidate(candidate(run, 1), by=mira)
    for change in ({"text": "other"}, {"state": "rejected"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            run.candidates.filter(number=1).update(**change)


def test_experts_decide_in_their_languages_only(run, emil, ana):
    german = make_run(run.suite, "de", ["Frauen singen gern im Chor."])
    deciding.accept_candidate(candidate(german, 1), by=emil)
    for person in (emil, ana):
        for step in (
            lambda person=person: deciding.accept_candidate(candidate(run, 1), by=person),
            lambda person=person: deciding.reject_candidate(candidate(run, 1), by=person, reason="no"),
            lambda person=person: deciding.edit_candidate(candidate(run, 1), by=person, text="x"),
            lambda person=person: deciding.decide_by_rule(run, "reject_found", by=person),
        ):
            with pytest.raises(NotAllowed):
                step()


def test_screening_finds_duplicates_and_personal_data(run):
    assert screen_run(run) == 2
    checks = {item.number: [finding["check"] for finding in item.findings] for item in run.candidates.all()}
    assert checks == {1: [], 2: [], 3: ["duplicate"], 4: ["personal_data"]}


def test_verdicts_move_with_the_threshold_and_the_model_is_asked_once(run):
    scorer = FixedScorer(0.6)
    assert check_run(run, scorer=scorer) == 4
    assert check_run(run, scorer=scorer) == 0
    assert scorer.calls == 1
    checks = candidate(run, 1).checks
    asked = [test.key for test in shipped_rules("touchstone").hypotheses_for("ident_pos_nh")]
    assert set(checks["scores"]) == set(asked)
    low, high = (verdict_of(checks, run, threshold=value).passed for value in (0.5, 0.7))
    assert low is False  # everything is entailed, also that it is hate speech
    assert high is False  # nothing is entailed, also not that it is about the group
    checks["scores"] = {key: 0.1 if "hate" in key or "neg" in key else 0.6 for key in checks["scores"]}
    assert verdict_of(checks, run, threshold=0.5).passed is True
    assert verdict_of(checks, run, threshold=0.7).passed is False
    with pytest.raises(BadInput, match="between 0 and 1"):
        verdict_of(checks, run, threshold=7)


def test_a_single_hypothesis_may_have_a_threshold_of_its_own(run, mira, emil):
    """A weak model may say 0.25 to hate and 0.23 to the rest: no threshold for all lets a kind message pass."""

    class Weak:
        def score(self, pairs, *, on_progress=None, should_stop=None):
            return [0.25 if "hate" in hypothesis else 0.23 for _, hypothesis in pairs]

    run.nli_model = "some-model"
    check_run(run, scorer=Weak())
    assert sum(cell.passed for cell in pass_rate_cells([run], threshold=0.24)) == 0
    own = {"about_group": 0.2, "positive": 0.2}
    deciding_now = deciding.count_by_rule(run, threshold=run.threshold)["accept_passing"]
    set_thresholds(run, threshold=0.5, thresholds=own, by=mira)
    assert sum(cell.passed for cell in pass_rate_cells([run], threshold=0.5)) == 4
    assert (deciding_now, deciding.count_by_rule(run, threshold=0.5)["accept_passing"]) == (0, 4)
    run.refresh_from_db()
    assert (run.threshold, run.thresholds) == (0.5, own)
    with pytest.raises(BadInput, match=r"has no hypothesis 'opinion'. Known: about_group"):
        set_thresholds(run, threshold=0.5, thresholds={"opinion": 0.2}, by=mira)
    with pytest.raises(BadInput, match="between 0 and 1"):
        set_thresholds(run, threshold=0.5, thresholds={"positive": 1.2}, by=mira)
    with pytest.raises(NotAllowed):
        set_thresholds(run, threshold=0.5, thresholds={}, by=emil)


def test_a_hypothesis_that_a_rule_gained_is_asked_afterwards(run):
    scorer = FixedScorer(0.6)
    check_run(run, scorer=scorer)
    kept = candidate(run, 1)
    kept.checks["scores"].popitem()
    Candidate.objects.filter(pk=kept.pk).update(checks=kept.checks)
    assert check_run(run, scorer=scorer) == 1
    asked = {test.key for test in shipped_rules("touchstone").hypotheses_for("ident_pos_nh")}
    assert set(candidate(run, 1).scores) == asked


def test_scores_are_kept_as_they_come_so_that_a_check_that_dies_goes_on(run, monkeypatch):
    monkeypatch.setattr("generation.checks.validating.PORTION", 2)
    asked: list[int] = []

    class Dies:
        def score(self, pairs, *, on_progress=None, should_stop=None):
            asked.append(len(pairs))
            if len(asked) == 2:
                raise MemoryError
            on_progress(len(pairs), len(pairs))
            return [0.9] * len(pairs)

    run.nli_model = "some-model"
    steps: list[tuple[int, int]] = []
    with pytest.raises(MemoryError):
        check_run(run, scorer=Dies(), watch=lambda done, total, message: steps.append((done, total)))
    assert [bool(item.scores) for item in run.candidates.order_by("number")] == [True, True, False, False]
    assert check_run(run, scorer=Dies()) == 2
    assert all(item.scores for item in run.candidates.all())
    assert steps[-1] == (2, 4)


def test_scores_of_a_text_that_was_edited_while_the_model_ran_are_not_kept(run, mira):
    edited = run.candidates.for_deciding().order_by("number")[0]

    class Slow:
        def score(self, pairs, *, on_progress=None, should_stop=None):
            deciding.edit_candidate(edited, by=mira, text="Women sell the best bread of all towns.")
            return [0.9] * len(pairs)

    run.nli_model = "some-model"
    check_run(run, scorer=Slow())
    first, *others = run.candidates.order_by("number")
    assert first.scores == {}
    assert first.text.startswith("Women sell")
    assert all(item.scores for item in others)


def test_a_check_is_queued_once_and_by_maintainers_only(run, mira, emil):
    with pytest.raises(NotAllowed):
        request_check(run, model="a/model", by=emil)
    for name in (" ", "m" * 301):
        with pytest.raises(BadInput, match="Enter the folder"):
            request_check(run, model=name, by=mira)
    job = request_check(run, model=" a/model ", by=mira)
    assert request_check(run, model="a/model", by=mira) == job
    with pytest.raises(BadInput, match="is checking these candidates"):
        request_check(run, model="another/model", by=mira)
    assert Job.objects.filter(kind="generation.check").count() == 1


def test_a_model_that_cannot_be_used_leaves_the_run_as_it_was(run, mira):
    before = run.nli_model
    job = request_check(run, model="/no/such/folder", by=mira)
    done = jobs.perform(job.key, worker="test")
    assert done is not None
    assert done.state == "failed"
    assert "no model folder at '/no/such/folder'" in done.reason
    run.refresh_from_db()
    assert run.nli_model == before


def test_a_rule_tells_how_many_it_will_decide(run, mira):
    screen_run(run)
    counts = deciding.count_by_rule(run, threshold=0.5)
    assert counts == {
        "accept_passing": 0,
        "accept_clean": 2,
        "reject_duplicates": 1,
        "reject_found": 2,
        "reject_failing": 0,
    }
    assert deciding.decide_by_rule(run, "reject_found", by=mira).rejected == counts["reject_found"]
    assert deciding.decide_by_rule(run, "accept_clean", by=mira).accepted == counts["accept_clean"]


def test_a_run_under_way_is_not_checked_from_outside(run, mira):
    run.job = request_job("generation.run", {"run": run.key}, title="Write", by=mira)
    run.save()
    with pytest.raises(BadInput, match="under way"):
        request_check(run, model="a/model", by=mira)
    run.refresh_from_db()
    assert run.nli_model != "a/model"


@pytest.mark.parametrize("threshold", [7, -1, float("nan")])
def test_a_rule_with_a_threshold_that_is_none_decides_nothing(run, mira, threshold):
    with pytest.raises(BadInput, match="between 0 and 1"):
        deciding.decide_by_rule(run, "accept_clean", by=mira, threshold=threshold)
    assert run.candidates.filter(state="proposed").count() == 4


def test_what_was_not_checked_is_undecided_in_the_pass_rates(run):
    (cell,) = pass_rate_cells([run], threshold=0.5)
    assert (cell.functionality, cell.group, cell.undecided, cell.rate) == ("ident_pos_nh", "women", 4, None)
    check_run(run, scorer=FixedScorer(0.9))
    (cell,) = pass_rate_cells([run], threshold=0.5)
    assert (cell.failed, cell.rate) == (4, 0.0)


def test_a_rule_decides_many_and_says_what_it_left(run, mira):
    screen_run(run)
    report = deciding.decide_by_rule(run, "reject_duplicates", by=mira)
    assert (report.accepted, report.rejected) == (0, 1)
    assert "the same text as" in candidate(run, 3).reason
    deciding.decide_by_rule(run, "reject_found", by=mira)
    assert candidate(run, 4).reason.startswith("screening: e-mail")
    report = deciding.decide_by_rule(run, "accept_clean", by=mira)
    assert report.accepted == 2
    assert TestCase.objects.filter(origin="llm").count() == 2


def test_a_rule_that_fits_very_many_is_applied_in_the_background(run, mira, emil, monkeypatch):
    assert deciding.request_decisions(run, "accept_clean", by=mira) is None
    monkeypatch.setattr(deciding, "AT_ONCE", 3)
    with pytest.raises(NotAllowed):
        deciding.request_decisions(run, "accept_clean", by=emil)
    job = deciding.request_decisions(run, "accept_clean", by=mira)
    assert job is not None
    jobs.perform(job.key, worker="test")
    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"accepted": 4, "rejected": 0, "skipped": []})
    assert {case.author for case in TestCase.objects.all()} == {mira}


def test_passing_means_clean_and_passed_never_unchecked(run, mira):
    screen_run(run)
    assert deciding.decide_by_rule(run, "accept_passing", by=mira).accepted == 0
    check_run(run, scorer=FixedScorer(0.9))
    assert deciding.decide_by_rule(run, "reject_failing", by=mira).rejected == 4


def test_an_unknown_rule_is_refused(run, mira):
    with pytest.raises(BadInput, match="accept_passing"):
        deciding.decide_by_rule(run, "flip_a_coin", by=mira)


def test_the_lineage_of_what_a_language_model_wrote_shows_model_and_prompt_as_sent(run, client, mira):
    deciding.edit_candidate(candidate(run, 2), text="Women at the harbour sing together.", by=mira)
    for number in (1, 2):
        deciding.accept_candidate(candidate(run, number), by=mira)
    release = make_release(run.suite, by=mira, without_labels="include")
    pages = [f"{release.get_absolute_url()}cases/{case.key}/" for case in release.cases.order_by("position")]
    first, second = (client.get(page).content.decode() for page in pages)
    name_of_prompt = f"{run.functionality.title}, English, version 1"
    for wanted in ("Written by a language model", "test-writer-2", "local writer", "temperature 0.5", name_of_prompt):
        assert wanted in first
    assert "Prompt as sent" in first
    assert run.prompt.get_absolute_url() not in first, "the workshop is not open to visitors"
    assert "As the model wrote it" not in first
    assert "As the model wrote it" in second
    client.force_login(mira)
    assert run.prompt.get_absolute_url() in client.get(pages[0]).content.decode()


def test_an_accepted_candidate_is_a_case_about_its_group_but_one_without_a_group_is_not(run, mira):
    case = deciding.accept_candidate(run.candidates.get(number=1), by=mira)
    assert (case.target.name, case.is_about_identity) == ("women", True)
    Candidate.objects.filter(run=run, number=2).update(target=None)
    other = deciding.accept_candidate(run.candidates.get(number=2), by=mira)
    assert (other.target, other.is_about_identity) == (None, False)
