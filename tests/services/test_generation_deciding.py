"""Deciding: people and rules, originals kept, verdicts from kept scores."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, transaction

from accounts.errors import DomainError, NotAllowed
from curation.errors import BadInput, WrongState
from curation.models import Functionality, Language, TestCase
from generation.models import Candidate, GenerationRun, ProviderRequest
from generation.services import deciding
from generation.services.groups import find_targets
from generation.services.prompts import current_prompt
from generation.services.screening import screen_run
from generation.services.validating import check_run, pass_rate_cells, rule_set_of, verdict_of
from tests import generation_ground as ground

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
    with pytest.raises(BadInput, match="why"):
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
    assert edited.checks == {"reason": "The text was edited after it was checked."}
    assert edited.findings == []
    case = deciding.accept_candidate(candidate(run, 4), by=mira)
    assert case.provenance["original_text"] == TEXTS[3]
    with pytest.raises(WrongState):
        deciding.edit_candidate(candidate(run, 4), by=mira, text="too late")


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
    asked = [test.key for test in rule_set_of("touchstone").hypotheses_for("ident_pos_nh")]
    assert set(checks["scores"]) == set(asked)
    low, high = (verdict_of(checks, "ident_pos_nh", threshold=value).passed for value in (0.5, 0.7))
    assert low is False  # everything is entailed, also that it is hate speech
    assert high is False  # nothing is entailed, also not that it is about the group
    checks["scores"] = {key: 0.1 if "hate" in key or "neg" in key else 0.6 for key in checks["scores"]}
    assert verdict_of(checks, "ident_pos_nh", threshold=0.5).passed is True
    assert verdict_of(checks, "ident_pos_nh", threshold=0.7).passed is False
    with pytest.raises(BadInput, match="between 0 and 1"):
        verdict_of(checks, "ident_pos_nh", threshold=7)


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
    assert candidate(run, 4).reason.startswith("e-mail")
    report = deciding.decide_by_rule(run, "accept_clean", by=mira)
    assert report.accepted == 2
    assert TestCase.objects.filter(origin="llm").count() == 2


def test_passing_means_clean_and_passed_never_unchecked(run, mira):
    screen_run(run)
    assert deciding.decide_by_rule(run, "accept_passing", by=mira).accepted == 0
    check_run(run, scorer=FixedScorer(0.9))
    assert deciding.decide_by_rule(run, "reject_failing", by=mira).rejected == 4


def test_an_unknown_rule_is_refused(run, mira):
    with pytest.raises(BadInput, match="accept_passing"):
        deciding.decide_by_rule(run, "flip_a_coin", by=mira)
