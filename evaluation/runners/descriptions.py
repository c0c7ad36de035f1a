"""What evaluation adds to the description of a server: how to put the question and where the label is."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, field_validator

from core.inference.descriptions import Mistake, Section, Source, current_spelling, read_file
from core.inference.errors import ConfigurationError, sentence_of
from core.inference.questions import HATEFUL_QUESTION
from core.inference.secrets import fill
from core.inference.servers import PACE, ChatServer, Named, Server
from core.tables.problems import Problem
from core.text import _
from evaluation.runners.environment import digest
from evaluation.runners.json_values import mentions, parse_path
from evaluation.runners.labels import all_of, either
from evaluation.runners.settings import RunnerSettings

PRESETS = Path(__file__).parent / "presets"
Steps = list[str | int | tuple[str, str]]
Described = TypeVar("Described", bound=Server)
YES_AND_NO = (_("YAML reads yes and no as true and false"), _('Put the word in quotation marks: "no".'))


def preset_names() -> list[str]:
    """Return the descriptions that ship with the product."""
    return sorted(path.stem for path in PRESETS.glob("*.yaml"))


def content_hash(described: Server) -> str:
    """Return a hash over the values that decide the answers, without the secrets they name."""
    return digest({key: value for key, value in described._values.items() if key not in PACE})


class Answers(Section):
    """Where a service puts the score or the label: paths such as result.scores[0].value."""

    score: str | None = Field(default=None, description=_("a path such as result.scores[0].value"))
    label: str | None = Field(default=None, description=_("a path such as result.scores[0].value"))
    items: str | None = Field(default=None, description=_("a path such as result.scores[0].value"))

    @field_validator("score", "label", "items")
    @classmethod
    def _is_a_path(cls, value: str | None) -> str | None:
        try:
            if value is not None:
                parse_path(value)
        except ValueError as error:
            raise Mistake(sentence_of(error), _("Write the keys with full stops between them.")) from None
        return value

    def steps(self, name: str) -> Steps | None:
        path = getattr(self, name)
        return None if path is None else parse_path(path)


class HttpDescription(Server):
    """Any JSON API: the request with a place for the text, and where the answer is."""

    kind: Literal["http"] = Field(default="http", description="http")
    preset: str = Field(default="", description=_("the name of a preset"))
    method: str = Field(default="POST", description=_("POST or PUT"))
    query: Named = Field(default={}, description=_("a map of query parameters"))
    body: Any = Field(
        description=_('the request with "{text}" where the text goes, and "{language}" where its code goes')
    )
    languages: list[str] = Field(default=[], description=_("a list of codes of the languages that the service knows"))
    answer: Answers = Field(description=_("a section that says where the score or label is, e.g. score: result.score"))
    threshold: float | None = Field(default=None, description=_("a number"))
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
        """Whether a request names the language of its text."""
        return mentions(self.body, "language")

    def with_secrets(self) -> dict[str, str]:
        return super().with_secrets() | {f"query.{name}": value for name, value in self.query.items()}

    def filled_query(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return the query parameters as they are sent."""
        return {name: fill(value, environment) for name, value in self.query.items()}

    @property
    def meanings(self) -> dict[str, str] | None:
        """The labels by the service's words in small letters."""
        return {str(word).lower(): meaning for word, meaning in self.labels.items()} if self.labels else None

    def problems_in(self, source: Source, **more: Any) -> list[Problem]:
        settings: RunnerSettings = more["settings"]
        answer, told = self.answer, []
        if (answer.score is None) == (answer.label is None):
            fix = _("Keep the one the service answers with.")
            told.append(source.problem("answer.score", _("one of score and label is needed, not both"), fix))
        elif answer.score is not None and not settings.is_binary:
            problem = _("it cannot tell %(labels)s labels apart", labels=len(settings.labels))
            told.append(source.problem("answer.score", problem, _("Say where the label is: label.")))
        elif answer.score is not None and self.threshold is None:
            fix = _("Add the score from which a text is %(label)s.", label=settings.positive)
            told.append(source.problem("threshold", _("it is missing"), fix))
        elif answer.label is not None and self.labels is None:
            fix = _("Say for each word of the service which label it means.")
            told.append(source.problem("labels", _("it is missing"), fix))
        for word, meaning in (self.labels or {}).items():
            if isinstance(word, bool):
                told.append(source.problem("labels", *YES_AND_NO))
            if meaning not in settings.labels:
                problem = _("'%(word)s' means '%(meaning)s'", word=str(word), meaning=str(meaning)[:60])
                told.append(source.problem("labels", problem, _("Use %(labels)s.", labels=either(settings.labels))))
        wanted = "texts" if self.batch_size > 1 else "text"
        if not mentions(self.body, wanted):
            fix = _('Write "%(place)s" where the text goes.', place=f"{{{wanted}}}")
            problem = _("%(place)s does not occur in it", place=f"{{{wanted}}}")
            told.append(source.problem("body", problem, fix))
        if self.batch_size > 1 and self.asks_language:
            fix = _("Leave batch_size out, or {language}.")
            told.append(source.problem("body", _("a batch may hold texts in several languages"), fix))
        if (self.batch_size > 1) != (answer.items is not None):
            fix = _("Give batch_size and answer.items together.")
            told.append(source.problem("answer.items", _("batches need a list of answers"), fix))
        return told + self.secret_problems(settings.environment, source)


class ChatDescription(ChatServer):
    """A language model that labels: the question, and the words that mean each label."""

    kind: Literal["chat"] = Field(default="chat", description="chat")
    system: str | None = Field(default=None, description=_("a text"))
    prompt: str = Field(default=HATEFUL_QUESTION, description=_("the question, with {text} where the text goes"))
    answers: dict[Any, Any] | None = Field(default=None, description=_("for each label the words that mean it"))

    def words(self, settings: RunnerSettings) -> dict[str, list[str]]:
        """Return for each label what the model may call it."""
        usual = {label: [label] for label in settings.labels}
        if settings.is_binary:
            positive, negative = settings.labels
            usual = {positive: [positive, "yes"], negative: [negative, f"not {positive}", f"non {positive}", "no"]}
        return {str(label): [str(word) for word in _listed(words)] for label, words in (self.answers or usual).items()}

    def problems_in(self, source: Source, **more: Any) -> list[Problem]:
        settings: RunnerSettings = more["settings"]
        told = []
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
        if any(isinstance(word, bool) for words in (self.answers or {}).values() for word in _listed(words)):
            told.append(source.problem("answers", *YES_AND_NO))
        return told + self.secret_problems(settings.environment, source)


def _listed(words: Any) -> list[Any]:
    return words if isinstance(words, list) else [words]


def read_http_description(source: Path | Mapping[str, Any], *, settings: RunnerSettings) -> HttpDescription:
    """Return a description from a file or from plain values, laid over the preset it names.

    Refuses unknown keys, secrets written out, an answer without score or label, a label map with unknown labels.
    """
    found = _source(source, settings)
    preset = found.values.get("preset")
    if preset is not None and preset not in preset_names():
        fix = _("Use one of: %(names)s.", names=preset_names())
        problem = _("there is no preset '%(preset)s'", preset=str(preset)[:60])
        raise ConfigurationError([found.problem("preset", problem, fix)])
    if preset is not None:
        found = current_spelling(found, HttpDescription.renames)[0]
        found = Source({**read_file(PRESETS / f"{preset}.yaml").values, **found.values}, found.file, found.lines)
    return _named(HttpDescription.read(found, settings=settings), found)


def read_chat_description(source: Path | Mapping[str, Any], *, settings: RunnerSettings) -> ChatDescription:
    """Return a description from a file or from plain values.

    Refuses unknown keys, a key written out, a prompt without {text}, labels that no word means.
    """
    found = _source(source, settings)
    return _named(ChatDescription.read(found, settings=settings), found)


def _source(source: Path | Mapping[str, Any], settings: RunnerSettings) -> Source:
    return Source(dict(source)) if isinstance(source, Mapping) else read_file(source, settings=settings)


def _named(described: Described, source: Source) -> Described:
    return described if described.name else described.model_copy(update={"name": source.file})
