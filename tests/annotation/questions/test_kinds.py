"""Kinds of questions: what their labels count as, and that a new kind is one class."""

import ast
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from accounts.models import RoleGrant, User
from annotation.agreement.campaign_report import measure
from annotation.agreement.disputes import disputed_items
from annotation.campaigns.closing import close_campaign
from annotation.campaigns.services import create_campaign
from annotation.questions import KINDS, Choice, Question, question_of
from curation.models import CaseVerdict
from tests.annotation.factories import LABELS, label_everything, make_open_campaign, make_suite, newcomer

ROOT = Path(__file__).parents[3]


@dataclass
class Suite:
    labels: list[str] = field(default_factory=lambda: list(LABELS))

    @property
    def positive_label(self) -> str:
        return self.labels[0]


@dataclass
class Campaign:
    question: str
    labels: list[str]
    binarise_above: int = 3
    suite: Suite = field(default_factory=Suite)


def asked(key: str, labels: list[str] = LABELS) -> Question:
    return question_of(Campaign(key, labels))


SCALE = ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("question", "wanted", "hateful", "counted"),
    [
        (asked("binary"), "non-hateful", ["hateful"], LABELS),
        (asked("scale", SCALE), "non-hateful", ["4", "5"], ["non-hateful"] * 3 + ["hateful"] * 2),
        (asked("consistency", ["yes", "no"]), "yes", [], ["yes", "no"]),
        (asked("choice", ["angry", "hateful"]), None, ["hateful"], ["angry", "hateful"]),
    ],
)
def test_each_kind_says_what_its_labels_mean(question, wanted, hateful, counted):
    assert question.wanted("non-hateful") == wanted
    assert question.hateful_labels() == hateful
    assert [question.counted(label) for label in question.labels] == counted


def test_every_label_agrees_with_the_gold_label_it_counts_as():
    for key, labels in (("binary", LABELS), ("scale", SCALE), ("consistency", ["yes", "no"]), ("choice", LABELS)):
        question = asked(key, labels)
        agreeing = question.agreeing()
        for gold in LABELS:
            right = [label for label in labels if question.counted(label) == question.wanted(gold)]
            assert sorted(agreeing.get(gold, agreeing.get(None))) == right


def test_on_a_scale_every_step_on_the_expected_side_is_right():
    scale = asked("scale", SCALE)
    assert scale.right_labels(expected="hateful") == scale.right_labels(expected="5") == ["4", "5"]
    assert scale.known_answers() == [*SCALE, *LABELS]


def test_an_own_list_of_labels_needs_two_to_nine():
    assert asked("choice").why_refused(["one"])
    assert not asked("choice").why_refused(["one", "two"])
    assert Choice(Campaign("choice", [" a ", "", "a", "b"])).labels_to_offer() == ["a", "b"]


def test_only_the_kinds_themselves_compare_questions():
    """Everything else asks the object: a branch on the kind elsewhere would have to be found for each new kind."""
    branches = []
    for file in ROOT.glob("annotation/**/*.py"):
        if "migrations" in file.parts or file.parent.name == "questions":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and any(
                isinstance(side, ast.Attribute) and side.attr == "question" for side in (node.left, *node.comparators)
            ):
                branches.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    pages = [file.name for file in ROOT.glob("annotation/templates/**/*.html") if ".question ==" in file.read_text()]
    assert branches + pages == []


def test_a_new_kind_of_question_is_one_class(db, monkeypatch):
    """The toy asks how sure people are. It takes the place of an own list, whose key the database allows already."""
    monkeypatch.setitem(KINDS, "choice", KINDS["choice"])  # restored afterwards

    class Certainty(Question):
        key = "choice"
        title = "How sure is it hateful"
        prompt = "How sure are you?"

        def labels_to_offer(self) -> list[str]:
            return ["sure", "unsure", "no"]

        @property
        def counted_labels(self) -> list[str]:
            return list(LABELS)

        def counted(self, label: str) -> str:
            return "non-hateful" if label == "no" else "hateful"

        def agreeing(self):
            return {"hateful": ["sure", "unsure"], None: ["no"]}

    assert KINDS["choice"] is Certainty
    mira = User.objects.create_user("mira@example.org", "a long enough password", name="Mira")
    RoleGrant.objects.create(user=mira, role="maintainer")
    suite = make_suite(templates=2, per_template=1)
    assert create_campaign(suite, title="Draft", by=mira, question="choice").prompt == "How sure are you?"
    campaign = make_open_campaign(suite, mira, question="choice", raters=1, threshold=1)
    assert label_everything(newcomer(campaign), lambda text: "unsure") == 2
    assert close_campaign(campaign, by=mira) == 2
    assert {verdict.labels[0] for verdict in CaseVerdict.objects.all()} == {"hateful"}
    assert [item.case.functionality.gold_label for item in disputed_items(campaign)] == ["non-hateful"]
    assert measure(campaign)["labels_asked"] == LABELS
