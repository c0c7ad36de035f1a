"""What there is, newest first, for the command `list`: one row of plain values for each thing."""

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from accounts.models import User
from annotation.campaigns.progress import count_labels
from annotation.models import Campaign
from core.models import Job
from curation.models import Release, Suite
from evaluation.models import Attack, Dataset, DetectionModel, EvaluationRun, Report, SharedReport, Split

Row = dict[str, Any]
Filters = dict[str, str]  # suite, release, model: "" for any
OF_RELEASE, OF_MODEL = "release__", "model_version__model__"


def suites(chosen: Filters, limit: int) -> Iterator[Row]:
    found = _matching(Suite.objects.all(), chosen, suite="").annotate(cases_there=Count("cases")).order_by("-pk")
    for suite in found[:limit]:
        yield {"suite": suite.key, "name": suite.name, "cases": suite.cases_there, "releases": suite.releases.count()}


def releases(chosen: Filters, limit: int) -> Iterator[Row]:
    found = _matching(Release.objects.select_related("suite"), chosen, suite="suite__", release="").order_by("-pk")
    for release in found[:limit]:
        yield {
            "release": release.key,
            "state": release.state,
            "cases": release.facts.get("included"),
            "access": release.access,
            "published_at": release.published_at,
            "sha256": release.sha256,
        }


def models(chosen: Filters, limit: int) -> Iterator[Row]:
    found = _matching(DetectionModel.objects.all(), chosen, model="").annotate(
        newest=Max("versions__number"), finished=Count("versions__runs", filter=Q(versions__runs__state="done"))
    )
    for model in found.order_by("-is_starred", "-created_at", "-pk")[:limit]:
        yield {
            "model": model.key,
            "name": model.name,
            "version": model.newest,
            "runs": model.finished,
            "public": model.on_leaderboard,
            "starred": model.is_starred,
        }


def runs(chosen: Filters, limit: int) -> Iterator[Row]:
    found = EvaluationRun.objects.select_related("release__suite", "model_version__model").defer("environment")
    rows = list(
        _matching(found, chosen, suite="release__suite__", release=OF_RELEASE, model=OF_MODEL).order_by("-pk")[:limit]
    )
    totals = dict(Report.objects.filter(run__in=rows).values_list("run_id", "values__overall"))
    for run in rows:
        overall = totals.get(run.pk) or {}
        yield {
            "run": run.key,
            "release": run.release.key,
            "model": run.model_version.model.name,
            "version": run.model_version.number,
            "state": run.state,
            "accuracy": overall.get("accuracy"),
            "macro_f1": overall.get("macro_f1"),
            "finished_at": run.finished_at,
        }


def campaigns(chosen: Filters, limit: int) -> Iterator[Row]:
    found = _matching(Campaign.objects.select_related("suite"), chosen, suite="suite__").order_by("-pk")
    rows = list(found[:limit])
    counts = count_labels(rows)
    for campaign in rows:
        done, wanted = counts.get(campaign.pk, (0, 0))
        yield {
            "campaign": campaign.key,
            "suite": campaign.suite.key,
            "title": campaign.title,
            "state": campaign.state,
            "labels": done,
            "labels_wanted": wanted,
        }


def people(chosen: Filters, limit: int) -> Iterator[Row]:
    for user in User.objects.prefetch_related("grants").order_by("-pk")[:limit]:
        roles = [f"{grant.role} ({grant.language})" if grant.language else grant.role for grant in user.grants.all()]
        if user.is_superuser:
            roles.insert(0, "administrator")
        yield {"email": user.email, "name": user.name, "active": user.is_active, "roles": roles}


def links(chosen: Filters, limit: int) -> Iterator[Row]:
    found = SharedReport.objects.usable().select_related("release__suite").annotate(models_shown=Count("runs"))
    for link in _matching(found, chosen, suite="release__suite__", release=OF_RELEASE).order_by("-pk")[:limit]:
        yield {
            "token": link.token,
            "release": link.release.key,
            "models": link.models_shown,
            "address": link.get_absolute_url(),
            "created_at": link.created_at,
        }


def datasets(chosen: Filters, limit: int) -> Iterator[Row]:
    for dataset in Dataset.objects.order_by("-pk")[:limit]:
        yield {"dataset": dataset.key, "title": dataset.title, "language": dataset.language, "labels": dataset.labels}


def attacks(chosen: Filters, limit: int) -> Iterator[Row]:
    for attack in Attack.objects.select_related("dataset").defer("manifest").order_by("-pk")[:limit]:
        yield {"attack": attack.key, "title": attack.title, "dataset": attack.dataset.key, "built": attack.is_built}


def splits(chosen: Filters, limit: int) -> Iterator[Row]:
    for split in Split.objects.select_related("dataset").without_rows().order_by("-pk")[:limit]:
        yield {"split": split.key, "title": split.title, "dataset": split.dataset.key, "method": split.method}


def jobs(chosen: Filters, limit: int) -> Iterator[Row]:
    for job in Job.objects.order_by("-pk")[:limit]:
        yield {
            "job": job.key,
            "title": str(job.title),
            "state": job.state,
            "done": job.done,
            "total": job.total,
            "created_at": job.created_at,
        }


LISTS: dict[str, Callable[[Filters, int], Iterator[Row]]] = {
    "suites": suites, "releases": releases, "models": models, "runs": runs, "campaigns": campaigns, "people": people,
    "links": links, "datasets": datasets, "attacks": attacks, "splits": splits, "jobs": jobs,
}  # fmt: skip
# Which filters a list knows.
FILTERS: dict[str, frozenset[str]] = {
    "suites": frozenset({"suite"}),
    "releases": frozenset({"suite", "release"}),
    "models": frozenset({"model"}),
    "runs": frozenset({"suite", "release", "model"}),
    "campaigns": frozenset({"suite"}),
    "links": frozenset({"suite", "release"}),
}


def _matching(found: QuerySet[Any], chosen: Filters, **paths: str) -> Any:
    """Restrict a list to what was chosen; `paths` lead from its rows to the suite, the release and the model."""
    for name, path in paths.items():
        value = chosen.get(name, "")
        if not value:
            continue
        if name == "release":
            wanted = Release.objects.by_key(value).values("pk")
            found = found.filter(**{f"{path}pk__in" if path == "" else f"{path.removesuffix('__')}__in": wanted})
        elif name == "model":
            found = found.filter(Q(**{f"{path}key": value}) | Q(**{f"{path}name": value}))
        else:
            found = found.filter(**{f"{path}key": value})
    return found
