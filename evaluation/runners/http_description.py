"""What evaluation adds to the description of a JSON API: the request, where the answer is, what it means."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, field_validator

from core.inference.descriptions import Mistake, Section, Source
from core.inference.errors import sentence_of
from core.inference.secrets import fill
from core.inference.servers import Named, Server
from core.tables.problems import Problem
from core.text import _
from evaluation.runners.cutting import Cuts
from evaluation.runners.json_values import mentions, parse_path
from evaluation.runners.labels import either
from evaluation.runners.settings import RunnerSettings
from evaluation.runners.text_rules import TextRule

Steps = list[str | int | tuple[str, str]]
PLACES = ("score", "label", "text", "scores")
# YAML reads these words as true and false.
SPELLINGS = {True: ("true", "yes", "on"), False: ("false", "no", "off")}


class Answers(Section):
    """Where a service puts the score, the label, the text or several scores: paths such as result.scores[0].value."""

    score: str | None = Field(default=None, description=_("a path such as result.scores[0].value"))
    label: str | None = Field(default=None, description=_("a path such as result.scores[0].value"))
    text: str | None = Field(default=None, description=_("a path such as result.scores[0].value"))
    scores: dict[str, str] = Field(
        default={}, description=_("a map of names to paths, such as {hate: scores.hate, threat: scores.threat}")
    )
    items: str | None = Field(default=None, description=_("a path such as result.scores[0].value"))

    @field_validator("score", "label", "text", "items")
    @classmethod
    def _is_a_path(cls, value: str | None) -> str | None:
        try:
            if value is not None:
                parse_path(value)
        except ValueError as error:
            raise Mistake(sentence_of(error), _("Write the keys with full stops between them.")) from None
        return value

    @field_validator("scores")
    @classmethod
    def _are_paths(cls, value: dict[str, str]) -> dict[str, str]:
        for path in value.values():
            cls._is_a_path(path)
        return value

    @property
    def place(self) -> str:
        """Which of PLACES is given; the first of them where several are."""
        return next((name for name in PLACES if getattr(self, name)), "")

    def steps(self, name: str) -> Steps | None:
        path = getattr(self, name)
        return None if path is None else parse_path(path)

    def outputs(self) -> dict[str, Steps]:
        """Return the steps to each score by its name."""
        found = {"score": self.score} if self.score else self.scores
        return {name: parse_path(path) for name, path in found.items()}


class Combination(Section):
    """How several scores become one answer: the highest, any of them at its own threshold, or a weighted mean."""

    rule: Literal["max", "any", "weighted"] = Field(description=_("one of %(words)s", words=["max", "any", "weighted"]))
    thresholds: dict[str, float] = Field(default={}, description=_("a map of the names of scores to thresholds"))
    weights: dict[str, float] = Field(default={}, description=_("a map of the names of scores to weights"))

    def problems_in(self, names: list[str], *, has_threshold: bool, source: Source) -> list[Problem]:
        """Return what does not fit the names of the scores."""
        told = []
        for key, given in (("thresholds", self.thresholds), ("weights", self.weights)):
            for name in given:
                if name not in names:
                    problem = _("there is no score '%(name)s'", name=name)
                    told.append(source.problem(f"combine.{key}", problem, _("Use one of: %(names)s.", names=names)))
        if self.rule == "weighted" and (any(weight < 0 for weight in self.weights.values()) or not self.total(names)):
            fix = _("Give at least one score a weight above 0, and none a negative one.")
            told.append(source.problem("combine.weights", _("they do not make a mean"), fix))
        if self.thresholds and self.rule != "any":
            fix = _("Use threshold, or the rule any.")
            told.append(source.problem("combine.thresholds", _("only the rule any has them"), fix))
        if not has_threshold and not (self.rule == "any" and set(names) <= set(self.thresholds)):
            fix = _("Add threshold, or with the rule any one for each score.")
            told.append(source.problem("threshold", _("it is missing"), fix))
        return told

    def total(self, names: list[str]) -> float:
        return sum(self.weights.get(name, 0.0) for name in names)


class HttpDescription(Server):
    """Any JSON API: the request with a place for the text, and where the answer is."""

    kind: Literal["http"] = Field(default="http", description="http")
    preset: str = Field(default="", description=_("the name of a preset"))
    method: str = Field(default="POST", description=_("POST or PUT"))
    model: str = Field(default="", description=_("the name the server knows the model by, for {model} in the request"))
    query: Named = Field(default={}, description=_("a map of query parameters"))
    body: Any = Field(
        description=_('the request with "{text}" where the text goes, and "{language}" where its code goes')
    )
    languages: list[str] = Field(default=[], description=_("a list of codes of the languages that the service knows"))
    answer: Answers = Field(description=_("a section that says where the score or label is, e.g. score: result.score"))
    rule: TextRule | None = Field(default=None, description=_("a section that says how a text becomes a label"))
    combine: Combination | None = Field(
        default=None, description=_("a section that says how several scores become one answer")
    )
    threshold: float | None = Field(default=None, description=_("a number"))
    language_thresholds: dict[str, float] = Field(
        default={}, description=_("a map of codes of languages to thresholds, such as {de: 0.6}")
    )
    scale: float = Field(default=1.0, gt=0, description=_("the highest score of the service, such as 100"))
    labels: dict[Any, Any] | None = Field(default=None, description=_("a map from the service's words to labels"))
    batch_size: int = Field(default=1, ge=1, description=_("a whole number from %(least)s", least=1))
    timeout: float = Field(default=30.0, ge=0.1, description=_("a number of seconds from %(least)s", least="0.1"))
    concurrency: int = Field(
        default=1, ge=1, le=64, description=_("a whole number from %(least)s to %(most)s", least=1, most=64)
    )

    @field_validator("body")
    @classmethod
    def _is_a_request(cls, value: Any) -> Any:
        if not isinstance(value, dict | list):
            raise Mistake(
                _("'%(value)s' is not a request", value=str(value)[:60]),
                _('Write {text: "{text}"} or what the service takes.'),
            )
        return value

    @property
    def asks_language(self) -> bool:
        """Whether the answer depends on the language of the text: by the request or by the threshold."""
        return mentions(self.body, "language") or bool(self.language_thresholds)

    def with_secrets(self) -> dict[str, str]:
        return super().with_secrets() | {f"query.{name}": value for name, value in self.query.items()}

    def filled_query(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return the query parameters as they are sent."""
        return {name: fill(value, environment) for name, value in self.query.items()}

    @property
    def meanings(self) -> dict[str, str] | None:
        """The labels by the service's words in small letters; true is also yes, as YAML reads it."""
        if not self.labels:
            return None
        return {
            spelling: meaning
            for word, meaning in self.labels.items()
            for spelling in (SPELLINGS[word] if isinstance(word, bool) else (str(word).lower(),))
        }

    def cuts(self) -> Cuts:
        """Return where its scores are cut."""
        combine = self.combine or Combination(rule="max")
        return Cuts(
            threshold=self.threshold if self.threshold is not None else max(combine.thresholds.values(), default=0.5),
            by_language=self.language_thresholds,
            by_output=combine.thresholds,
            weights=combine.weights,
            rule=combine.rule,
            scale=self.scale,
        )

    def problems_in(self, source: Source, **more: Any) -> list[Problem]:
        settings: RunnerSettings = more["settings"]
        told = self._answer_problems(source, settings)
        for word, meaning in (self.labels or {}).items():
            if meaning not in settings.labels:
                problem = _("'%(word)s' means '%(meaning)s'", word=str(word), meaning=str(meaning)[:60])
                told.append(source.problem("labels", problem, _("Use %(labels)s.", labels=either(settings.labels))))
        wanted = "texts" if self.batch_size > 1 else "text"
        if not mentions(self.body, wanted):
            fix = _('Write "%(place)s" where the text goes.', place=f"{{{wanted}}}")
            problem = _("%(place)s does not occur in it", place=f"{{{wanted}}}")
            told.append(source.problem("body", problem, fix))
        if self.batch_size > 1 and mentions(self.body, "language"):
            fix = _("Leave batch_size out, or {language}.")
            told.append(source.problem("body", _("a batch may hold texts in several languages"), fix))
        if (self.batch_size > 1) != (self.answer.items is not None):
            fix = _("Give batch_size and answer.items together.")
            told.append(source.problem("answer.items", _("batches need a list of answers"), fix))
        return told + self.secret_problems(settings.environment, source)

    def _answer_problems(self, source: Source, settings: RunnerSettings) -> list[Problem]:
        answer, told = self.answer, []
        given = [name for name in PLACES if getattr(answer, name)]
        if len(given) != 1:
            fix = _("Keep the one the service answers with.")
            problem = _("one of score, scores, label and text is needed, and only one")
            return [source.problem("answer.score", problem, fix)]
        if answer.place != "label" and not settings.is_binary:
            problem = _("it cannot tell %(labels)s labels apart", labels=len(settings.labels))
            told.append(source.problem(f"answer.{answer.place}", problem, _("Say where the label is: label.")))
        elif answer.scores and self.combine:
            has_threshold = self.threshold is not None
            told += self.combine.problems_in(list(answer.scores), has_threshold=has_threshold, source=source)
        elif answer.place in ("score", "scores") and self.threshold is None:
            fix = _("Add the score from which a text is %(label)s.", label=settings.positive)
            told.append(source.problem("threshold", _("it is missing"), fix))
        elif answer.label is not None and self.labels is None:
            fix = _("Say for each word of the service which label it means.")
            told.append(source.problem("labels", _("it is missing"), fix))
        elif answer.text is not None and self.rule is None:
            fix = _("Say by rule which words of the text mean what.")
            told.append(source.problem("rule", _("it is missing"), fix))
        if self.combine and not answer.scores:
            fix = _("Name the scores: answer.scores.")
            told.append(source.problem("combine", _("there are no several scores to combine"), fix))
        return told
