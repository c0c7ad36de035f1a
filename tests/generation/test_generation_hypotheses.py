"""Hypotheses and rules as data: what experts write, what was published, and what a check does with them."""

import json
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.errors import NotAllowed
from core.errors import BadInput
from curation.models import Functionality, Language
from generation.checks.algorithm.rules import RuleError, describe, parse_rule, read_rule
from generation.checks.options import CheckOptions
from generation.checks.validating import check_run, verdict_of
from generation.checks.versions import add_check, check_of, load_published_wording, rules_for, shipped_rules
from generation.models import CheckVersion, GenerationRun
from tests.generation import factories as ground
from tests.generation.test_generation_deciding import make_run

pytestmark = pytest.mark.django_db
KIND = ("about_group | message | This message is about {group}.", "kind | message | This message is kind.")


class Says:
    """A model that believes everything but what mentions a word."""

    def __init__(self, doubts: str) -> None:
        self.doubts = doubts
        self.asked: list[tuple[str, str]] = []

    def score(self, pairs, **_):
        self.asked += pairs
        return [0.1 if self.doubts in hypothesis else 0.9 for _, hypothesis in pairs]


@pytest.fixture
def run(db) -> GenerationRun:
    return make_run(ground.make_suite())


def about(key: str = "ident_pos_nh") -> Functionality:
    return Functionality.objects.get(key=key)


def wording(**facts) -> CheckOptions:
    return CheckOptions(**({"hypotheses": KIND, "rule": "about_group and kind", "note": "kindness"} | facts))


def test_a_new_version_is_what_candidates_are_checked_with(run, mira):
    add_check(about(), wording(), by=mira)
    model = Says("kind")
    check_run(run, scorer=model)
    assert ("Women run this town.", "This message is kind.") in model.asked
    candidate = run.candidates.get(number=1)
    verdict = verdict_of(candidate.checks, run)
    assert (verdict.passed, verdict.reasons) == (False, ("The rule does not hold: kind",))


def test_old_scores_keep_their_rule_until_candidates_are_checked_again(run, mira):
    check_run(run, scorer=Says("hate"))
    before = verdict_of(run.candidates.get(number=1).checks, run).passed
    add_check(about(), wording(rule="about_group and not kind"), by=mira)
    assert verdict_of(run.candidates.get(number=1).checks, run).passed is before is True
    assert check_run(run, scorer=Says("hate")) == 4
    assert verdict_of(run.candidates.get(number=1).checks, run).passed is False
    assert check_run(run, scorer=Says("hate")) == 0


def test_a_language_has_its_own_version_before_the_general_one(run, mira):
    english, german = (Language.objects.get(code=code) for code in ("en", "de"))
    add_check(about(), wording(), by=mira)
    own = add_check(about(), wording(language="de", rule="kind and about_group"), by=mira)
    assert rules_for(about(), german, "touchstone").name == f"own:{own.sha256}"
    assert rules_for(about(), english, "touchstone").name != f"own:{own.sha256}"
    assert rules_for(about("ident_neutral_nh"), english, "touchstone") is shipped_rules("touchstone")


def test_an_own_functionality_in_a_language_without_a_negation_list_is_checked(run, mira):
    tongue = Language.objects.create(code="eo", name="Esperanto", script="Latn")
    own = Functionality.objects.create(
        key="own_thing_nh", title="Own", functionality_class=about().functionality_class, gold_label="non-hateful"
    )
    GenerationRun.objects.filter(pk=run.pk).update(functionality=own, language=tongue)
    run.candidates.filter(number=1).update(text="Virinoj neniam venas.")
    run = GenerationRun.objects.with_names().get(pk=run.pk)
    assert check_run(run, scorer=Says("-")) == 0
    assert "has no rule for 'own_thing_nh'" in run.candidates.get(number=1).why_unchecked
    lines = (
        "without_words | drop:neniam, ne | This message says that {group} come.",
        "open | drop_negation | This message is positive.",
    )
    add_check(own, wording(hypotheses=lines, rule="without_words or (open and has_negation_word)"), by=mira)
    model = Says("-")
    assert check_run(run, scorer=model) == 4
    assert ("Virinoj venas.", "This message says that Women come.") in [
        (premise, text.replace("women", "Women")) for premise, text in model.asked
    ]
    found = run.candidates.get(number=1)
    assert found.scores["open"] is None  # no list of negation words: the test stays open
    assert found.checks["rule_tests"] == {"has_negation_word": None}
    assert verdict_of(found.checks, run).passed is True


@pytest.mark.parametrize(
    ("facts", "problem"),
    [
        ({"rule": "about_group and kind or about_group"}, "Put brackets"),
        ({"rule": "about_group and nice"}, "no test is called 'nice'"),
        ({"rule": "(about_group and kind"}, "not closed"),
        ({"rule": "about_group"}, "does not use 'kind'"),
        ({"hypotheses": ("about_group: message",)}, "is not a hypothesis"),
        ({"hypotheses": (KIND[0], "kind | backwards | This is kind.")}, "no part of a message is called 'backwards'"),
        ({"language": "tlh"}, "There is no language 'tlh'"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(run, mira, facts, problem):
    with pytest.raises(Exception, match=problem):
        add_check(about(), wording(**facts), by=mira)
    assert not CheckVersion.objects.exists()


@pytest.mark.parametrize(
    "text", ["a", "a and b", "not a or b", "a and (not b or c)", "not (a and b)", "(a or b) and (c or not a)"]
)
def test_a_rule_is_read_as_it_is_written(text):
    assert describe(read_rule(parse_rule(text), known=frozenset("abc"), where="rule")) == text


@pytest.mark.parametrize("text", ["", "and a", "a b", "a and", "a )", "a and or b", "not"])
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(RuleError, match="rule"):
        parse_rule(text)


def test_experts_write_for_their_language_and_maintainers_for_all(run, emil, ana):
    german = add_check(about(), wording(language="de"), by=emil)
    assert german.author == emil
    for facts in ({"language": "en"}, {}):
        with pytest.raises(NotAllowed):
            add_check(about(), wording(**facts), by=emil)
    with pytest.raises(NotAllowed):
        add_check(about(), wording(language="de"), by=ana)


def test_the_database_refuses_to_change_a_version(run, mira):
    version = add_check(about(), wording(), by=mira)
    with pytest.raises(DatabaseError), transaction.atomic():
        CheckVersion.objects.filter(pk=version.pk).update(sha256="other")
    with pytest.raises(DatabaseError), transaction.atomic():
        version.delete()


def copy_of_the_table() -> bytes:
    tests = shipped_rules("as_published").hypothesis_tests.values()
    rows = [f"{test.column},It says [X] {number}." for number, test in enumerate(tests)]
    return "\n".join(["column,hypothesis", *rows]).encode()


def test_the_published_wording_is_loaded_from_a_copy_and_used_where_asked_for(run, mira, emil):
    run.rule_set = "as_published"
    with pytest.raises(BadInput, match="not loaded"):
        check_run(run, scorer=Says("-"))
    with pytest.raises(NotAllowed):
        load_published_wording(copy_of_the_table(), by=emil)
    loaded = load_published_wording(copy_of_the_table(), by=mira)
    assert len(loaded) == Functionality.objects.filter(key__in=shipped_rules("as_published").rules).count() >= 24
    load_published_wording(copy_of_the_table(), by=mira)
    assert CheckVersion.objects.count() == len(loaded)
    model = Says("-")
    check_run(run, scorer=model)
    assert "It says women 0." in {hypothesis.lower().replace("it", "It") for _, hypothesis in model.asked}
    english = Language.objects.get(code="en")
    assert check_of(about(), english).source == "Comes with Touchstone"  # ours still counts elsewhere
    with pytest.raises(BadInput, match="no hypothesis for 'nli_hate'"):
        load_published_wording(copy_of_the_table().replace(b"nli_hate,", b"nli_other,"), by=mira)


def test_the_command_loads_the_published_wording(run, mira, tmp_path):
    path, out = tmp_path / "table.csv", StringIO()
    path.write_bytes(copy_of_the_table())
    run.rule_set = "as_published"
    with pytest.raises(BadInput, match="load_hypotheses FILE"):
        check_run(run, scorer=Says("-"))
    call_command("load_hypotheses", path, "--json", stdout=out)
    assert about().key in json.loads(out.getvalue())["functionalities"]
    assert check_run(run, scorer=Says("-"))
    load_published_wording(copy_of_the_table(), by=mira)  # the same table again, by a person: nothing new
    assert not CheckVersion.objects.exclude(number=1).exists()
    with pytest.raises(CommandError, match="no file"):
        call_command("load_hypotheses", tmp_path / "gone.csv")


def test_pages_show_and_keep_hypotheses(run, mira, emil):
    client = Client()
    client.force_login(mira)
    page = client.get(reverse("generation:checks"), {"language": "de"}).content.decode()
    assert "about_group and not hate_speech and positive" in page
    address = reverse("generation:check", args=["ident_pos_nh"])
    assert "about_group and not hate_speech and positive" in client.get(address).content.decode()
    sent = {"language": "de", "hypotheses": "\n".join(KIND), "rule": "about_group and kind", "note": "kinder"}
    answer = client.post(address, sent)
    assert answer.url == f"{address}?language=de"
    page = client.get(answer.url).content.decode()
    assert "kinder" in page
    assert "This message is kind." in page
    wrong = client.post(address, sent | {"rule": "nonsense"})
    assert wrong.status_code == 422
    assert "no test is called" in wrong.content.decode()
    upload = SimpleUploadedFile("table.csv", copy_of_the_table())
    loaded = client.post(reverse("generation:checks-published"), {"file": upload})
    assert "It says {group} 0." in client.get(loaded.url).content.decode()
    expert = Client()
    expert.force_login(emil)
    assert expert.post(address, sent | {"language": "en"}).status_code in (403, 422)


def test_programs_read_and_write_hypotheses(run, mira, ana):
    api = APIClient()
    api.force_authenticate(mira)
    address = "/api/v1/hypotheses/ident_pos_nh/"
    found = api.get(address).json()
    assert found["rule"] == "about_group and not hate_speech and positive"
    assert found["version"] is None
    sent = {"hypotheses": list(KIND), "rule": "about_group and kind", "note": "kinder"}
    assert api.post(address, sent, format="json").status_code == 201
    assert api.get(f"{address}?language=de").json()["version"] == 1
    assert api.get(f"{address}?rule_set=as_published").status_code == 404
    file = SimpleUploadedFile("table.csv", copy_of_the_table())
    assert api.post("/api/v1/hypotheses/published/", {"file": file}, format="multipart").status_code == 201
    assert api.get(f"{address}?rule_set=as_published").status_code == 200
    api.force_authenticate(ana)
    assert api.get(address).status_code == 403
