"""Prompts in the database: versions, permissions, previews, trials and diversity."""

from collections.abc import Iterator

import pytest

from accounts.errors import NotAllowed
from core.errors import BadInput, Missing
from core.jobs import services as jobs
from core.jobs.models import JobState
from core.text import recall
from curation.cases.adding import add_case
from curation.models import Functionality, Language, LexiconEntry
from generation.diversity.charts import draw_measures
from generation.diversity.options import DiversityOptions
from generation.diversity.services import compare_sets
from generation.models import Prompt, ProviderRequest
from generation.prompts import services as prompts
from generation.prompts.options import PromptOptions
from generation.prompts.trials import request_trial
from generation.runs.groups import find_targets
from generation.runs.providers import read_uploaded_provider
from tests.generation import factories as ground

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite(db):
    return ground.make_suite()


@pytest.fixture
def server() -> Iterator[ground.Server]:
    with ground.running_server() as server:
        yield server


def english() -> Language:
    return Language.objects.get(code="en")


def about(key: str = "ident_pos_nh") -> Functionality:
    return Functionality.objects.get(key=key)


def draft_of(prompt: Prompt, **changes: object) -> PromptOptions:
    draft = PromptOptions(
        system=prompt.system,
        task=prompt.skeleton["task"],
        demonstration_part=prompt.skeleton["demonstration"],
        slurs_part=prompt.skeleton["slurs"],
        answer=prompt.skeleton["answer"],
        instruction=prompt.instruction,
        demonstration=prompt.demonstration,
        uses_slurs=prompt.uses_slurs,
        note="a try",
    )
    return draft.model_copy(update=changes)


def test_our_prompts_come_in_once(suite):
    count = Prompt.objects.count()
    assert Prompt.objects.filter(language__code="en").count() >= 24
    assert prompts.load_prompts() == 0
    assert Prompt.objects.count() == count


def test_a_new_wording_is_a_new_version_and_the_newest_is_used(suite, mira):
    first = prompts.current_prompt(about(), english())
    second = prompts.add_version(about(), english(), draft_of(first, instruction="praise {group} warmly"), by=mira)
    assert (first.number, second.number, second.author) == (1, 2, mira)
    assert prompts.current_prompt(about(), english()) == second
    assert list(Prompt.objects.newest().filter(language=english(), functionality=about())) == [second]
    (change,) = prompts.compare(first, second).changes
    assert change.field == "instruction.text"


def test_the_same_wording_twice_is_refused_but_not_with_another_slur_list(suite, mira):
    first = prompts.current_prompt(about(), english())
    with pytest.raises(BadInput, match="already"):
        prompts.add_version(about(), english(), draft_of(first), by=mira)
    second = prompts.add_version(about(), english(), draft_of(first, slurs=("x", "y")), by=mira)
    assert second.slurs == ["x", "y"]


def test_a_placeholder_nobody_fills_is_refused_with_its_place(suite, mira):
    first = prompts.current_prompt(about(), english())
    with pytest.raises(BadInput, match="character 8: no placeholder is called 'grop'"):
        prompts.add_version(about(), english(), draft_of(first, instruction="praise {grop}"), by=mira)


def test_experts_write_prompts_in_their_languages_only(suite, emil):
    first = prompts.current_prompt(about(), english())
    with pytest.raises(NotAllowed):
        prompts.add_version(about(), english(), draft_of(first, instruction="praise {group}"), by=emil)
    german = Language.objects.get(code="de")
    draft = draft_of(first, instruction="{group} loben")
    assert prompts.add_version(about(), german, draft, by=emil).language == german


def test_a_functionality_without_a_prompt_says_which_have_one(suite):
    with pytest.raises(Missing, match="There are prompts for: derog_neg_emote_h"):
        prompts.current_prompt(about("spell_leet_h"), Language.objects.get(code="pl"))


def test_slurs_come_from_the_lexicon_of_the_group(suite):
    (target,) = find_targets(english(), ["women"])
    LexiconEntry.objects.create(suite=suite, language=english(), key="s1", kind="slur", target=target, lemma="w*tch")
    prompt = prompts.current_prompt(about("slur_h"), english())
    assert "w*tch" in prompts.fill(prompt, suite=suite, target=target, count=3).user


def test_versions_are_tried_at_temperature_0_and_the_answers_are_kept(suite, server, mira, emil):
    first = prompts.current_prompt(about(), english())
    second = prompts.add_version(about(), english(), draft_of(first, instruction="praise {group} warmly"), by=mira)
    (target,) = find_targets(english(), ["women"])
    facts = {
        "suite": suite,
        "target": target,
        "provider": read_uploaded_provider(server.provider_yaml()),
        "count": 3,
    }
    with pytest.raises(NotAllowed):
        request_trial([first, second], by=emil, **facts)
    job = request_trial([first, second], by=mira, **facts)
    done = jobs.perform(job.key, worker="test")
    assert done is not None
    assert done.state == JobState.DONE, done.error
    assert [trial["version"] for trial in done.result["trials"]] == ["version 1", "version 2"]
    assert len(done.result["trials"][0]["messages"]) == 3
    assert {body["temperature"] for body in server.seen} == {0.0}
    assert ProviderRequest.objects.filter(run="trial").count() == 2


def try_two(suite, server, by, **provider):
    first = prompts.current_prompt(about(), english())
    second = prompts.add_version(about(), english(), draft_of(first, instruction="praise {group} warmly"), by=by)
    (target,) = find_targets(english(), ["women"])
    config = read_uploaded_provider(server.provider_yaml(**provider))
    job = request_trial([first, second], suite=suite, target=target, provider=config, count=3, by=by)
    done = jobs.perform(job.key, worker="test")
    assert done is not None
    return done


def test_the_budget_of_a_trial_is_not_that_of_each_version(suite, server, mira):
    # One request costs 0.07 and may cost up to about 0.3: there is money for the first version only.
    done = try_two(suite, server, mira, budget=0.35)
    assert done.state == JobState.FAILED
    assert "budget" in done.reason
    assert len(server.seen) == 1


def test_a_trial_says_when_the_model_declined(suite, server, mira):
    server.answer = ground.refuses
    done = try_two(suite, server, mira)
    assert [trial["why_empty"] for trial in recall(done.result)["trials"]] == ["The model declined."] * 2


@pytest.mark.parametrize(
    ("part", "text", "missing"),
    [
        ("task", "Write {count} messages.", "instruction"),
        ("demonstration_part", "Such as this.", "demonstration"),
        ("slurs_part", "Use slurs.", "slurs"),
    ],
)
def test_a_wording_that_would_drop_a_part_of_the_prompt_is_refused(suite, mira, part, text, missing):
    draft = draft_of(prompts.current_prompt(about(), english()), **{part: text})
    with pytest.raises(BadInput, match=f"must contain {{{missing}}}"):
        prompts.add_version(about(), english(), draft, by=mira)
    with pytest.raises(BadInput, match=f"must contain {{{missing}}}"):
        prompts.preview_wording(about(), english(), draft)


def test_two_sets_are_compared_on_equally_many_texts(suite):
    for number in range(30):
        text = f"Women at gate {number} are {'so very ' * (number % 3)}wonderful."
        add_case(suite, english(), about(), text=text, target=None, provenance={}, by=None, origin="template")
    for number in range(12):
        text = " ".join(f"word{number * 5 + place}" for place in range(5))
        add_case(suite, english(), about(), text=text, target=None, provenance={}, by=None)
    options = DiversityOptions(first_suite=suite.key, second_suite=suite.key, repeats=3, tokens="words")
    found = compare_sets(options)
    assert [item["texts"] for item in found["sets"]] == [30, 12]
    names = [measure["name"] for measure in found["measures"]]
    assert names[:6] == ["self-BLEU-2", "self-BLEU-3", "self-BLEU-4", "distinct-1", "distinct-2", "distinct-3"]
    bleu = found["measures"][0]
    assert bleu["sample_size"] == 12
    assert bleu["values"][0] > bleu["values"][1]
    assert (bleu["p"], bleu["reason"]) == (None, "a test needs at least 40 texts in each set")
    assert draw_measures(found).startswith("<svg")


def test_a_set_that_is_too_small_is_refused(suite):
    with pytest.raises(BadInput, match="at least two different texts; it has 0"):
        compare_sets(DiversityOptions(first_suite=suite.key, second_suite=suite.key))
