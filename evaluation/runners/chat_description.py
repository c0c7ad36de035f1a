"""What evaluation adds to the description of a language model: the question, and how its answer becomes a label."""

from typing import Any, Literal

from pydantic import Field, field_validator

from core.inference.descriptions import Mistake, Source
from core.inference.errors import sentence_of
from core.inference.questions import HATEFUL_QUESTION
from core.inference.servers import ChatServer
from core.tables.problems import Problem
from core.text import _
from evaluation.runners.cutting import Cuts
from evaluation.runners.http_description import SPELLINGS
from evaluation.runners.json_values import parse_path
from evaluation.runners.labels import all_of
from evaluation.runners.probabilities import Probability
from evaluation.runners.settings import RunnerSettings
from evaluation.runners.text_rules import TextRule

READINGS = ("answers", "rule", "probability", "score")


class ChatDescription(ChatServer):
    """A language model that labels: the question, and the words that mean each label."""

    kind: Literal["chat"] = Field(default="chat", description="chat")
    preset: str = Field(default="", description=_("the name of a preset"))
    system: str | None = Field(default=None, description=_("a text"))
    prompt: str = Field(default=HATEFUL_QUESTION, description=_("the question, with {text} where the text goes"))
    answers: dict[Any, Any] | None = Field(default=None, description=_("for each label the words that mean it"))
    rule: TextRule | None = Field(default=None, description=_("a section that says how a text becomes a label"))
    probability: Probability | None = Field(
        default=None, description=_("a section with the words whose probabilities are compared")
    )
    score: str = Field(
        default="", description=_("the path of the number in the JSON object that the model writes, such as hate")
    )
    scale: float = Field(default=1.0, gt=0, description=_("the highest score that the model writes, such as 100"))
    threshold: float = Field(default=0.5, description=_("a number"))
    language_thresholds: dict[str, float] = Field(
        default={}, description=_("a map of codes of languages to thresholds, such as {de: 0.6}")
    )

    @field_validator("score")
    @classmethod
    def _is_a_path(cls, value: str) -> str:
        try:
            if value:
                parse_path(value)
        except ValueError as error:
            raise Mistake(sentence_of(error), _("Write the keys with full stops between them.")) from None
        return value

    @property
    def has_scores(self) -> bool:
        """Whether the label follows from a number."""
        return bool(self.probability or self.score)

    @property
    def asks_language(self) -> bool:
        """Whether the answer depends on the language of the text."""
        return self.has_scores and bool(self.language_thresholds)

    def cuts(self) -> Cuts:
        """Return where its scores are cut."""
        return Cuts(threshold=self.threshold, by_language=self.language_thresholds, scale=self.scale)

    def words(self, settings: RunnerSettings) -> dict[str, list[str]]:
        """Return for each label what the model may call it."""
        usual = {label: [label] for label in settings.labels}
        if settings.is_binary:
            positive, negative = settings.labels
            usual = {positive: [positive, "yes"], negative: [negative, f"not {positive}", f"non {positive}", "no"]}
        return {
            str(label): [spelling for word in _listed(words) for spelling in _spellings(word)]
            for label, words in (self.answers or usual).items()
        }

    def problems_in(self, source: Source, **more: Any) -> list[Problem]:
        settings: RunnerSettings = more["settings"]
        told = self._reading_problems(source, settings)
        if not settings.is_binary and self.prompt == HATEFUL_QUESTION:
            problem = _("the usual one asks for two labels, not %(labels)s", labels=len(settings.labels))
            told.append(source.problem("prompt", problem, _("Write your own.")))
        if "{text}" not in self.prompt:
            fix = _("Write {text} where the text goes.")
            told.append(source.problem("prompt", _("%(place)s does not occur in it", place="{text}"), fix))
        if set(self.words(settings)) != set(settings.labels):
            problem = _("it does not list both labels") if settings.is_binary else _("it does not list all labels")
            fix = _("List words for %(labels)s.", labels=all_of(settings.labels))
            told.append(source.problem("answers", problem, fix))
        return told + self.secret_problems(settings.environment, source)

    def _reading_problems(self, source: Source, settings: RunnerSettings) -> list[Problem]:
        given = [name for name in READINGS if getattr(self, name)]
        told = []
        if len(given) > 1:
            problem = _("it says the same as '%(key)s'", key=given[0])
            told.append(source.problem(given[1], problem, _("Remove '%(key)s'.", key=given[1])))
        if given and given[0] != "answers" and not settings.is_binary:
            problem = _("it cannot tell %(labels)s labels apart", labels=len(settings.labels))
            told.append(source.problem(given[0], problem, _("List the words of each label: answers.")))
        if self.probability and self.stream:
            fix = _("Write stream: false.")
            told.append(source.problem("stream", _("log-probabilities are not read from a stream"), fix))
        if self.language_thresholds and not self.has_scores:
            fix = _("Say where the score comes from: probability or score.")
            told.append(source.problem("language_thresholds", _("there is no score to cut"), fix))
        return told


def _spellings(word: Any) -> tuple[str, ...]:
    return SPELLINGS[word] if isinstance(word, bool) else (str(word),)


def _listed(words: Any) -> list[Any]:
    return words if isinstance(words, list) else [words]
