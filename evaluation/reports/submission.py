"""Results that travel: sealed when they are written, and as an instance receives them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.text import _

RESULT_FORMAT = "touchstone-result/1"
FORMAT = "touchstone-submission/1"
SEALED = ("format", "release", "models", "labels", "cases")  # of a result; rules and files may be added to it
FIGURES = ("n", "accuracy", "macro_f1", "ci95", "templates")
MOST_CASES = 2_000_000
LONGEST_FINGERPRINT = 80


class SubmissionRefused(ValueError):
    """A result cannot be handed in as it stands; says why."""

    @property
    def sentence(self) -> str:
        found: str = self.args[0]
        return found


@dataclass(frozen=True, slots=True)
class Submission:
    """What one model reached on one release. `predictions` has label and score by case; None where they stay away."""

    release: str
    release_sha256: str
    model: str
    fingerprint: str
    labels: tuple[str, ...]
    figures: Mapping[str, Any]
    environment: Mapping[str, Any]
    finished_at: str
    predictions: Mapping[str, tuple[str | None, float | None]] | None
    seal: str


def seal_of(content: Mapping[str, Any]) -> str:
    """Return the checksum of plain values."""
    plain = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=float)
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def sealed(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result with the checksum of what it says."""
    return {**result, "seal": seal_of({name: result[name] for name in SEALED})}


def make_submission(result: Mapping[str, Any], *, name: str = "", with_predictions: bool = True) -> dict[str, Any]:
    """Return what is handed to an instance. Refuses a changed or partial result, and one on no sealed release."""
    if result.get("format") != RESULT_FORMAT or "seal" not in result:
        raise SubmissionRefused(
            _("This is not a sealed result. Write it with: touchstone evaluate SUITE@VERSION --model SPEC --out FOLDER")
        )
    if seal_of({key: result[key] for key in SEALED}) != result["seal"]:
        raise SubmissionRefused(_("The result was changed after it was written. Evaluate the model again."))
    (model, values), *_others = result["models"].items()
    run = values["run"]
    if not run.get("release_sha256"):
        raise SubmissionRefused(
            _("The result is not on a sealed release. Evaluate an exported release or SUITE@VERSION.")
        )
    if run.get("is_partial"):
        raise SubmissionRefused(_("The result is on a part of the cases only. Evaluate without --limit."))
    cases = result["cases"]
    content = {
        "format": FORMAT,
        "release": result["release"],
        "release_sha256": run["release_sha256"],
        "model": name or model,
        "fingerprint": run["fingerprint"],
        "labels": result["labels"],
        "figures": {
            "overall": {key: values["overall"].get(key) for key in FIGURES},
            "by_functionality": {
                key: {"n": found["n"], "accuracy": found["accuracy"]}
                for key, found in values["by_functionality"].items()
            },
        },
        "environment": run.get("environment", {}),
        "finished_at": run.get("finished_at", ""),
        "predictions": {key: cases[column] for key, column in PREDICTED.items()} if with_predictions else None,
    }
    return {**content, "seal": seal_of(content)}


PREDICTED = {"case": "case", "label": "predicted", "score": "score"}


def read_submission(content: Mapping[str, Any]) -> Submission:
    """Return what was handed in. Refuses another format, a broken seal and values that cannot be."""
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise SubmissionRefused(_("This is not a result of `touchstone push` (%(format)s).", format=FORMAT))
    if seal_of({key: value for key, value in content.items() if key != "seal"}) != content.get("seal"):
        raise SubmissionRefused(_("The result was changed on its way: its seal does not fit. Push it again."))
    try:
        return Submission(
            **{key: _text(content[key], key) for key in ("release", "release_sha256", "model")},
            fingerprint=_text(content["fingerprint"], "fingerprint")[:LONGEST_FINGERPRINT],
            labels=tuple(_text(label, "labels") for label in content["labels"]),
            figures=_figures(content["figures"]),
            environment=dict(content["environment"]),
            finished_at=str(content["finished_at"])[:40],
            predictions=_predictions(content["predictions"]),
            seal=str(content["seal"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, SubmissionRefused):
            raise
        raise SubmissionRefused(
            _("The result is damaged (%(error)s). Evaluate the model again.", error=f"{type(error).__name__}: {error}")
        ) from error


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 300:
        raise SubmissionRefused(_("'%(name)s' of the result is not a text that can be used.", name=name))
    return value.strip()


def _figures(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures as numbers. Refuses shares that are none."""
    overall = given["overall"]
    low_high = overall.get("ci95")
    return {
        "overall": {
            "n": int(overall["n"]),
            "templates": None if overall.get("templates") is None else int(overall["templates"]),
            "accuracy": _share(overall["accuracy"]),
            "macro_f1": _share(overall["macro_f1"]),
            "ci95": None if low_high is None else [_share(value) for value in low_high][:2],
        },
        "by_functionality": {
            str(key)[:80]: {"n": int(found["n"]), "accuracy": _share(found["accuracy"])}
            for key, found in list(given["by_functionality"].items())[:1000]
        },
    }


def _share(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise SubmissionRefused(_("%(value)s is not a share from 0 to 1.", value=str(value)[:40]))
    return float(value)


def _predictions(given: Mapping[str, Any] | None) -> dict[str, tuple[str | None, float | None]] | None:
    if given is None:
        return None
    if len(given["case"]) > MOST_CASES:
        raise SubmissionRefused(_("The result has more than %(most)s predictions.", most=f"{MOST_CASES:,}"))
    found: dict[str, tuple[str | None, float | None]] = {}
    for case, label, score in zip(given["case"], given["label"], given["score"], strict=True):
        if case in found:
            raise SubmissionRefused(_("The case '%(case)s' has two predictions.", case=str(case)[:80]))
        found[str(case)] = (None if label is None else str(label), _share(score))
    return found
