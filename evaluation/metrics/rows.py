"""One case of a suite with what a model said about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A case, its gold label, the prediction, and the keys by which results are sliced.

    `predicted` is None where the model gave no answer (a refusal, an error): counted apart and as wrong. `score` is the
    model's score for the positive label. Empty keys take no part in their slice. `template` groups cases that are not
    independent; `refers_to` names the case that this one perturbs or contrasts.
    """

    case: str
    gold: str
    predicted: str | None
    score: float | None = None
    functionality: str = ""
    functionality_class: str = ""
    language: str = ""
    targets: tuple[str, ...] = ()
    is_identity_template: bool = False
    direction: str = ""
    focus_word: str = ""
    origin: str = ""
    agreement: str = ""
    template: str | None = None
    refers_to: str | None = None
