"""Reading a YAML description so that every mistake is named with file, line, key and fix."""

import difflib
import logging
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Self, get_args

import yaml
from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError

from core.inference.errors import ConfigurationError, line_of
from core.inference.secrets import SECRET_KEY
from core.inference.settings import InferenceSettings
from core.tables.problems import Problem
from core.text import _, in_english

LARGEST_FILE = 64_000  # bytes
ENDINGS = (".yaml", ".yml")
Rename = Callable[[dict[str, Any]], "list[tuple[str, str]]"]
log = logging.getLogger(__name__)


class Mistake(ValueError):
    """A value that a description must not have: what is wrong, and the fix."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem)
        self.problem, self.fix = problem, fix


@dataclass(frozen=True, slots=True)
class Source:
    """The plain values of a description, with the line of each key where it came from a file."""

    values: dict[str, Any]
    file: str = "description"
    lines: Mapping[str, int] = field(default_factory=dict)
    warns: bool = True  # about old spellings; what this product kept itself is nobody's mistake

    def problem(self, key: str, problem: str, fix: str) -> Problem:
        return Problem(self.file, self.lines.get(key), key, problem, fix)


class Section(BaseModel):
    """A part of a description: typed keys, each with a text that says what it takes; unknown keys are mistakes."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False, hide_input_in_errors=True)


class Description(Section):
    """A whole description. Subclasses say which old spellings of their keys are still read."""

    renames: ClassVar[tuple[Rename, ...]] = ()
    _values: dict[str, Any] = PrivateAttr(default_factory=dict)  # as they were given, in the current spelling

    @classmethod
    def read(cls, source: Source | Mapping[str, Any], **more: Any) -> Self:
        """Return the checked description. Refuses it with all its problems at once; warns about old spellings."""
        source = source if isinstance(source, Source) else Source(dict(source))
        source, problems = current_spelling(source, cls.renames)
        found: Self | None = None
        try:
            found = cls.model_validate({key: value for key, value in source.values.items() if value is not None})
        except ValidationError as error:
            problems += [_problem_of(one, cls, source) for one in error.errors(include_url=False)]
        if found is not None:
            found._values.update(source.values)
            problems += found.problems_in(source, **more)
        if found is None or problems:
            raise ConfigurationError(sorted(problems, key=lambda one: (one.row is None, one.row or 0)))
        return found

    def __eq__(self, other: object) -> bool:
        # Two ways to write it, with or without what is as usual, describe one server.
        return type(self) is type(other) and self.model_dump() == other.model_dump()

    __hash__ = None  # type: ignore[assignment]

    def problems_in(self, source: Source, **more: Any) -> list[Problem]:
        """Return what is wrong with the values taken together; for subclasses to say."""
        return []


def read_file(path: Path, *, settings: InferenceSettings | None = None) -> Source:
    """Return the values of a YAML file.

    Refuses a missing, large or otherwise named file, one outside the permitted folders of `settings`, broken YAML,
    aliases, and anything but a mapping at the top.
    """
    from core.inference.model_files import require_permitted

    if settings is not None:
        require_permitted(path.resolve(), settings)
    if path.suffix not in ENDINGS:
        raise _refused(str(path), None, _("it is not a YAML file"), _("Name a file that ends in .yaml."))
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
            raise _refused(path.name, None, *_TOO_LARGE)
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise _refused(str(path), None, _("there is no such file"), _("Check the path.")) from None
    except OSError as error:
        problem = _("it cannot be read (%(error)s)", error=str(error.strerror))
        raise _refused(str(path), None, problem, _("Check the path.")) from None
    except UnicodeDecodeError as error:
        problem = _("it is not UTF-8 text (%(error)s)", error=error.reason)
        raise _refused(path.name, None, problem, _("Save it as UTF-8.")) from None
    return read_text(text, file=path.name)


def read_text(text: str, *, file: str = "description") -> Source:
    """Return the values of YAML text, as `read_file`."""
    if len(text.encode("utf-8", "replace")) > LARGEST_FILE:
        raise _refused(file, None, *_TOO_LARGE)
    try:
        # A few hundred bytes of aliases to aliases unfold to gigabytes when they are shown or kept.
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark else None
                raise _refused(file, line, _("it uses a YAML alias (*name)"), _("Write the value itself."))
        values = yaml.safe_load(text)
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: a date that does not exist
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or str(error)
        fix = _("Check the indentation and put texts with : or { in quotation marks.")
        problem = _("it is not YAML (%(error)s)", error=said)
        raise _refused(file, mark.line + 1 if mark else None, problem, fix) from None
    if not isinstance(values, dict):
        problem = _("it does not hold 'key: value' lines")
        raise _refused(file, 1, problem, _("Start from the example in the documentation."))
    lines: dict[str, int] = {}
    _note_lines(tree, "", lines)
    return Source({str(key): value for key, value in values.items()}, file, lines)


def current_spelling(source: Source, renames: tuple[Rename, ...]) -> tuple[Source, list[Problem]]:
    """Return the source with old spellings replaced by the current ones, and problems where both are given."""
    values = dict(source.values)
    lines = dict(source.lines)
    problems = []
    for rename in renames:
        for old, new in rename(values):
            if new in source.values:
                problem = _("it says the same as '%(key)s'", key=new)
                problems.append(source.problem(old, problem, _("Remove '%(key)s'.", key=old)))
                continue
            warning = source.problem(old, _("this is an old spelling"), _("Write '%(key)s' instead.", key=new))
            if source.warns:
                with in_english():
                    log.warning("%s", line_of(warning))
            lines.setdefault(new, lines.get(old, 1))
    return replace(source, values=values, lines=lines if source.lines else {}), problems


def renamed(old: str, new: str) -> Rename:
    """Return a rename of one key."""

    def apply(values: dict[str, Any]) -> list[tuple[str, str]]:
        if old not in values:
            return []
        value = values.pop(old)
        values.setdefault(new, value)
        return [(old, new)]

    return apply


_TOO_LARGE = (
    _("it is no plain file of at most %(most)s bytes", most=LARGEST_FILE),
    _("A description is a page of text. Check the path."),
)


def _refused(file: str, line: int | None, problem: str, fix: str) -> ConfigurationError:
    return ConfigurationError([Problem(file, line, None, problem, fix)])


def _note_lines(node: Any, path: str, lines: dict[str, int]) -> None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            full = f"{path}{key.value}"
            lines[full] = key.start_mark.line + 1
            _note_lines(value, f"{full}.", lines)


def _problem_of(error: Any, model: type[Section], source: Source) -> Problem:
    """Return one finding of pydantic in our words."""
    place = [str(part) for part in error["loc"]]
    key = ".".join(place)
    mistake = (error.get("ctx") or {}).get("error")
    if isinstance(mistake, Mistake):
        return source.problem(key, mistake.problem, mistake.fix)
    section = _section_at(model, place[:-1])
    known = section.model_fields if section else {}
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(place[-1], list(known), n=1)
        fix = _("Did you mean '%(key)s'?", key=near[0]) if near else _("Known keys: %(keys)s.", keys=sorted(known))
        return source.problem(key, _("there is no such key"), fix)
    # A list or mapping of plain values is described as a whole.
    described = next((info for name in reversed(place) if (info := known.get(name)) is not None), None)
    if described is None and place and place[0] in model.model_fields:
        described, key = model.model_fields[place[0]], place[0]
    what = (described.description if described else None) or _("a value of another kind")
    if error["type"] == "missing":
        return source.problem(key, _("it is missing"), _("Add %(key)s: %(what)s.", key=key, what=what))
    # The value is not shown where it may be a secret.
    if any(SECRET_KEY.search(part) for part in place):
        problem = _("it is not %(what)s", what=what)
    else:
        problem = _("'%(value)s' is not %(what)s", value=str(error["input"])[:60], what=what)
    return source.problem(key, problem, _("Write %(what)s.", what=what))


def _section_at(model: type[Section], place: list[str]) -> type[Section] | None:
    """Return the section that a path leads to; None where it leads into plain values."""
    for name in place:
        info = model.model_fields.get(name)
        kinds = [info.annotation, *get_args(info.annotation)] if info is not None else []
        inner = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Section)), None)
        if inner is None:
            return None
        model = inner
    return model
