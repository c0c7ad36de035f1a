"""The steps before the first text: each is one page with one thing to do."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from accounts.interface_language import follow_language
from annotation.campaigns.models import OVER, Mode
from annotation.labelling.key_bindings import bindings_for
from annotation.models import Campaign, Participation
from annotation.people import onboarding
from annotation.people.crowd_binding import find_requested, read_pass, requester_of
from annotation.people.forms import AboutYouForm
from annotation.people.onboarding import Step, next_step, require_begun
from annotation.questions import question_of
from core.errors import DomainError
from core.text import _, ngettext

FROM_A_PLATFORM = _("Did you come from a platform? You need no account: open the task from your platform again.")


def find_participation(request: HttpRequest, key: str) -> Participation | HttpResponse:
    """The participation behind the request, or the way to the sign-in page. Refuses strangers."""
    requester = requester_of(key, user=request.user, cookies=request.COOKIES)
    if requester is None:
        if Campaign.objects.filter(key=key, mode=Mode.CROWD).exists():
            messages.info(request, FROM_A_PLATFORM)
        return redirect_to_login(request.get_full_path())
    found = find_requested(requester)
    require_begun(found.campaign)
    follow_campaign(request, found.campaign)
    return found


def follow_campaign(request: HttpRequest, campaign: Campaign) -> None:
    """Show the page in the campaign's language, unless the person chose another one."""
    if campaign.language:
        follow_language(request, campaign.language.bcp47 or campaign.language.code)


def return_code_for(request: HttpRequest, participation: Participation) -> str:
    """The code with which a platform's participant continues in another browser; "" for people with an account."""
    browser = read_pass(request.COOKIES, participation.campaign.key)
    return browser.return_code if browser is not None and browser.opens(participation) else ""


def go_on(participation: Participation) -> HttpResponse:
    """To whatever comes next: a step before labelling, or the screen."""
    step = next_step(participation)
    is_too_late = step is not Step.READY and participation.campaign.state in OVER
    if participation.state == "ended" or is_too_late:
        return redirect("annotation:labelling-done", key=participation.campaign.key)
    name = "label" if step is Step.READY else step.value
    return redirect(f"annotation:{name}", key=participation.campaign.key)


class SupportLink(NamedTuple):
    name: str
    url: str


def support_links() -> list[SupportLink]:
    """Links by country or language; nothing is shown where nothing is set. Only web addresses become links."""
    links = []
    for part in settings.SUPPORT_LINKS.split(";"):
        name, _colon, url = part.partition(":")
        if url.strip().startswith(("https://", "http://")):
            links.append(SupportLink(name.strip(), url.strip()))
    return links


Page = Callable[[HttpRequest, Participation], HttpResponse]
STEPS = [Step.CONSENT, Step.GUIDELINES, Step.TRAINING, Step.TEST, Step.ABOUT_YOU]


def step_page(step: Step) -> Callable[[Page], Callable[..., HttpResponse]]:
    """A page of the onboarding; whoever is at another step is sent there."""

    def decorate(page: Page) -> Callable[..., HttpResponse]:
        @wraps(page)
        @never_cache
        def view(request: HttpRequest, key: str) -> HttpResponse:
            participation = find_participation(request, key)
            if isinstance(participation, HttpResponse):
                return participation
            is_reading_again = step is Step.GUIDELINES and request.method == "GET" and participation.consented_at
            is_over = participation.state == "ended" or participation.campaign.state in OVER
            if is_over or (onboarding.next_step(participation) is not step and not is_reading_again):
                return go_on(participation)
            return page(request, participation)

        return view

    return decorate


def _context(participation: Participation, step: Step, **more: Any) -> dict[str, Any]:
    campaign = participation.campaign
    roles = set(campaign.items.filter(role__in=["training", "test"]).values_list("role", flat=True))
    there = {
        Step.CONSENT: True,
        Step.GUIDELINES: campaign.guideline_id is not None,
        Step.TRAINING: "training" in roles,
        Step.TEST: "test" in roles,
        Step.ABOUT_YOU: campaign.asks_demographics,
    }
    steps = [one for one in STEPS if there[one]]
    keys = bindings_for(participation.annotator, len(campaign.labels))
    question = question_of(campaign)
    buttons = [
        {"label": label, "name": question.name_of(label), "key": keys[f"label{place}"]}
        for place, label in enumerate(campaign.labels, 1)
    ]
    return {
        "question": question,
        "buttons": buttons,
        "keys": json.dumps([button["key"].lower() for button in buttons]),
        "covers": participation.annotator.covers_text,
        "participation": participation,
        "campaign": campaign,
        "step_number": steps.index(step) + 1 if step in steps else 1,
        "step_count": len(steps),
        "support": support_links(),
        **more,
    }


@step_page(Step.CONSENT)
def consent(request: HttpRequest, participation: Participation) -> HttpResponse:
    if request.method == "POST":
        if request.POST.get("agrees") == "yes":
            onboarding.give_consent(participation)
            return go_on(participation)
        messages.error(request, _("Tick the box to agree, or leave this page. Nothing is recorded if you leave."))
    code = return_code_for(request, participation)
    return render(request, "annotation/consent.html", _context(participation, Step.CONSENT, return_code=code))


@step_page(Step.GUIDELINES)
def guidelines(request: HttpRequest, participation: Participation) -> HttpResponse:
    if request.method == "POST":
        onboarding.confirm_guidelines(participation)
        return go_on(participation)
    return render(request, "annotation/guidelines.html", _context(participation, Step.GUIDELINES))


@step_page(Step.TRAINING)
def training(request: HttpRequest, participation: Participation) -> HttpResponse:
    """One text; after the answer the same page shows what was expected and why."""
    feedback = None
    if request.method == "POST":
        item = request.POST.get("item", "")
        feedback = onboarding.answer_training(
            participation, int(item) if item.isdigit() else 0, request.POST.get("label", "")
        )
    shown = feedback.item if feedback else onboarding.next_training_item(participation)
    if shown is None:
        return go_on(participation)
    question = question_of(participation.campaign)
    expected = question.right_labels(expected=shown.expected) if feedback else []
    total = participation.campaign.items.filter(role="training").count()
    answered = participation.training_answers.filter(item__role="training").count()
    place = answered if feedback else answered + 1
    return render(
        request,
        "annotation/training.html",
        _context(
            participation,
            Step.TRAINING,
            item=shown,
            statement=onboarding.statement_of(participation.campaign, shown),
            feedback=feedback,
            expected=expected,
            expected_names=[question.name_of(label) for label in expected],
            place=place,
            total=total,
        ),
    )


@step_page(Step.TEST)
def test(request: HttpRequest, participation: Participation) -> HttpResponse:
    items = onboarding.test_items(participation)
    given: dict[int, str] = {}
    if request.method == "POST":
        given = {item.pk: request.POST[f"item-{item.pk}"] for item in items if request.POST.get(f"item-{item.pk}")}
        try:
            result = onboarding.hand_in_test(participation, given)
        except DomainError as error:
            messages.error(request, str(error))
        else:
            _say_result(request, participation, result)
            return go_on(participation)
    return render(
        request,
        "annotation/test.html",
        _context(
            participation,
            Step.TEST,
            rows=[
                {
                    "item": item,
                    "given": given.get(item.pk),
                    "statement": onboarding.statement_of(participation.campaign, item),
                }
                for item in items
            ],
            tries_left=onboarding.tries_left(participation),
            needed=onboarding.right_answers_needed(participation.campaign, len(items)),
        ),
    )


def _say_result(request: HttpRequest, participation: Participation, result: onboarding.TestResult) -> None:
    if participation.qualified_at is not None:
        messages.success(
            request, _("You passed the test: %(right)s of %(total)s right.", right=result.right, total=result.total)
        )
    elif left := onboarding.tries_left(participation):
        messages.warning(
            request,
            ngettext(
                "%(result)s You have %(count)s more try. Read the guidelines again first.",
                "%(result)s You have %(count)s more tries. Read the guidelines again first.",
                left,
                result=result.sentence,
            ),
        )


@step_page(Step.ABOUT_YOU)
def about_you(request: HttpRequest, participation: Participation) -> HttpResponse:
    form = AboutYouForm(request.POST or None, asks_to_link=participation.campaign.links_demographics)
    if request.method == "POST" and form.is_valid():
        given = {} if "skip" in request.POST else form.cleaned_data
        onboarding.tell_about_oneself(participation, given, may_link=given.pop("may_link", False))
        return redirect("annotation:label", key=participation.campaign.key)
    return render(request, "annotation/about_you.html", _context(participation, Step.ABOUT_YOU, form=form))
