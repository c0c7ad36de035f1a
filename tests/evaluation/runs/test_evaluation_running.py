"""Runs: chunks with one holder, states that follow the job, answers that are never asked for twice."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.errors import NotAllowed
from core.errors import BadInput, WrongState
from core.jobs import services as jobs
from core.jobs.models import JobState
from core.models import Job
from curation.models import Release, ReleaseCase
from evaluation.models import EvaluationRun, ModelVersion, Prediction, RunChunk
from evaluation.registry.services import ModelChanged, load, pin_spec, register_model
from evaluation.runners import Answer
from evaluation.runners.python_callable import PythonRunner
from evaluation.runs import chunks, loaded, predicting
from evaluation.runs import services as running
from evaluation.runs.answers import missing_cases, store_answers
from evaluation.runs.failing import matching_predictions
from evaluation.runs.models import RunState
from evaluation.runs.scoring import score_run
from tests.curation.releases.factories import make_candidate, make_release, make_suite
from tests.evaluation.factories import allow_models, registered, run_model

pytestmark = pytest.mark.django_db


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    loaded._slot.clear()
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def run(release, mira):
    return running.request_run(release, registered("by_word", name="Words"), by=mira)


def claimed_job(run) -> str:
    job = jobs.claim(run.job.key, worker="one")
    return chunks.holder_name(job.key, job.attempts)


def test_a_chunk_has_one_holder(run):
    assert chunks.cut(run, missing_cases(run), size=4) == 2
    assert chunks.cut(run, missing_cases(run), size=1) == 2
    holder = claimed_job(run)
    first, second = (chunks.claim_chunk(run, holder=holder) for _ in range(2))
    assert {first.number, second.number} == {0, 1}
    assert sorted(first.cases + second.cases) == sorted(run.release.cases.values_list("pk", flat=True))
    assert chunks.claim_chunk(run, holder=holder) is None
    chunks.finish_chunk(first)
    assert chunks.unfinished(run) == 1


def test_the_chunk_of_a_dead_worker_is_free_again(run):
    chunks.cut(run, missing_cases(run))
    holder = claimed_job(run)
    assert chunks.claim_chunk(run, holder=holder)
    assert chunks.claim_chunk(run, holder="other#1") is None
    Job.objects.filter(pk=run.job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert chunks.claim_chunk(run, holder="other#1")


def test_a_case_that_has_an_answer_keeps_it(run):
    case = run.release.cases.first()
    store_answers(run, [(case.pk, Answer("hateful"))])
    store_answers(run, [(case.pk, Answer("non-hateful"))])
    assert Prediction.objects.get().label == "hateful"
    assert case.pk not in {pk for pk, _, _ in missing_cases(run)}


def test_another_worker_may_take_the_chunks(run, monkeypatch, mira):
    """The helper does all of it; the leader only measures."""
    monkeypatch.setattr(chunks, "CHUNK", 2)
    chunks.cut(run, missing_cases(run), size=2)
    running.leave(run, RunState.RUNNING)
    helper = jobs.request_job(predicting.HELP, {"run": run.key}, title="help", by=mira)
    assert jobs.perform(helper.key, worker="two").result == {"run": run.key, "chunks": 3}
    monkeypatch.setattr(
        "evaluation.runners.python_callable.PythonRunner.predict", lambda *a, **k: pytest.fail("asked twice")
    )
    assert jobs.perform(run.job.key, worker="one").state == JobState.DONE
    run.refresh_from_db()
    assert (run.state, run.predictions.count()) == (RunState.DONE, 6)
    assert not RunChunk.objects.exists()


def test_asking_twice_gives_the_waiting_run(run, release, mira):
    assert running.request_run(release, run.model_version, by=mira) == run


def test_a_finished_run_says_what_it_ran_on(release, mira):
    done = run_model(release, "by_word", name="Words", by=mira)
    assert done.environment["release_sha256"] == release.sha256
    assert {"python", "platform", "packages", "machine", "device", "touchstone", "commit"} <= done.environment.keys()
    assert done.finished_at


def test_a_failing_model_fails_its_run_with_the_reason_and_it_can_go_on(run, mira, monkeypatch):
    monkeypatch.setattr(predicting, "score_run", lambda run: 1 / 0)
    jobs.perform(run.job.key, worker="one")
    run.refresh_from_db()
    assert (run.state, run.error) == (RunState.FAILED, "division by zero")
    monkeypatch.undo()
    running.resume_run(run, by=mira)
    jobs.perform(run.job.key, worker="one")
    run.refresh_from_db()
    assert run.state == RunState.DONE


def test_a_run_whose_job_was_stopped_is_stopped(run, mira):
    jobs.cancel(run.job, by=mira)
    running.follow_job(run)
    assert run.state == RunState.CANCELLED


def test_a_model_that_changed_since_it_was_registered_is_refused(run):
    ModelVersion.objects.update(fingerprint="something else")
    job = jobs.perform(run.job.key, worker="one")
    assert job.state == JobState.FAILED
    assert job.result["code"] == ModelChanged.code


def test_only_published_releases_are_run(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    candidate = make_candidate(make_suite(by=mira), by=mira)
    with pytest.raises(WrongState):
        running.request_run(candidate, registered("by_word", name="Words"), by=mira)


def test_only_maintainers_run_models(release, emil):
    with pytest.raises(NotAllowed):
        running.request_run(release, registered("by_word", name="Words"), by=emil)


def test_a_model_known_by_its_uploads_cannot_be_run(release, mira):
    version = registered("by_word", name="Words")
    version.description["kind"] = "upload"
    with pytest.raises(BadInput, match="uploaded predictions only"):
        running.request_run(release, version, by=mira)


def test_a_new_release_only_asks_about_new_texts(release, mira, monkeypatch):
    run_model(release, "by_word", name="Words", by=mira)
    second = make_release(release.suite, "1.1.0", cascade="closure", by=mira)
    monkeypatch.setattr(
        "evaluation.runners.python_callable.PythonRunner.predict", lambda *a, **k: pytest.fail("asked again")
    )
    assert run_model(second, "by_word", name="Words", by=mira).predictions.count() == second.cases.count()


@pytest.mark.parametrize("group", ["Geflüchtete", "women", 'the "others"'])
def test_cases_are_found_by_their_group_whatever_its_letters(release, mira, group):
    open_one = Release.objects.create(suite=release.suite, version="2.0.0", min_agree=0)
    case, other = (
        ReleaseCase.objects.create(
            release=open_one, position=number, key=f"c{number}", language="en", functionality="f", text="t",
            label="hateful", targets=targets, origin="template", text_hash="0" * 32, sha256="0" * 64,
            is_about_identity=True,
        )
        for number, targets in enumerate((["x", group], ["x"]))
    )  # fmt: skip
    run = EvaluationRun.objects.create(release=open_one, model_version=registered("by_word", name="Words"))
    store_answers(run, [(each.pk, Answer(label="hateful")) for each in (case, other)])
    assert [found.release_case_id for found in matching_predictions(run, {"show": "all", "target": group})] == [case.pk]


@pytest.mark.parametrize(
    ("spec", "stored"),
    [
        ("hf:owner/name", "hf:owner/name@abc123"),
        ("hf:owner/name@main", "hf:owner/name@abc123"),
        ({"kind": "hf", "model": "owner/name", "threshold": 0.4},
         {"kind": "hf", "model": "owner/name", "threshold": 0.4, "revision": "abc123"}),
    ],
)  # fmt: skip
def test_a_model_from_the_hub_is_kept_with_the_commit_it_was_checked_at(spec, stored):
    described = {"kind": "hf", "model": "owner/name", "revision": "abc123"}
    assert pin_spec(spec, described) == stored


def test_a_folder_has_no_commit_to_be_kept():
    assert pin_spec("hf:/models/mine", {"kind": "hf", "model": "/models/mine", "revision": ""}) == "hf:/models/mine"


def test_cases_near_the_cut_are_found_where_the_model_cuts_its_scores(release, mira):
    version = registered("by_word", name="Words")
    version.description["threshold"] = 0.9
    version.save(update_fields=["description"])
    run = running.start_run(release, version, by=mira)
    cases = list(run.release.cases.values_list("pk", flat=True))
    store_answers(run, [(case, Answer(label="hateful", score=0.905)) for case in cases])
    near = score_run(run).values["near_threshold"]
    assert (near["threshold"], near["n"]) == (0.9, len(cases))
    assert matching_predictions(run, {"show": "near"}).count() == len(cases)


def test_equal_texts_are_asked_about_once_and_all_get_the_answer(release, mira, monkeypatch):
    twins = Release.objects.create(suite=release.suite, version="2.0.0", min_agree=0)
    texts = ["I dislike mornings.", "Mornings are fine.", "I dislike mornings."]
    for number, text in enumerate(texts):
        ReleaseCase.objects.create(
            release=twins, position=number, key=f"c{number}", language="en", functionality=f"f{number}", text=text,
            label="hateful", targets=[], origin="template", text_hash=f"{texts.index(text):032}", sha256="0" * 64,
        )  # fmt: skip
    Release.objects.filter(pk=twins.pk).update(state="published", sha256="0" * 64, facts={"included": 3})
    asked: list[str] = []
    plain = PythonRunner.predict

    def counting(self, given, **options):
        asked.extend(given)
        return plain(self, given, **options)

    monkeypatch.setattr(PythonRunner, "predict", counting)
    run = run_model(Release.objects.get(pk=twins.pk), "by_word", name="Words", by=mira)
    assert sorted(asked) == sorted(set(texts))
    found = dict(run.predictions.values_list("release_case__key", "label"))
    assert found == {"c0": "hateful", "c1": "non-hateful", "c2": "hateful"}


def test_the_cases_of_a_group_are_those_its_figure_counts(release, mira):
    mixed = Release.objects.create(suite=release.suite, version="2.0.0", min_agree=0)
    for number, is_about_identity in enumerate((True, False, False)):
        ReleaseCase.objects.create(
            release=mixed, position=number, key=f"c{number}", language="en", functionality="f", text=f"t{number}",
            label="hateful", targets=["women"], origin="template", text_hash=f"{number:032}", sha256="0" * 64,
            is_about_identity=is_about_identity, template="1",
        )  # fmt: skip
    Release.objects.filter(pk=mixed.pk).update(state="published", sha256="0" * 64, facts={"included": 3})
    run = run_model(Release.objects.get(pk=mixed.pk), "always_hateful", name="Always", by=mira)
    found = matching_predictions(run, {"show": "all", "target": "women"})
    assert found.count() == run.report.values["by_target"]["women"]["n"] == 1


def test_the_same_model_described_anew_keeps_its_version_and_follows_the_description(release):
    first = registered("by_word", name="Words")
    spec = {"kind": "python", "model": "tests.evaluation.factories:by_word"}
    again = register_model("Words", spec, load(spec), by=None)
    assert again.pk == first.pk
    assert ModelVersion.objects.get(pk=first.pk).spec == spec
