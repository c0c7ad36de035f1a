"""Reading a YAML description of a model so that every mistake is named with file, line, key and way out."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from curation.formats.values import Problem
from evaluation.runners.errors import ConfigurationError

MISSING = object()
# How a service is asked, not what it answers: at a slower pace it is the same model, and no answer is paid for twice.
PACE = frozenset(
    {
        *("name", "preset", "price", "concurrency", "requests_per_second", "requests_per_minute"),
        *("daily_quota", "attempts", "timeout"),
    }
)


class Description:
    """A mapping read key by key; keys nobody asked for are mistakes. Problems are collected and raised at once."""

    def __init__(
        self,
        values: Mapping[str, Any],
        *,
        file: str,
        lines: Mapping[str, int] | None = None,
        path: str = "",
        problems: list[Problem] | None = None,
    ) -> None:
        self.values = values
        self.file = file
        self._lines = lines or {}
        self._path = path
        self.problems: list[Problem] = [] if problems is None else problems
        self._asked: set[str] = set()

    def complain(self, key: str, problem: str, fix: str) -> None:
        full = f"{self._path}{key}"
        self.problems.append(Problem(self.file, self._lines.get(full), full, problem, fix))

    def take(self, key: str, kinds: type | tuple[type, ...], what: str, *, default: Any = MISSING) -> Any:
        """One value of the right kind; a wrong or missing one is noted and the default (or None) handed over."""
        self._asked.add(key)
        value = self.values.get(key)
        if value is None:
            if default is MISSING:
                self.complain(key, "it is missing", f"Add {key}: {what}.")
                return None
            return default
        wrong_bool = isinstance(value, bool) and kinds not in (bool, object)
        if wrong_bool or not isinstance(value, kinds):
            self.complain(key, f"'{value}' is not {what}", f"Write {what}.")
            return None if default is MISSING else default
        return value

    def text(self, key: str, what: str, *, default: Any = MISSING) -> Any:
        return self.take(key, str, what, default=default)

    def number(self, key: str, *, default: Any = MISSING, minimum: float = 0.0, maximum: float = float("inf")) -> Any:
        what = f"a number from {minimum:g}" + (f" to {maximum:g}" if maximum != float("inf") else "")
        value = self.take(key, (int, float), what, default=default)
        if isinstance(value, int | float) and not minimum <= value <= maximum:
            self.complain(key, f"{value} is out of range", f"Write {what}.")
        return value

    def mapping(self, key: str, what: str, *, default: Any = MISSING) -> Any:
        return self.take(key, dict, what, default=default)

    def section(self, key: str, what: str) -> Description:
        """A nested description that shares the list of problems."""
        values = self.take(key, dict, what) or {}
        return Description(
            values, file=self.file, lines=self._lines, path=f"{self._path}{key}.", problems=self.problems
        )

    def what_decides(self) -> dict[str, Any]:
        """The values that decide the answers, for a fingerprint."""
        return {key: value for key, value in self.values.items() if key not in PACE}

    def refuse_unknown(self) -> None:
        """Note every key that was never asked for, with the nearest known one."""
        for key in self.values:
            if key not in self._asked:
                near = difflib.get_close_matches(str(key), sorted(self._asked), n=1)
                fix = f"Did you mean '{near[0]}'?" if near else f"Known keys: {', '.join(sorted(self._asked))}."
                self.complain(str(key), "there is no such key", fix)

    def finish(self) -> None:
        """Raise everything that was noted."""
        if self.problems:
            raise ConfigurationError(self.problems)


def read_description(path: Path) -> Description:
    """A YAML file as a description; refuses a missing file, broken YAML, and anything but a mapping at the top."""
    name = path.name
    try:
        source = path.read_text(encoding="utf-8")
        node = yaml.compose(source, Loader=yaml.SafeLoader)
        values = yaml.safe_load(source)
    except FileNotFoundError:
        raise ConfigurationError([Problem(str(path), None, None, "there is no such file", "Check the path.")]) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: not UTF-8, or no such date
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        fix = "Mind the indentation and put texts with : or { in quotation marks."
        raise ConfigurationError(
            [Problem(name, mark.line + 1 if mark else None, None, f"it is not YAML ({problem})", fix)]
        ) from None
    if not isinstance(values, dict):
        raise ConfigurationError(
            [
                Problem(
                    name, 1, None, "it does not hold 'key: value' lines", "Start from the example in the documentation."
                )
            ]
        )
    lines: dict[str, int] = {}
    _note_lines(node, "", lines)
    return Description(values, file=name, lines=lines)


def _note_lines(node: Any, path: str, lines: dict[str, int]) -> None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            full = f"{path}{key.value}"
            lines[full] = key.start_mark.line + 1
            _note_lines(value, f"{full}.", lines)
