"""Every word that people read can be translated, and the catalogues are in step with it."""

import re
from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve

from annotation.models import Campaign
from config.demo import load_demo
from core.jobs.models import JobState
from core.models import Job
from curation.catalogue.loading import load_catalogue
from curation.models import Release, Suite
from curation.releases.services import request_release, withdraw_release
from evaluation.models import EvaluationRun
from evaluation.runs.models import RunState
from generation.models import GenerationRun, Prompt
from generation.runs.models import RunState as GenerationState
from tests.annotation import factories as annotation_factories
from tests.contracts.pseudo import PSEUDO, Unmarked, installed, stored_strings, strings_of_fixtures
from tests.curation.releases.factories import make_candidate, make_release, make_suite
from tests.evaluation.attacks.factories import make_attack, make_dataset, make_split
from tests.evaluation.factories import allow_models, registered
from tests.generation import factories as generation_factories

PER_ROUTE = 2  # pages of one route that are looked at
ENGLISH_PAGES = {
    "api-docs",  # for programmers, in English like the API itself
    "api-schema",
    "ui:gallery",  # for those who build pages
    "evaluation:download",  # documents are in English unless another language is chosen
}
ENGLISH_PREFIXES = ("/admin/", "/api/", "/help/", "/static/", "/words/")


def walk(client, start: list[str], data: set[str]) -> list[str]:
    """Return the forgotten words with their route, of every page that links lead to."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    looked: dict[str, int] = defaultdict(int)
    waiting, seen = list(start), set(start)
    unmarked = Unmarked(data)
    while waiting:
        address = waiting.pop(0)
        path = urlsplit(address).path
        if path.startswith(ENGLISH_PREFIXES):
            continue
        try:
            route = resolve(path).view_name
        except Resolver404:
            continue
        place = route + ("?" if "?" in address else "")
        if looked[place] >= PER_ROUTE or route in ENGLISH_PAGES:
            continue
        looked[place] += 1
        answer = client.get(address, headers={"accept-language": PSEUDO})
        assert answer.status_code < 500, address
        if answer.streaming or not answer.headers.get("Content-Type", "").startswith("text/html"):
            continue
        words, links = unmarked.in_page(answer.content.decode())
        found[route] |= {(where, re.sub(r"\s+", " ", run).strip()) for where, run in words}
        for link in sorted(links):
            target = path + link if link.startswith("?") else link.partition("#")[0]
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    once = {(where, run): route for route, words in sorted(found.items()) for where, run in words}
    return sorted(f"{route}: <{where}> {run}" for (where, run), route in once.items())


@pytest.fixture
def filled(db, monkeypatch, settings, tmp_path, ana, emil, mira) -> Iterator[None]:
    """Something of everything, in several states: the demo, and what it does not show."""
    settings.VAR = tmp_path
    load_catalogue()
    load_demo()
    work_in_other_states(settings, mira)
    with installed(monkeypatch):
        yield


def work_in_other_states(settings, mira) -> None:
    suite = Suite.objects.get(key="demo")
    request_release(suite, "0.2.0", by=mira)
    Release.objects.filter(pk=request_release(suite, "0.3.0", by=mira).pk).update(state="building")
    make_candidate(suite, "0.4.0", by=mira)
    withdraw_release(make_release(make_suite("other"), "1.0.0", by=mira), reason="A mistake.", by=mira)
    for state in JobState.values:
        Job.objects.create(kind="curation.build_release", title=f"A {state} job", state=state, error="Out of memory.")
    dataset = make_dataset(mira)
    for built in (True, False):
        make_split(mira, dataset=dataset, built=built)
        make_attack(mira, dataset=dataset, built=built)
    allow_models(settings)
    version = registered("by_word", name="Word list")
    for state in set(RunState.values) - {"done"}:
        EvaluationRun.objects.create(
            release=Release.objects.get(suite=suite, version="0.1.0"), model_version=version, state=state,
            created_by=mira,
        )  # fmt: skip
    generation = generation_factories.make_suite()
    prompt = Prompt.objects.filter(language__code="en").first()
    for state in GenerationState.values:
        GenerationRun.objects.create(
            suite=generation, language=prompt.language, functionality=prompt.functionality, prompt=prompt, provider={},
            model="test-writer", wanted=3, state=state,
        )  # fmt: skip
    campaign = annotation_factories.make_open_campaign(
        annotation_factories.make_suite(templates=2, per_template=2), mira
    )
    Campaign.objects.filter(pk=campaign.pk).update(state="paused")


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize("role", ["visitor", "ana", "emil", "mira", "admin"])
def test_no_page_has_words_that_cannot_be_translated(client, request, filled, role):
    if role != "visitor":
        client.force_login(request.getfixturevalue(role))
    forgotten = walk(client, ["/", "/account/login/", "/releases/"], stored_strings() | strings_of_fixtures())
    assert not forgotten, "\n".join(forgotten)
