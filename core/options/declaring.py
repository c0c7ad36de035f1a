"""Declare the options of a verb once: names, types, defaults, limits and help. Pure: no web framework in here."""

from __future__ import annotations

import enum
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, NoReturn, Self, Union, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError, PydanticUndefined

from core.errors import BadInput, sentence_of
from core.text import _, ngettext

PAGE, API, COMMAND = "page", "api", "command"
SURFACES = (PAGE, API, COMMAND)
LARGEST_SEED = 2**32 - 1  # what every generator of random numbers takes
VERBS: dict[str, type[Options]] = {}


class FileKind:
    """Mark an option that takes a file: an upload on pages and in the API, a path on the command line."""


class PairsKind:
    """Mark an option that takes `name=value` pairs."""


def read_pairs(given: Any) -> dict[str, str]:
    """Return pairs from a mapping, from texts like `name=value`, or from one text: one per line, or with commas.

    Raises ValueError for a text without a name or an equals sign, and for a name that stands there twice.
    """
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, str):
        given = given.splitlines() if "\n" in given.strip() else given.split(",")
    found: dict[str, str] = {}
    for cell in filter(None, (str(cell).strip() for cell in given)):
        name, _equals, value = (part.strip() for part in cell.rpartition("="))
        if not name:
            raise ValueError(_("'%(cell)s' is not a pair. Write for example severe=hateful.", cell=cell))
        if name in found:
            raise ValueError(_("'%(name)s' is named twice. Remove one of the two.", name=name))
        found[name] = value
    return found


File = Annotated[Any, FileKind]
Pairs = Annotated[dict[str, str], PairsKind, BeforeValidator(read_pairs)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extras:
    """What is said about an option beyond its type, default and label."""

    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    longest: int | None = None
    choices: Mapping[Any, str] = field(default_factory=dict)
    unless_given: str = ""
    group: str = ""
    advanced: bool = False
    rows: int = 0
    suggestions: tuple[str, ...] = ()
    flag: str = ""
    aliases: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    positional: bool = False
    repeated: bool = False
    metavar: str = ""
    without: Mapping[str, str] = field(default_factory=dict)


def option(default: Any = PydanticUndefined, *, label: str = "", help: str = "", **extras: Any) -> Any:
    """Declare one option; without a default it is required. The further facts are those of Extras:

    - `least`, `most`, `above`, `below` limit a number or each number of a list, `longest` the characters of a text;
    - `choices` are the allowed values with their labels, where the type does not name them;
    - `unless_given` says what happens without a value, where the default does not say it;
    - `group` and `advanced` make the sections of a page, `rows` a text area with one value per line,
      `suggestions` a list to pick from while other values can be typed;
    - `flag` is the spelling on the command line that scripts rely on, where it is not the name; both work;
    - `aliases` are older names that the API and the command line still take;
    - `needed` names the surfaces that require an option although it has a default, which others use;
    - `positional`, `repeated` (one value each time) and `metavar` are for the command line;
    - `without` maps a surface that lacks the option to the reason.
    """
    return Field(default, title=label or None, description=help, json_schema_extra={"extras": Extras(**extras)})  # type: ignore[dict-item]


def only(surface: str, reason: str) -> dict[str, str]:
    """Return the reason for all other surfaces, to declare an option that just one surface has."""
    return {other: reason for other in SURFACES if other != surface}


@dataclass(frozen=True, slots=True)
class Option:
    """One option as a surface needs it. `kind` is the type of the value, or of each value where there are many."""

    name: str
    kind: type
    is_many: bool
    is_nullable: bool
    is_required: bool
    default: Any
    label: str
    help: str
    choices: tuple[tuple[Any, str], ...]
    extras: Extras

    @property
    def full_help(self) -> str:
        """The help, with what happens without a value, in the reader's language."""
        without = _("Default: %(value)s.", value=self.extras.unless_given) if self.extras.unless_given else ""
        return f"{self.help} {without}".strip()

    @property
    def flags(self) -> list[str]:
        """The spellings on the command line, the one to show first."""
        if self.extras.positional:
            return [self.name]
        off = "no-" if self.kind is bool and self.default is True else ""
        names = [f"--{off}{name.replace('_', '-')}" for name in (self.name, *self.extras.aliases)]
        return list(dict.fromkeys([self.extras.flag or names[0], *names]))

    @property
    def may_be_empty(self) -> bool:
        """Whether no value, an empty text or an empty list is an answer."""
        return self.is_nullable or (not self.is_required and self.default in ("", (), {}))

    def problem_with(self, value: Any) -> str:
        """Return what is wrong with a single value of the right kind; "" if nothing is."""
        about = self.extras
        if self.choices and value not in dict(self.choices) and not (value == "" and self.may_be_empty):
            return self.known_values
        if isinstance(value, str) and about.longest is not None and len(value) > about.longest:
            return ngettext("Use at most %(count)s character.", "Use at most %(count)s characters.", about.longest)
        if isinstance(value, str) or self.kind in (bool, FileKind, PairsKind, dict):
            return ""
        is_low = (about.least is not None and value < about.least) or (about.above is not None and value <= about.above)
        is_high = (about.most is not None and value > about.most) or (about.below is not None and value >= about.below)
        return self.range_in_words if is_low or is_high else ""

    @property
    def known_values(self) -> str:
        return _("Choose from: %(values)s.", values=[str(known) for known, _label in self.choices])

    @property
    def range_in_words(self) -> str:
        about = self.extras
        if about.least is not None and about.most is not None:
            return _("Use at least %(least)s and at most %(most)s.", least=about.least, most=about.most)
        if about.above is not None and about.most is not None:
            return _("Use more than %(least)s and at most %(most)s.", least=about.above, most=about.most)
        if about.least is not None and about.below is not None:
            return _("Use at least %(least)s and less than %(most)s.", least=about.least, most=about.below)
        if about.above is not None and about.below is not None:
            return _("Use more than %(least)s and less than %(most)s.", least=about.above, most=about.below)
        if about.least is not None:
            return _("Use at least %(least)s.", least=about.least)
        if about.above is not None:
            return _("Use more than %(least)s.", least=about.above)
        if about.most is not None:
            return _("Use at most %(most)s.", most=about.most)
        return _("Use less than %(most)s.", most=about.below)


class OptionsRefused(BadInput):
    """Options that cannot be used. `errors` holds the sentences by option; those of "" are about several together."""

    def __init__(self, errors: Mapping[str, Sequence[str]], *, names: Mapping[str, str] | None = None) -> None:
        self.errors = errors
        shown = names or {}
        super().__init__(
            _joined(
                [
                    _("%(option)s: %(problem)s", option=shown.get(name, name), problem=sentence) if name else sentence
                    for name, sentences in errors.items()
                    for sentence in sentences
                ]
            )
        )
        self.fields |= {name or "non_field_errors": list(sentences) for name, sentences in errors.items()}


def _joined(sentences: Sequence[str]) -> str:
    """Return sentences as one text, one after another."""
    text = sentences[0] if sentences else ""
    for sentence in sentences[1:]:
        text = _("%(sentence)s %(next)s", sentence=text, next=sentence)
    return text


def refuse(sentence: str, *, about: str = "") -> NoReturn:
    """Refuse values from a rule of an options class; `about` names the option that has to change."""
    raise PydanticCustomError("rule", "{sentence}", {"sentence": sentence, "about": about})


class Options(BaseModel):
    """The options of a verb: fields declared with `option()`, rules written as pydantic's validators.

    Values that cannot be used are refused with OptionsRefused. `verb` registers the class for the contract test;
    `without` maps a surface that the verb does not have to the reason.
    """

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_enum_values=True, validate_default=True, allow_inf_nan=False
    )
    verb: ClassVar[str] = ""
    without: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if name := cls.__dict__.get("verb"):
            VERBS[name] = cls

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise OptionsRefused(_sentences(type(self), error)) from error

    @model_validator(mode="before")
    @classmethod
    def _rename(cls, values: dict[str, Any]) -> dict[str, Any]:
        known = renamed(cls, values)
        nullable = {one.name for one in declared(cls) if one.is_nullable}
        return {name: None if value == "" and name in nullable else value for name, value in known.items()}

    @field_validator("*", mode="after")
    @classmethod
    def _check(cls, value: Any, info: Any) -> Any:
        about = next(one for one in declared(cls) if one.name == info.field_name)
        if about.is_many and not value and not about.may_be_empty:
            refuse(_("Give at least one value."), about=about.name)
        for single in value if about.is_many else [value]:
            if single is not None and (problem := about.problem_with(single)):
                refuse(problem, about=about.name)
        return value

    @classmethod
    def given(cls, values: Mapping[str, Any]) -> Self:
        """Return the options that stand among other values."""
        known = renamed(cls, values)
        return cls(**{name: known[name] for name in cls.model_fields if name in known})

    def plain(self) -> dict[str, Any]:
        """Return the values as JSON knows them, files left out."""
        files = {one.name for one in declared(type(self)) if one.kind is FileKind}
        return self.model_dump(mode="json", exclude=files)


def renamed(cls: type[Options], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with older names of options replaced by today's."""
    today = {alias: one.name for one in declared(cls) for alias in one.extras.aliases}
    found = {today[name]: value for name, value in values.items() if name in today}
    return found | {name: value for name, value in values.items() if name not in today}


@cache
def declared(cls: type[Options], surface: str = "") -> tuple[Option, ...]:
    """Return the options of a class in order; with a surface only those it has."""
    found = []
    for name, info in cls.model_fields.items():
        assert isinstance(info.json_schema_extra, dict), f"{cls.__name__}.{name} is not declared with option()"
        extras: Any = info.json_schema_extra["extras"]
        kind, is_many, is_nullable = _shape(Annotated[info.annotation, *info.metadata, None])
        known = dict(extras.choices) or _named_choices(kind)
        found.append(
            Option(
                name=name,
                kind=str if issubclass(kind, enum.Enum) else type(next(iter(known))) if known else kind,
                is_many=is_many,
                is_nullable=is_nullable or info.default is None,
                is_required=info.is_required() or surface in extras.needed,
                default=None if info.is_required() else getattr(info.default, "value", info.default),
                label=info.title or name.replace("_", " ").capitalize(),
                help=info.description or "",
                choices=tuple(known.items()),
                extras=extras,
            )
        )
    return tuple(one for one in found if surface not in one.extras.without)


def _shape(annotation: Any) -> tuple[Any, bool, bool]:
    """Return the kind of a value, whether there are many, and whether there may be none."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        marked = [part for part in parts[1:] if part in (FileKind, PairsKind)]
        return (marked[0], False, False) if marked else _shape(parts[0])
    if origin in (Union, types.UnionType):
        kind, is_many, _ = _shape(next(part for part in parts if part is not type(None)))
        return kind, is_many, True
    if origin is tuple:
        return _shape(parts[0])[0], True, False
    if origin is Literal:
        return enum.StrEnum("Literal", {str(part): str(part) for part in parts}), False, False
    return origin or annotation, False, False


def _named_choices(kind: Any) -> dict[Any, str]:
    """Return the values of an enumeration with their labels, where it has some."""
    if not issubclass(kind, enum.Enum):
        return {}
    return {member.value: getattr(member, "label", str(member.value)) for member in kind}


WRONG_KIND: dict[type, str] = {
    int: _("Write a whole number."),
    float: _("Write a number."),
    bool: _("Write true or false."),
    str: _("Write a text."),
}


def _sentences(cls: type[Options], error: ValidationError) -> dict[str, list[str]]:
    """Return pydantic's errors as our sentences, by option."""
    known = {one.name: one for one in declared(cls)}
    found: dict[str, list[str]] = {}
    for item in error.errors():
        context, name = item.get("ctx", {}), str(item["loc"][0]) if item["loc"] else ""
        if item["type"] == "rule":
            name, sentence = context["about"], context["sentence"]
        elif item["type"] == "missing":
            sentence = _("This option is required.")
        elif item["type"] == "extra_forbidden":
            name, sentence = "", _("There is no option '%(name)s'. Known: %(known)s.", name=name, known=list(known))
        elif item["type"] == "value_error":
            sentence = sentence_of(context["error"])
        elif about := known.get(name):
            sentence = about.known_values if about.choices else WRONG_KIND.get(about.kind, item["msg"])
        else:
            sentence = item["msg"]
        found.setdefault(name, []).append(sentence)
    return found
