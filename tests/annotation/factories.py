"""What tests about labelling stand on: a small suite, people, a campaign that is open, and somebody who is ready."""

from typing import Any

from accounts.models import RoleGrant, User
from annotation.campaigns.models import Mode
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.labelling.exchange import Exchanged, exchange
from annotation.labelling.recording import Event
from annotation.models import Annotator, Campaign, Guideline, Participation
from annotation.people.onboarding import Step, confirm_guidelines, give_consent, next_step, tell_about_oneself
from annotation.people.participation import add_annotator, annotator_for, find_by
from curation.cases.models import Origin
from curation.models import Functionality, FunctionalityClass, Language, Suite, Template, TestCase

LABELS = ["hateful", "non-hateful"]


def make_suite(
    templates: int = 6, per_template: int = 4, *, key: str = "small", author: User | None = None, **facts: Any
) -> Suite:
    """Templates of two functionalities in turn, each with the same number of mild cases."""
    language, _ = Language.objects.get_or_create(code="en", defaults={"bcp47": "en", "name": "English"})
    kind, _ = FunctionalityClass.objects.get_or_create(key="plain", defaults={"title": "Plain"})
    functionalities = [
        Functionality.objects.get_or_create(
            key=name,
            defaults={"functionality_class": kind, "title": name, "gold_label": gold, "definition": f"It is {gold}."},
        )[0]
        for name, gold in (("dislike_h", "hateful"), ("like_nh", "non-hateful"))
    ]
    suite = Suite.objects.create(key=key, name=key, labels=LABELS, **facts)
    suite.languages.add(language)
    cases = []
    for number in range(templates):
        functionality = functionalities[number % 2]
        template = Template.objects.create(
            suite=suite, language=language, functionality=functionality, key=f"t{number}", position=number
        )
        for copy in range(per_template):
            name = f"{key}-{number:04}-{copy}"
            cases.append(
                TestCase(
                    suite=suite, language=language, functionality=functionality, key=name, origin=Origin.TEMPLATE,
                    gold_label=functionality.gold_label,
                    text=f"I {'dislike' if number % 2 == 0 else 'like'} neighbour {number} of kind {copy}.",
                    template=template, text_hash=name, identity_hash=name, position=len(cases), author=author,
                )
            )  # fmt: skip
    TestCase.objects.bulk_create(cases)
    Guideline.objects.get_or_create(
        language=language, version=1, defaults={"title": "Guideline", "text": "# Decide\n\nKindly."}
    )
    return suite


def make_people(number: int, *, start: int = 1) -> list[User]:
    people = []
    for place in range(start, start + number):
        user = User.objects.create_user(f"person{place}@example.org", "a long enough password", name=f"Person {place}")
        RoleGrant.objects.create(user=user, role="annotator", language="")
        people.append(user)
    return people


def make_open_campaign(suite: Suite, by: User, *, people: list[User] = (), **settings: Any) -> Campaign:  # type: ignore[assignment]
    """A campaign that asks nothing before the first text but consent and guidelines."""
    settings = {"asks_demographics": False, "raters": 3, "threshold": 2, "mode": Mode.CROWD, **settings}
    settings.setdefault("platform", "prolific" if settings["mode"] == Mode.CROWD else "")
    campaign = create_campaign(suite, title="Labels", by=by, language="en", **settings)
    for user in people:
        add_annotator(campaign, annotator_for(user), by=by)
    return open_campaign(campaign, by=by)


def ready(campaign: Campaign, annotator: Annotator) -> Participation:
    """Somebody who has done everything before the first text."""
    participation, _ = Participation.objects.get_or_create(campaign=campaign, annotator=annotator)
    give_consent(participation)
    confirm_guidelines(participation)
    tell_about_oneself(participation, {})
    assert next_step(participation) is Step.READY
    return Participation.objects.select_related("campaign", "annotator").get(pk=participation.pk)


def participation_of(annotator: Annotator, campaign: Campaign) -> Participation:
    return find_by(annotator=annotator, campaign=campaign)


def newcomer(campaign: Campaign, number: int = 1) -> Participation:
    """Somebody from outside, without an account."""
    return ready(campaign, Annotator.objects.create(platform="prolific", external_id=f"worker-{number}"))


def answer(
    participation: Participation, key: str, label: str = "hateful", *, client_id: str = "", **facts: Any
) -> Exchanged:
    event = Event(
        client_id=client_id or f"{participation.pk}-{key}", assignment=key, kind="label", label=label, **facts
    )
    return exchange(participation, [event])


def label_everything(participation: Participation, decide=lambda text: "hateful") -> int:
    """Label until nothing is left; returns how many texts were labelled."""
    labelled = 0
    got = exchange(participation)
    while got.texts:
        events = [
            Event(
                f"{participation.pk}-{text.assignment}-{labelled + place}", text.assignment, "label", decide(text.text)
            )
            for place, text in enumerate(got.texts)
        ]
        labelled += len(events)
        got = exchange(participation, events)
        assert all(receipt.status == "stored" for receipt in got.receipts), got.receipts
    return labelled
