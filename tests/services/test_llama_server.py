"""A real small language model, served by llama.cpp over the OpenAI protocol, writes candidates and labels texts."""

import json
from collections.abc import Iterator

import pytest

from curation.models import Functionality, Language
from evaluation.runners import RunnerSettings, allow_hosts, load_runner
from generation.prompts.services import add_version, current_prompt
from generation.runs.groups import find_targets
from generation.runs.planning import Plan, plan_run
from generation.runs.providers import read_uploaded_provider
from tests.generation import factories as ground
from tests.services.llama import running_llama

SHORT = ground.PLAIN_PROMPT.model_copy(
    update={
        "task": "Write {count} short sentences that {instruction}.",
        "answer": "Each sentence has five words and ends with a full stop.",
    }
)


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    with running_llama() as address:
        yield address


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_it_writes_a_list_in_the_form_that_was_asked_for(llama, mira, stream):
    suite = ground.make_suite()
    english, kind = Language.objects.get(code="en"), Functionality.objects.get(key="ident_pos_nh")
    add_version(kind, english, SHORT, by=mira)
    provider = {
        "kind": "chat", "name": "llama.cpp", "url": f"{llama}/v1", "model": "smollm2",
        "structured": "json_schema", "stream": stream, "concurrency": 1, "timeout": 300,
        "temperature": 0.7, "max_tokens": 200,
    }  # fmt: skip
    plan = plan_run(
        suite,
        current_prompt(kind, english),
        targets=find_targets(english, ["women"]),
        provider=read_uploaded_provider(json.dumps(provider)),
        wanted=2,
        per_request=2,
    )
    run = ground.perform(ground.start_run(Plan(suite, (plan,)), by=mira))
    assert run.state == "done", run.stopped_because
    answer = run.candidates.order_by("number")[0].request
    assert answer.text.split('"')[1] == "messages"  # the server keeps the model to the schema
    assert 0 < (answer.completion_tokens or 0) <= 200
    assert (answer.prompt_tokens or 0) > 20


@pytest.mark.slow
def test_it_is_asked_as_a_classifier_and_its_tokens_are_counted(llama):
    spec = {
        "kind": "chat", "url": f"{llama}/v1", "model": "smollm2", "temperature": 0, "max_tokens": 12,
        "prompt": "Answer with one word, hateful or non-hateful. Text: {text}", "timeout": 300,
    }  # fmt: skip
    settings = RunnerSettings(allow_url=allow_hosts(["127.0.0.1"]), longest_wait=300.0)
    answers = load_runner(spec, settings=settings).predict(["Have a lovely day.", "I am fond of bread."])
    assert len(answers) == 2
    for answer in answers:  # it is too small to be right, not too small to answer
        assert answer.raw
        assert answer.label in ("hateful", "non-hateful", None)
        assert answer.label or answer.error or answer.refusal
