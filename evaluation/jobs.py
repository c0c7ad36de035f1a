"""Background work of this app."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.utils import timezone

from core.inference.errors import sentence_of
from core.jobs.running import JobCancelled, JobLost, RunningJob, WaitUntil, model_work
from core.text import _
from evaluation.models import EvaluationRun
from evaluation.runners import QuotaReached, RunnerBusy
from evaluation.runs.models import RunState


@model_work("evaluation.run", title=_("Evaluate a model"), retry_on=(RunnerBusy,))
def evaluate(job: RunningJob, *, run: str) -> dict[str, Any]:
    """Lead a run to its end; the run's state follows the job's."""
    from evaluation.runs.predicting import predict_run
    from evaluation.runs.services import leave

    found = _run(run)
    try:
        predict_run(found, job)
    except JobLost:
        raise
    except JobCancelled:
        leave(found, RunState.CANCELLED)
        raise
    except (RunnerBusy, QuotaReached) as error:
        leave(found, RunState.QUEUED, error=error.sentence)
        if error.retry_after is None:
            raise
        raise WaitUntil(timezone.now() + timedelta(seconds=error.retry_after), error.sentence) from error
    except Exception as error:
        leave(found, RunState.FAILED, error=sentence_of(error) or type(error).__name__)
        raise
    return {"run": run}


@model_work("evaluation.help", title=_("Help with an evaluation"), retry_on=(RunnerBusy,))
def help_out(job: RunningJob, *, run: str) -> dict[str, Any]:
    """Take chunks of a run that another job leads; when that fails, the leading job takes them."""
    from evaluation.runs.predicting import help_run

    return {"run": run, "chunks": help_run(_run(run), job)}


def _run(key: str) -> EvaluationRun:
    return EvaluationRun.objects.select_related("release__suite", "model_version__model", "created_by").get(key=key)


@model_work("evaluation.register", title=_("Register a model"), retry_on=(RunnerBusy,))
def register(
    job: RunningJob, *, name: str, spec: Any, facts: dict[str, Any], release: str, languages: Sequence[str] = ()
) -> dict[str, Any]:
    """Check a model and remember it; the job then leads to its page, or to its run."""
    from django.urls import reverse

    from core.models import Job
    from curation.models import Release
    from evaluation.registry.trying import register_checked

    wanted = Release.objects.by_key(release).select_related("suite").get() if release else None
    job.report(0, 1, _("asking it about a few mild texts"))
    result = register_checked(name, spec, by=job.requested_by, release=wanted, languages=languages, facts=facts)
    page = ("evaluation:run", result["run"]) if "run" in result else ("evaluation:model", result["model"])
    Job.objects.filter(key=job.key).update(result_url=reverse(page[0], args=[page[1]]))
    job.report(1, 1, _("registered"))
    return result


@model_work("evaluation.try", title=_("Try a model"), retry_on=(RunnerBusy,))
def try_out(job: RunningJob, *, version: int, texts: list[str]) -> dict[str, Any]:
    """Label a few texts that a person typed."""
    from evaluation.models import ModelVersion
    from evaluation.registry.trying import try_texts

    found = ModelVersion.objects.select_related("model").get(pk=version)
    return {"answers": try_texts(found, texts)}
