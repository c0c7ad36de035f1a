"""What the server hands over, as plain values. `data` keeps every field, also those this version does not know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

FINISHED = frozenset({"done", "failed", "cancelled"})


@dataclass(frozen=True)
class Release:
    """A published, frozen set of test cases."""

    suite: str
    version: str
    cases: int | None
    data: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @property
    def key(self) -> str:
        return f"{self.suite}@{self.version}"

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Release:
        cases = data.get("cases")
        return cls(str(data["suite"]), str(data["version"]), cases if isinstance(cases, int) else None, data)


@dataclass(frozen=True)
class Case:
    """One test case of a release."""

    case_id: str
    text: str
    label: str
    functionality: str
    data: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Case:
        return cls(
            case_id=str(data["case_id"]),
            text=str(data["test_case"]),
            label=str(data.get("label_gold", "")),
            functionality=str(data.get("functionality", "")),
            data=data,
        )


@dataclass(frozen=True)
class Model:
    """A registered model."""

    name: str
    data: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Model:
        return cls(str(data["name"]), data)


@dataclass(frozen=True)
class RunState:
    """How far an evaluation is."""

    key: str
    state: str
    done: int
    total: int | None
    data: Mapping[str, Any] = field(repr=False, default_factory=dict)

    @property
    def is_finished(self) -> bool:
        return self.state in FINISHED

    @property
    def share(self) -> float | None:
        """Done by total, from 0 to 1; None while the total is unknown."""
        return self.done / self.total if self.total else None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> RunState:
        total = data.get("total")
        return cls(
            key=str(data["key"]),
            state=str(data.get("state", "")),
            done=int(data.get("done") or 0),
            total=int(total) if total is not None else None,
            data=data,
        )
