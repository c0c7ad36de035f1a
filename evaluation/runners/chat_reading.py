"""From what a language model answered to a label, by the one way of reading that its description names."""

import json
from typing import Any

from core.inference.chat import ChatAnswer
from core.inference.errors import sentence_of
from core.inference.refusals import begins_by_declining
from core.text import _
from evaluation.runners.answers import Answer
from evaluation.runners.chat_description import ChatDescription
from evaluation.runners.chat_parsing import parse_answer, without_thoughts
from evaluation.runners.json_values import NotThere, find, number_of, parse_path
from evaluation.runners.settings import RunnerSettings


def read_answer(
    found: ChatAnswer, described: ChatDescription, *, settings: RunnerSettings, language: str = ""
) -> Answer:
    """Return the label of an answer: by its probabilities, the number in it, a rule, or words for each label."""
    if described.probability:
        score = described.probability.read(found.places)
        if score is None:
            return _without_probability(found)
        return _cut(score, found.text, described, settings, language)
    if described.score:
        return _from_number(found.text, described, settings, language)
    if described.rule:
        return described.rule.read(found.text, settings)
    return parse_answer(found.text, words=described.words(settings))


def _cut(score: float, raw: str, described: ChatDescription, settings: RunnerSettings, language: str) -> Answer:
    cut = described.cuts().judge({"score": score}, language)
    return Answer(label=settings.label_if(cut.is_positive), score=cut.share, scores={"score": score}, raw=raw)


def _without_probability(found: ChatAnswer) -> Answer:
    if begins_by_declining(found.text):
        return Answer(label=None, refusal=True, raw=found.text)
    if found.places:
        problem = _("none of the words whose probabilities are compared is among the likeliest tokens")
    else:
        problem = _("the server sent no log-probabilities. Turn them on there, or read the text by a rule.")
    return Answer(label=None, raw=found.text, error=problem)


def _from_number(written: str, described: ChatDescription, settings: RunnerSettings, language: str) -> Answer:
    text = without_thoughts(written)
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        if begins_by_declining(text):
            return Answer(label=None, refusal=True, raw=written)
        return Answer(label=None, raw=written, error=_("the answer holds no JSON object"))
    try:
        value: Any = find(json.loads(text[start : end + 1]), parse_path(described.score))
        return _cut(number_of(value), written, described, settings, language)
    except NotThere as error:
        return Answer(label=None, raw=written, error=_("the answer has %(problem)s", problem=sentence_of(error)))
    except ValueError as error:
        return Answer(label=None, raw=written, error=sentence_of(error))
