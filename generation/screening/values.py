"""What is screened, and what is found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A message to screen. `terms` are words one of which must occur; none means that no target is asked for.

    Near duplicates are looked for among texts of the same `group`.
    """

    key: str
    text: str
    language: str = "en"
    terms: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found in a candidate, in words; `other` is the key of the text it repeats."""

    check: str
    problem: str
    other: str = ""


@dataclass(frozen=True, slots=True)
class Screened:
    """A candidate with all that was found; clean when nothing was."""

    candidate: Candidate
    findings: tuple[Finding, ...]

    @property
    def is_clean(self) -> bool:
        return not self.findings
