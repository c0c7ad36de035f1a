"""Registering and trying a model from a page: a worker does it, so that no model is loaded by the web server."""

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.models import User
from core.errors import BadInput
from core.jobs.services import request_job
from core.models import Job
from core.permissions import require_evaluator
from core.text import _, ngettext
from curation.finding import find_release
from curation.models import Release
from curation.releases.access import require_reading
from evaluation.models import ModelVersion
from evaluation.permissions import require_work_on
from evaluation.registry.options import RegisterOptions, Spec
from evaluation.registry.services import LABELS, ModelRefused, load, register_model, settle_spec, try_model
from evaluation.runners import InferenceError, parse_spec
from evaluation.runs.services import request_run

REGISTER, TRY = "evaluation.register", "evaluation.try"
MOST_TEXTS, MOST_LETTERS = 20, 2000


def request_registration(options: RegisterOptions, *, by: User) -> Job:
    """Queue a model's check and registration; with a release it is run there at once. Refuses what is no spec."""
    require_evaluator(by)
    spec = options.model_spec()
    try:
        parse_spec(spec)
    except InferenceError as error:
        raise ModelRefused(error.sentence) from error
    release = ""
    if options.release:
        found = find_release(options.release)
        require_reading(by, found)
        release = found.key
    payload: dict[str, Any] = {
        "name": options.name,
        "spec": settle_spec(spec),
        "facts": options.facts(),
        "release": release,
    }
    payload["languages"] = list(options.languages)
    return request_job(REGISTER, payload, title=_("Check and register %(model)s", model=options.name), by=by)


def register_checked(
    name: str,
    spec: Spec,
    *,
    by: User | None,
    release: Release | None = None,
    languages: Sequence[str] = (),
    facts: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Label a few mild texts with the model, then remember it. Refuses one that gives no usable answers."""
    labels = release.suite.labels if release else LABELS
    check = try_model(spec, labels)
    if check.problem:
        raise ModelRefused(check.problem)
    version = register_model(name, spec, load(spec, labels), by=by, **(facts or {}))
    result: dict[str, Any] = {"model": version.model.key, "version": version.number}
    if release is not None and by is not None:
        result["run"] = request_run(release, version, by=by, languages=languages).key
    return result


def request_try(version: ModelVersion, texts: Sequence[str], *, by: User) -> Job:
    """Queue a few texts for a model. Refuses none and too many."""
    require_work_on(by, version.model)
    texts = [text.strip()[:MOST_LETTERS] for text in texts if text.strip()]
    if not texts:
        raise BadInput(_("Write at least one text, one on each line."))
    if len(texts) > MOST_TEXTS:
        raise BadInput(
            ngettext(
                "%(count)s text is too many to try. Write at most %(most)s, or run the model on a release.",
                "%(count)s texts are too many to try. Write at most %(most)s, or run the model on a release.",
                len(texts),
                most=MOST_TEXTS,
            )
        )
    title = _("Try %(model)s", model=version.model.name)
    return request_job(TRY, {"version": version.pk, "texts": texts}, title=title, by=by)


def try_texts(version: ModelVersion, texts: Sequence[str]) -> list[dict[str, Any]]:
    """What the model says about each text. Refuses with the runner's own sentence."""
    labels = version.description.get("labels", list(LABELS))
    check = try_model(version.spec, labels, texts=texts)
    if not check.answers:
        raise ModelRefused(check.problem or _("The model gave no answer."))
    return [
        {"text": text, "label": answer.label, "score": answer.score, "refusal": answer.refusal, "error": answer.error}
        for text, answer in zip(texts, check.answers, strict=True)
    ]
