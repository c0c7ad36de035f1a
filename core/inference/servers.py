"""A server that is asked over HTTP, described once for generation and evaluation alike."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, field_validator

from core.inference.descriptions import Description, Mistake, Rename, Section, Source, renamed
from core.inference.pacing import Pace
from core.inference.secrets import fill, problem_with, secrets_of, unusable_variable
from core.tables.problems import Problem
from core.text import _

MOST_SEED = 2_000_000_000  # the numbers of requests are added to it, and servers read it as 32 bits
# How a server is asked, not what it answers: at a slower pace it is the same model, and no answer is paid for twice.
PACE = frozenset(
    {
        *("kind", "name", "preset", "price", "concurrency", "requests_per_second", "requests_per_minute"),
        *("tokens_per_minute", "daily_quota", "attempts", "timeout", "stream", "structured"),
    }
)


def _address(value: str) -> str:
    if not value.startswith(("http://", "https://")):
        raise Mistake(
            _("'%(value)s' is not an address", value=value[:60]),
            _("Write an address that starts with http:// or https://."),
        )
    if "?" in value:
        raise Mistake(_("it carries parameters"), _("Move them to query, with secrets as ${OUR_API_KEY}."))
    return value


def _values_with_secrets(values: dict[str, Any]) -> dict[str, str]:
    for key, value in values.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise Mistake(_("%(key)s: it is not a text", key=key), _("Write one text per key."))
        if found := problem_with(key, str(value)):
            raise Mistake(_("%(key)s: %(problem)s", key=key, problem=found[0]), found[1])
    return {key: str(value) for key, value in values.items()}


Address = Annotated[str, AfterValidator(_address)]
# Headers and query parameters; secrets in them are named as ${OUR_API_KEY}.
Named = Annotated[dict[str, Any], AfterValidator(_values_with_secrets)]


class Price(Section):
    """What a million tokens cost, in and out."""

    input_per_million: float = Field(default=0.0, ge=0, description=_("an amount of 0 or more"))
    output_per_million: float = Field(default=0.0, ge=0, description=_("an amount of 0 or more"))
    currency: str = Field(default="USD", min_length=1, description=_("a currency such as USD"))

    def of(self, *, prompt_tokens: int, completion_tokens: int) -> float:
        """Return what so many tokens cost."""
        return (prompt_tokens * self.input_per_million + completion_tokens * self.output_per_million) / 1_000_000


class Server(Description):
    """Any server: where it is, how to prove who asks, and at which pace it may be asked."""

    name: str = Field(default="", description=_("a name"))
    url: Address = Field(description=_("the address, such as https://api.example.org/v1"))
    headers: Named = Field(default={}, description=_("a map of header names to texts"))
    timeout: float = Field(default=120.0, ge=0.1, description=_("a number of seconds from %(least)s", least="0.1"))
    attempts: int = Field(
        default=5, ge=1, le=20, description=_("a whole number from %(least)s to %(most)s", least=1, most=20)
    )
    concurrency: int = Field(
        default=4, ge=1, le=64, description=_("a whole number from %(least)s to %(most)s", least=1, most=64)
    )
    requests_per_second: float | None = Field(
        default=None, ge=0.001, description=_("a number from %(least)s", least="0.001")
    )
    requests_per_minute: float | None = Field(
        default=None, ge=0.01, description=_("a number from %(least)s", least="0.01")
    )
    daily_quota: int | None = Field(default=None, ge=1, description=_("a whole number from %(least)s", least=1))

    renames: ClassVar[tuple[Rename, ...]] = (renamed("base_url", "url"),)

    def pace(self) -> Pace:
        """Return the pace it may be asked at in one process; make it once and share it."""
        return Pace(requests_per_second=self.requests_per_second, requests_per_minute=self.requests_per_minute)

    def with_secrets(self) -> dict[str, str]:
        """Return the values that may name secrets, by the key they stand under."""
        return {f"headers.{name}": value for name, value in self.headers.items()}

    def secret_problems(self, environment: Mapping[str, str], source: Source) -> list[Problem]:
        """Return a problem for each secret that is named but not there or cannot be one."""
        return [
            source.problem(key, *found)
            for key, value in self.with_secrets().items()
            if (found := unusable_variable(value, environment))
        ]

    def filled_headers(self, environment: Mapping[str, str]) -> dict[str, str]:
        """Return the headers as they are sent."""
        return {name: fill(value, environment) for name, value in self.headers.items()}

    def secrets(self, environment: Mapping[str, str]) -> tuple[str, ...]:
        """Return the secrets that nothing shown or kept may hold."""
        return secrets_of(self.with_secrets().values(), environment)


def _from_parameters(values: dict[str, Any]) -> list[tuple[str, str]]:
    """Take `parameters: {temperature: ...}` apart."""
    parameters = values.get("parameters")
    if not isinstance(parameters, dict):
        return []
    del values["parameters"]
    found = []
    for name, value in parameters.items():
        values.setdefault(str(name), value)
        found.append((f"parameters.{name}", str(name)))
    return found


def _from_key_variable(values: dict[str, Any]) -> list[tuple[str, str]]:
    """Write `api_key_env: NAME` as `api_key: ${NAME}`."""
    name = values.pop("api_key_env", None)
    if not isinstance(name, str) or not name:
        return []
    values.setdefault("api_key", f"${{{name}}}")
    return [("api_key_env", "api_key")]


def _from_prompt_prices(values: dict[str, Any]) -> list[tuple[str, str]]:
    price = values.get("price")
    if not isinstance(price, dict):
        return []
    values["price"] = price = dict(price)
    found = []
    for old, new in (("prompt_per_million", "input_per_million"), ("completion_per_million", "output_per_million")):
        if old in price:
            price.setdefault(new, price.pop(old))
            found.append((f"price.{old}", f"price.{new}"))
    return found


OLD_KINDS = {"openai_compatible": "chat", "transformers_local": "local"}


def _from_old_kinds(values: dict[str, Any]) -> list[tuple[str, str]]:
    old = values.get("kind")
    if not isinstance(old, str) or old not in OLD_KINDS:
        return []
    values["kind"] = OLD_KINDS[old]
    return [(f"kind: {old}", f"kind: {OLD_KINDS[old]}")]


class ChatServer(Server):
    """A language model behind an OpenAI-compatible address; `url` is the part before /chat/completions."""

    model: str = Field(min_length=1, description=_("the name the server knows the model by"))
    api_key: str = Field(default="", description=_("the environment variable with the key, as ${OUR_API_KEY}"))
    tokens_per_minute: int | None = Field(default=None, ge=1, description=_("a whole number from %(least)s", least=1))
    price: Price | None = Field(default=None, description=_("a section with input_per_million and output_per_million"))
    stream: bool = Field(default=False, description=_("true or false"))
    structured: Literal["auto", "json_schema", "json_object", "off"] = Field(
        default="auto", description=_("one of %(words)s", words=["auto", "json_schema", "json_object", "off"])
    )
    temperature: float = Field(
        default=0.0, ge=0, le=2, description=_("a number from %(least)s to %(most)s", least=0, most=2)
    )
    top_p: float | None = Field(default=None, gt=0, le=1, description=_("a number above 0, at most 1"))
    max_tokens: int = Field(
        default=16,
        ge=1,
        le=1_000_000,
        description=_("a whole number from %(least)s to %(most)s", least=1, most=1_000_000),
    )
    seed: int = Field(
        default=0,
        ge=0,
        le=MOST_SEED,
        description=_("a whole number from %(least)s to %(most)s", least=0, most=MOST_SEED),
    )
    extra: dict[str, Any] = Field(default={}, description=_("further fields of the request"))

    renames: ClassVar[tuple[Rename, ...]] = (
        *Server.renames,
        _from_old_kinds,
        _from_key_variable,
        _from_prompt_prices,
        _from_parameters,
    )

    @field_validator("structured", mode="before")
    @classmethod
    def _off_is_a_word(cls, value: Any) -> Any:
        return "off" if value is False else value  # YAML reads a bare `off` so

    @field_validator("api_key")
    @classmethod
    def _key_is_named(cls, value: str) -> str:
        if value and (found := problem_with("api_key", value)):
            raise Mistake(*found)
        return value

    def pace(self) -> Pace:
        return Pace(
            requests_per_second=self.requests_per_second,
            requests_per_minute=self.requests_per_minute,
            tokens_per_minute=self.tokens_per_minute,
        )

    def with_secrets(self) -> dict[str, str]:
        named = super().with_secrets()
        return {"api_key": self.api_key, **named} if self.api_key else named

    def filled_headers(self, environment: Mapping[str, str]) -> dict[str, str]:
        headers = super().filled_headers(environment)
        key = fill(self.api_key, environment)
        return {"Authorization": f"Bearer {key}", **headers} if key else headers

    def named(self, name: str) -> Self:
        """Return the same server under a name, where it has none."""
        return self if self.name else self.model_copy(update={"name": name})
