"""Opening a campaign in short transactions: interrupted, resumed, undone, and never half open."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.urls import reverse

from annotation.campaigns import opening, opening_run
from annotation.campaigns.closing import cancel_campaign, resume_campaign
from annotation.campaigns.known_answers import KnownAnswer, add_own_items, known_items, remove_item
from annotation.campaigns.models import Mode, Role
from annotation.campaigns.opening import begin_opening, open_campaign, undo_opening
from annotation.campaigns.opening_run import OpeningRun
from annotation.campaigns.services import change_campaign, create_campaign
from annotation.errors import CannotOpen, NotReady
from annotation.labelling.exchange import exchange
from annotation.labelling.models import new_assignment_keys
from annotation.models import Assignment, Campaign, CampaignItem
from annotation.people.participation import add_annotator, annotator_for, end_participation
from core.errors import ChangedMeanwhile, WrongState
from core.jobs import services as jobs
from core.models import Job
from curation.models import Suite
from tests.annotation.factories import label_everything, make_people, make_suite, participation_of, ready

pytestmark = pytest.mark.django_db
CHUNK = 5
CASES = 24
RATERS = 3


class Killed(BaseException):
    """What ends a worker without a word."""


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch) -> None:
    monkeypatch.setattr(opening_run, "CHUNK", CHUNK)


@pytest.fixture
def suite() -> Suite:
    return make_suite()


def draft(suite, mira, *, people=(), **settings) -> Campaign:
    settings = {"asks_demographics": False, "raters": RATERS, "threshold": 2, "mode": Mode.CROWD, "seed": 7, **settings}
    campaign = create_campaign(suite, title="Labels", by=mira, language="en", **settings)
    for user in people:
        add_annotator(campaign, annotator_for(user), by=mira)
    return campaign


def killed_after(chunks: int) -> Callable[[int, int, str], None]:
    reported = iter(range(1, chunks + 1))

    def report(done: int, total: int, message: str) -> None:
        if next(reported) == chunks:
            raise Killed

    return report


def before_chunk(number: int, do: Callable[[], object]) -> Callable[[int], list[str]]:
    """Makes keys as usual; what happens just before a chunk of slots is written comes first."""
    calls = iter(range(1, 1000))

    def keys(wanted: int) -> list[str]:
        if next(calls) == number:
            do()
        return new_assignment_keys(wanted)

    return keys


def die() -> None:
    raise Killed


def interrupted(campaign: Campaign, *, after: int) -> Campaign:
    with pytest.raises(Killed):
        open_campaign(campaign, by=None, report=killed_after(after))
    return Campaign.objects.get(pk=campaign.pk)


def rows_of(campaign: Campaign) -> tuple[list[object], list[object]]:
    """Everything but what is random or a row number."""
    items = campaign.items.order_by("position").values_list("case", "role", "position", "is_reserved")
    slots = Assignment.objects.of(campaign).order_by("id")
    return list(items), list(slots.values_list("item__case", "slot", "annotator", "state", "order"))


@pytest.mark.parametrize("mode", [Mode.CROWD, Mode.TEAM])
@pytest.mark.parametrize("chunks", [1, 4, 5, 6, 12])  # the cases take five chunks; the others are slots
def test_interrupted_and_resumed_it_has_the_slots_of_an_opening_that_was_not(suite, mira, mode, chunks):
    people = make_people(4) if mode == Mode.TEAM else []
    whole = open_campaign(draft(suite, mira, people=people, mode=mode), by=mira)
    half = interrupted(draft(suite, mira, people=people, mode=mode), after=chunks)
    assert half.state == "opening"
    assert half.items.count() + half.assignments.count() <= chunks * CHUNK

    resumed = open_campaign(half, by=mira)

    assert resumed.state == "open"
    assert rows_of(resumed) == rows_of(whole)
    assert resumed.assignments.count() == CASES * RATERS


def test_what_was_written_stays_when_the_opening_is_resumed(suite, mira):
    half = interrupted(draft(suite, mira), after=9)
    keys = set(half.assignments.values_list("key", flat=True))
    assert len(keys) == 4 * CHUNK
    assert keys < set(open_campaign(half, by=mira).assignments.values_list("key", flat=True))


def test_slots_of_a_team_that_has_changed_since_are_dealt_again(suite, mira):
    people = make_people(4)
    half = interrupted(draft(suite, mira, people=people[:3], mode=Mode.TEAM), after=9)
    half.participations.create(annotator=annotator_for(people[3]))
    open_campaign(half, by=mira)
    loads = [Assignment.objects.of(half).filter(annotator=annotator_for(one)).count() for one in people]
    assert loads == [CASES * RATERS // 4] * 4


def test_a_case_that_appears_before_all_are_fixed_makes_no_case_twice(suite, mira):
    half = interrupted(draft(suite, mira), after=2)
    newest = suite.cases.order_by("-id").first()
    newest.pk, newest.key, newest.text_hash, newest.identity_hash = None, "late", "late", "late"
    newest.save()
    assert open_campaign(half, by=mira).items.count() == CASES + 1
    assert half.assignments.count() == (CASES + 1) * RATERS


@pytest.mark.django_db(transaction=True)
def test_no_transaction_writes_more_than_one_chunk(suite, mira):
    if connection.vendor != "sqlite":
        pytest.skip("SQLite tells every statement and the ends of transactions; PostgreSQL does not block others")
    campaign = draft(suite, mira)
    written: list[int] = []

    def watch(statement: str) -> None:
        if statement.startswith("BEGIN"):
            written.append(0)
        elif statement.startswith(('INSERT INTO "annotation_assignment"', 'INSERT INTO "annotation_campaignitem"')):
            written[-1] += 1

    connection.connection.set_trace_callback(watch)
    try:
        open_campaign(campaign, by=mira)
    finally:
        connection.connection.set_trace_callback(None)
    assert max(written) == CHUNK
    assert sum(written) == CASES + CASES * RATERS


def test_nobody_gets_a_text_before_every_slot_is_there(client, suite, mira, ana):
    half = interrupted(draft(suite, mira, invited_only=False), after=9)
    person = ready(half, annotator_for(ana))
    with pytest.raises(NotReady, match="not open yet"):
        exchange(person)
    client.force_login(ana)
    assert client.get(reverse("annotation:label", args=[half.key])).status_code == 409
    answer = client.post(reverse("api-labelling-exchange", args=[half.key]), {}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_ready")
    task = client.get(reverse("api-labelling", args=[half.key]))  # it would count the texts that are there so far
    assert (task.status_code, task.json()["code"]) == (409, "not_ready")
    assert half.title not in client.get(reverse("annotation:my-work")).content.decode()
    assert not Assignment.objects.exclude(annotator=None).exists()
    open_campaign(half, by=mira)
    assert label_everything(person) == CASES


def test_a_campaign_that_is_being_opened_is_not_changed(suite, mira):
    half = interrupted(draft(suite, mira), after=1)
    with pytest.raises(WrongState):
        change_campaign(half, by=mira, raters=5)


def test_a_team_does_not_change_while_cases_are_dealt_to_it(suite, mira):
    people = make_people(4)
    half = interrupted(draft(suite, mira, people=people[:3], mode=Mode.TEAM), after=8)
    with pytest.raises(NotReady, match="being dealt"):
        add_annotator(half, annotator_for(people[3]), by=mira)
    with pytest.raises(NotReady, match="being dealt"):
        end_participation(participation_of(annotator_for(people[0]), half), reason="Gone", by=mira)


def test_calling_it_off_undoes_a_half_opening(suite, mira):
    half = interrupted(draft(suite, mira), after=9)
    cancel_campaign(half, reason="The wrong cases.", by=mira)
    assert half.state == "cancelled"
    assert not half.assignments.exists()
    assert not half.items.exists()
    with pytest.raises(WrongState):
        open_campaign(half, by=mira)


def test_undone_it_is_a_draft_again_that_can_be_changed_and_opened(suite, mira):
    half = interrupted(draft(suite, mira), after=9)
    undo_opening(half)
    assert (half.state, half.items.count(), half.assignments.count()) == ("draft", 0, 0)
    change_campaign(half, by=mira, raters=2, threshold=1)
    assert open_campaign(half, by=mira).assignments.count() == CASES * 2


@pytest.mark.parametrize("deletions", range(4, 10))  # four chunks of slots, the cases' number, then five of cases
def test_an_undo_that_was_interrupted_loses_no_case_when_opening_continues(suite, mira, monkeypatch, deletions):
    half = interrupted(draft(suite, mira), after=9)
    held, hold = iter(range(100)), OpeningRun.hold

    def hold_or_die(run: OpeningRun, **facts: object) -> None:
        if next(held) == deletions:
            raise Killed
        hold(run, **facts)

    with monkeypatch.context() as patch:
        patch.setattr(OpeningRun, "hold", hold_or_die)
        with pytest.raises(Killed):
            undo_opening(half)
    again = open_campaign(Campaign.objects.get(pk=half.pk), by=mira)
    assert (again.items.count(), again.cases_fixed) == (CASES, CASES)
    assert again.assignments.count() == CASES * RATERS


@pytest.mark.parametrize("chunks", [1, 9])
def test_resuming_does_not_open_what_is_half_open(client, suite, mira, chunks):
    half = interrupted(draft(suite, mira), after=chunks)
    with pytest.raises(WrongState):
        resume_campaign(half, by=mira)
    client.force_login(mira)
    assert client.post(reverse("annotation:campaign-resume", args=[half.key])).status_code == 409
    assert client.post(f"/api/v1/campaigns/{half.key}/resume/").status_code == 409
    assert Campaign.objects.get(pk=half.pk).state == "opening"


class TestAPageThatStillShowsADraft:
    """Another maintainer has opened the campaign since it was read."""

    def stale(self, campaign: Campaign) -> Campaign:
        seen = Campaign.objects.get(pk=campaign.pk)
        interrupted(campaign, after=9)
        return seen

    def test_changes_nothing(self, suite, mira):
        seen = self.stale(draft(suite, mira))
        with pytest.raises(WrongState):
            change_campaign(seen, by=mira, raters=2, threshold=1)
        now = Campaign.objects.get(pk=seen.pk)
        assert (now.state, now.raters, now.cases_fixed) == ("opening", RATERS, CASES)

    def test_adds_and_removes_no_text_with_a_known_answer(self, suite, mira):
        campaign = draft(suite, mira)
        add_own_items(campaign, Role.CHECK, [KnownAnswer("Press hateful.", "hateful")], by=mira)
        seen = self.stale(campaign)
        with pytest.raises(WrongState):
            add_own_items(seen, Role.CHECK, [KnownAnswer("Press it again.", "hateful")], by=mira)
        with pytest.raises(WrongState):
            remove_item(Campaign(pk=seen.pk, state="draft"), known_items(seen).get().pk, by=mira)
        assert known_items(seen).count() == 1

    def test_changes_no_team(self, suite, mira):
        people = make_people(4)
        seen = self.stale(draft(suite, mira, people=people[:3], mode=Mode.TEAM))
        with pytest.raises(NotReady, match="being dealt"):
            add_annotator(seen, annotator_for(people[3]), by=mira)


def test_a_run_that_wakes_up_after_another_took_over_writes_nothing(suite, mira):
    campaign = draft(suite, mira)
    begin_opening(campaign)
    first = OpeningRun(campaign)
    OpeningRun(campaign)
    with pytest.raises(ChangedMeanwhile):
        first.write(CampaignItem, ("campaign",), iter([(campaign.pk,)]), finish=list, total=1)
    assert not campaign.items.exists()


def test_a_team_that_cannot_be_dealt_to_leaves_a_draft(mira):
    people = make_people(3)
    suite = make_suite(author=people[0])
    campaign = draft(suite, mira, people=people, mode=Mode.TEAM)
    with pytest.raises(CannotOpen, match="cannot be dealt"):
        open_campaign(campaign, by=mira)
    assert (campaign.state, campaign.items.count(), campaign.assignments.count()) == ("draft", 0, 0)


def running(job: Job) -> Job:
    job.refresh_from_db()
    return job


class TestAsAJob:
    @pytest.fixture(autouse=True)
    def _large(self, monkeypatch) -> None:
        monkeypatch.setattr("annotation.campaigns.opening.OPENS_AT_ONCE", 1)

    @pytest.fixture
    def campaign(self, suite, mira) -> Campaign:
        return draft(suite, mira)

    def states(self, campaign: Campaign, job: Job) -> tuple[str, str]:
        campaign.refresh_from_db()
        job.refresh_from_db()
        return campaign.state, job.state

    def test_it_is_opening_from_the_moment_it_is_asked_for(self, campaign, mira):
        job = opening.open_now_or_soon(campaign, by=mira)
        assert self.states(campaign, job) == ("opening", "queued")
        assert opening.open_now_or_soon(campaign, by=mira) == job
        assert Job.objects.count() == 1
        done = jobs.perform(job.key, worker="one")
        assert (done.state, done.done, done.total) == ("done", CASES * RATERS, CASES * RATERS)
        assert self.states(campaign, job) == ("open", "done")

    def test_a_job_whose_worker_died_goes_on(self, campaign, mira, monkeypatch):
        job = opening.open_now_or_soon(campaign, by=mira)
        with monkeypatch.context() as patch:
            patch.setattr(opening, "new_assignment_keys", before_chunk(4, die))
            with pytest.raises(Killed):
                jobs.perform(job.key, worker="one")
        written = campaign.assignments.count()
        assert 0 < written < CASES * RATERS
        Job.objects.filter(pk=job.pk).update(lease_until=job.created_at)
        assert jobs.perform(job.key, worker="two").state == "done"
        assert self.states(campaign, job) == ("open", "done")
        assert campaign.assignments.count() == CASES * RATERS

    def test_a_second_job_for_an_open_campaign_does_nothing(self, campaign, mira):
        first = opening.open_now_or_soon(campaign, by=mira)
        second = jobs.request_job(first.kind, first.payload, title="Again", by=mira)
        for job in (first, second):
            assert jobs.perform(job.key, worker="one").result == {"campaign": campaign.key, "state": "open"}
        assert campaign.assignments.count() == CASES * RATERS

    def test_stopping_the_job_makes_a_draft_again(self, campaign, mira, monkeypatch):
        job = opening.open_now_or_soon(campaign, by=mira)
        monkeypatch.setattr("core.jobs.running.REPORT_EVERY", 0)
        monkeypatch.setattr(opening, "new_assignment_keys", before_chunk(4, lambda: jobs.cancel(running(job), by=mira)))
        assert jobs.perform(job.key, worker="one").state == "cancelled"
        assert self.states(campaign, job) == ("draft", "cancelled")
        assert not campaign.items.exists()

    def test_two_maintainers_at_once_get_one_job(self, campaign, mira):
        seen = Campaign.objects.get(pk=campaign.pk)
        assert opening.open_now_or_soon(campaign, by=mira) == opening.open_now_or_soon(seen, by=mira)

    def test_a_job_stopped_before_it_began_leaves_the_way_back_to_the_draft(self, client, campaign, mira):
        job = opening.open_now_or_soon(campaign, by=mira)
        client.force_login(mira)
        back = f"/api/v1/campaigns/{campaign.key}/draft/"
        assert client.post(back).status_code == 409
        assert self.states(campaign, job) == ("opening", "queued")
        jobs.cancel(job, by=mira)
        assert client.post(back).json()["state"] == "draft"
        assert self.states(campaign, job) == ("draft", "cancelled")
        assert client.post(back).status_code == 409

    def test_a_job_stopped_while_its_worker_was_dead_leaves_it_too(self, client, campaign, mira, monkeypatch):
        job = opening.open_now_or_soon(campaign, by=mira)
        with monkeypatch.context() as patch:
            patch.setattr(opening, "new_assignment_keys", before_chunk(4, die))
            with pytest.raises(Killed):
                jobs.perform(job.key, worker="one")
        jobs.cancel(running(job), by=mira)
        Job.objects.filter(pk=job.pk).update(lease_until=job.created_at)
        assert jobs.perform(job.key, worker="two").state == "cancelled"
        client.force_login(mira)
        assert client.post(reverse("annotation:campaign-draft", args=[campaign.key])).status_code == 302
        assert self.states(campaign, job) == ("draft", "cancelled")
        assert not campaign.items.exists()

    def test_calling_the_campaign_off_ends_the_job(self, campaign, mira, monkeypatch):
        job = opening.open_now_or_soon(campaign, by=mira)

        def call_off() -> None:
            cancel_campaign(Campaign.objects.get(pk=campaign.pk), reason="The wrong cases.", by=mira)

        monkeypatch.setattr(opening, "new_assignment_keys", before_chunk(4, call_off))
        assert jobs.perform(job.key, worker="one").result["state"] == "cancelled"
        assert self.states(campaign, job) == ("cancelled", "done")
        assert not campaign.items.exists()
        assert not campaign.assignments.exists()

    def test_the_page_offers_to_continue_only_where_nothing_is_at_work(self, client, campaign, mira):
        job = opening.open_now_or_soon(campaign, by=mira)
        client.force_login(mira)
        page = reverse("annotation:campaign-setup", args=[campaign.key])
        shown = client.get(page).content.decode()
        assert reverse("core:job", args=[job.key]) in shown
        assert "Continue opening" not in shown
        jobs.cancel(job, by=mira)  # before a worker took it
        shown = client.get(page).content.decode()
        assert "Opening was interrupted" in shown
        assert "Continue opening" in shown
        assert "Return to draft" in shown
        client.post(reverse("annotation:campaign-open", args=[campaign.key]))
        assert jobs.perform(opening.opening_job(campaign).key, worker="one").state == "done"
        assert self.states(campaign, job) == ("open", "cancelled")


def test_a_batch_of_keys_is_as_random_as_single_ones():
    keys = new_assignment_keys(1000)
    assert len(set(keys)) == 1000
    assert {len(key) for key in keys} == {12}
    assert not set("".join(keys)) - set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
