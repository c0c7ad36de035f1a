"""Candidates in, scores out: each question is put to the model once and its score is kept.

Verdicts are computed from the kept scores afterwards, so thresholds can move without running the model again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.text import _
from generation.checks.algorithm.rule_sets import RuleSet
from generation.checks.algorithm.rule_tests import RULE_TESTS
from generation.checks.algorithm.rules import asked_tests, evaluate, failing_parts

DEFAULT_THRESHOLD = 0.5

Progress = Callable[[int, int], None]


class Scorer(Protocol):
    """Anything that tells how far each premise entails its hypothesis, between 0 and 1; None where it was stopped."""

    def score(
        self, pairs: Sequence[tuple[str, str]], *, on_progress: Progress = ..., should_stop: Callable[[], bool] = ...
    ) -> list[float | None]: ...


@dataclass(frozen=True, slots=True)
class Message:
    """A message to check. `group` is the group's name in the hypotheses' language, `terms` are words that name it."""

    key: str
    text: str
    functionality: str
    language: str = "en"
    group: str = ""
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checks:
    """What was found out about one message: model scores and rule tests, by test. None: could not be asked."""

    key: str
    functionality: str
    scores: Mapping[str, float | None]
    rule_tests: Mapping[str, bool | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a message passes; None when a score is missing and the others do not decide."""

    passed: bool | None
    answers: Mapping[str, bool | None]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """One pair for the model, and the test it answers."""

    message: str
    test: str
    premise: str
    hypothesis: str


def plan_questions(message: Message, rule_set: RuleSet) -> list[Question]:
    """Return the questions of a message's rule. A test whose part of the message does not exist is left out.

    Refuses a hypothesis that names the group for a message without one.
    """
    questions = []
    for test in rule_set.hypotheses_for(message.functionality):
        premise = test.part_of(message.text, message.language)
        if not premise or not premise.strip():
            continue
        hypothesis = test.wording(message.language)
        if "{group}" in hypothesis:
            if not message.group:
                raise ValueError(
                    _(
                        "Message '%(message)s': the hypothesis '%(test)s' names the group, but none is given.",
                        message=message.key,
                        test=test.key,
                    )
                )
            hypothesis = hypothesis.replace("{group}", message.group)
        questions.append(Question(message.key, test.key, premise, hypothesis))
    return questions


def check_messages(
    messages: Sequence[Message],
    rule_set: RuleSet,
    *,
    scorer: Scorer,
    on_progress: Progress = lambda done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> list[Checks]:
    """Score all questions of all messages in one go, equal questions once.

    Refuses messages that share a key. Stopped early, the scores not reached are None.
    """
    if len({message.key for message in messages}) != len(messages):
        raise ValueError("two messages share a key: give each its own")
    planned = {message.key: plan_questions(message, rule_set) for message in messages}
    pairs = list(dict.fromkeys((q.premise, q.hypothesis) for questions in planned.values() for q in questions))
    scores = scorer.score(pairs, on_progress=on_progress, should_stop=should_stop) if pairs else []
    score_of = dict(zip(pairs, scores, strict=True))
    return [
        Checks(
            key=message.key,
            functionality=message.functionality,
            scores={test.key: None for test in rule_set.hypotheses_for(message.functionality)}
            | {q.test: score_of[q.premise, q.hypothesis] for q in planned[message.key]},
            rule_tests=run_rule_tests(message, rule_set),
        )
        for message in messages
    ]


def run_rule_tests(message: Message, rule_set: RuleSet) -> dict[str, bool | None]:
    """Run the tests of a message's rule that need no model."""
    asked = asked_tests(rule_set.rule_for(message.functionality).rule)
    return {
        key: RULE_TESTS[rule_set.rule_tests[key]](message.text, message.language, message.terms)
        for key in asked
        if key in rule_set.rule_tests
    }


def decide(
    checks: Checks,
    rule_set: RuleSet,
    *,
    threshold: float = DEFAULT_THRESHOLD,
    thresholds: Mapping[str, float] | None = None,
) -> Verdict:
    """Return the verdict from kept scores: a hypothesis holds above its own of `thresholds`, or above `threshold`.

    Refuses thresholds outside 0 to 1.
    """
    own = thresholds or {}
    if not all(0 <= value <= 1 for value in (threshold, *own.values())):
        raise ValueError(_("Use a threshold between 0 and 1."))
    answers: dict[str, bool | None] = dict(checks.rule_tests)
    for test, score in checks.scores.items():
        answers[test] = None if score is None else score > own.get(test, threshold)
    rule = rule_set.rule_for(checks.functionality).rule
    return Verdict(evaluate(rule, answers), answers, tuple(failing_parts(rule, answers)))
