"""Hypotheses as experts edit them, pass rates as a heat map, and how good the validator is."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import BadInput, DomainError
from core.options.forms import OptionsForm
from core.permissions import can_author, can_maintain
from core.text import _, catalogue_names, ngettext
from core.web import address_of
from curation.catalogue.loading import load_catalogue
from curation.models import Functionality, Language, Suite
from generation.checks.algorithm.checking import DEFAULT_THRESHOLD
from generation.checks.algorithm.rule_tests import RULE_TESTS
from generation.checks.algorithm.transforms import names_of_transforms
from generation.checks.models import RuleSetName
from generation.checks.options import CheckOptions, PublishedWordingOptions, StudyOptions
from generation.checks.studies import Study, start_study, validator_quality
from generation.checks.validating import NO_GROUP, pass_rate_cells
from generation.checks.versions import add_check, check_of, load_published_wording, note_of
from generation.models import CheckVersion, GenerationPlan, GenerationRun
from generation.pages import expert_of, find_run, threshold_of


class CheckForm(OptionsForm[CheckOptions]):
    options = CheckOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("language", Language.objects.values_list("code", "name"))


class PublishedWordingForm(OptionsForm[PublishedWordingOptions]):
    options = PublishedWordingOptions


class StudyForm(OptionsForm[StudyOptions]):
    options = StudyOptions


@login_required
@require_safe
def pass_rates_page(request: HttpRequest) -> HttpResponse:
    expert_of(request)
    suite = get_object_or_404(Suite, key=request.GET["suite"]) if request.GET.get("suite") else None
    runs = GenerationRun.objects.visible_to(request.user)
    if suite is not None:
        runs = runs.filter(suite=suite)
    languages = list(Language.objects.filter(pk__in=GenerationRun.objects.values("language")))
    language = next((item for item in languages if item.code == request.GET.get("language")), None)
    if language is not None:
        runs = runs.filter(language=language)
    context = pass_rate_context(runs, threshold_of(request, DEFAULT_THRESHOLD)) | {
        "suites": list(Suite.objects.filter(generation_runs__isnull=False).distinct()),
        "suite": suite,
        "languages": languages,
        "language": language,
    }
    part = request.headers.get("HX-Request") == "true"
    return render(request, "generation/pass_rates_map.html" if part else "generation/pass_rates.html", context)


def pass_rate_context(runs: Iterable[GenerationRun], threshold: float) -> dict[str, Any]:
    """Return the heat map of runs and the quality of the validator, for a template."""
    found = list(runs)
    cells = pass_rate_cells(found, threshold=threshold)
    titles = catalogue_names(Functionality.objects.values_list("key", "title"))
    groups = sorted({cell.group for cell in cells})
    by_place = {(cell.functionality, cell.group): cell for cell in cells}
    rows = [
        (titles[key], [by_place.get((key, group)) for group in groups])
        for key in dict.fromkeys(cell.functionality for cell in cells)
    ]
    passed, failed = sum(cell.passed for cell in cells), sum(cell.failed for cell in cells)
    quality = validator_quality(found, threshold=threshold)
    return {
        "has_own_thresholds": any(run.thresholds for run in found),
        "threshold": threshold,
        "groups": [_("no group") if group == NO_GROUP else group for group in groups],
        "rows": rows,
        "decided": passed + failed,
        "undecided": sum(cell.undecided for cell in cells),
        "rate": passed / (passed + failed) if passed + failed else None,
        "quality": [(titles.get(key, _("All")), validity) for key, validity in quality.items() if validity.labelled],
    }


@login_required
@require_safe
def checks_page(request: HttpRequest) -> HttpResponse:
    """List the hypotheses that count in a language, functionality by functionality."""
    expert_of(request)
    load_catalogue()
    languages = list(Language.objects.all())
    language = next((item for item in languages if item.code == request.GET.get("language")), None)
    language = language or next(item for item in languages if item.code == "en")
    asked = request.GET.get("rule_set", "")
    rule_set = asked if asked in RuleSetName.values else RuleSetName.TOUCHSTONE
    rows = [(about, check_of(about, language, rule_set)) for about in Functionality.objects.all()]
    context = {
        "languages": languages,
        "language": language,
        "rule_sets": RuleSetName.choices,
        "rule_set": rule_set,
        "rows": rows,
        "form": PublishedWordingForm() if can_maintain(request.user) else None,
    }
    return render(request, "generation/checks.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def check_page(request: HttpRequest, functionality: str) -> HttpResponse:
    """Show the hypotheses of a functionality, with a form for a new version."""
    by = expert_of(request)
    about = get_object_or_404(Functionality, key=functionality)
    code = request.GET.get("language", "")
    language = get_object_or_404(Language, code=code or "en")
    check = check_of(about, language)
    initial: dict[str, Any] = {"language": code}
    if check is not None:
        initial |= {"hypotheses": check.hypotheses, "rule": check.rule}
    form = CheckForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            version = add_check(about, form.chosen, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(
                request,
                _(
                    "Version %(number)s saved. It is used from now on; check earlier candidates again.",
                    number=version.number,
                ),
            )
            return redirect(version)
    context = {
        "functionality": about,
        "language": language,
        "check": check,
        "published": check_of(about, language, RuleSetName.PUBLISHED),
        "versions": [
            (version, note_of(version))
            for version in CheckVersion.objects.filter(functionality=about).select_related("language", "author")
        ],
        "form": form,
        "can_write": can_maintain(by) or can_author(by, language.code),
        "parts": names_of_transforms(),
        "tests": list(RULE_TESTS),
    }
    return render(request, "generation/check.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def load_published(request: HttpRequest) -> HttpResponse:
    """Load the published hypotheses from an uploaded table."""
    by = expert_of(request)
    form = PublishedWordingForm(request.POST, request.FILES)
    if not form.is_valid():
        raise BadInput(_("Choose a file."))
    rows = load_published_wording(form.chosen.file.read(), by=by)
    messages.success(
        request,
        ngettext(
            "The published hypotheses of %(count)s functionality were loaded.",
            "The published hypotheses of %(count)s functionalities were loaded.",
            len(rows),
        ),
    )
    return redirect(f"{reverse('generation:checks')}?rule_set={RuleSetName.PUBLISHED}")


@login_required
@require_POST
def study_run(request: HttpRequest, key: str) -> HttpResponse:
    """Start a validation study with the candidates of a run."""
    return _start_study(request, [find_run(request, key)])


@login_required
@require_POST
def study_plan(request: HttpRequest, key: str) -> HttpResponse:
    """Start a validation study with the candidates of a plan."""
    plan = get_object_or_404(GenerationPlan.objects.visible_to(request.user), key=key)
    return _start_study(request, plan.runs.all())


def _start_study(request: HttpRequest, runs: Iterable[GenerationRun]) -> HttpResponse:
    by = expert_of(request)
    form = StudyForm(request.POST)
    if not form.is_valid():
        raise BadInput(_("Enter the number of candidates for the study."))
    study = start_study(runs, form.chosen, by=by)
    messages.success(
        request,
        ngettext(
            "%(count)s candidate was added to “%(suite)s”: the validator keeps %(kept)s and rejects %(rejected)s. "
            "Start a campaign to have it labelled.",
            "%(count)s candidates were added to “%(suite)s”: the validator keeps %(kept)s and rejects %(rejected)s. "
            "Start a campaign to have them labelled.",
            study.added,
            suite=study.suite.name,
            kept=study.kept,
            rejected=study.rejected,
        ),
    )
    return redirect(_campaign_address(study))


def _campaign_address(study: Study) -> str:
    address = address_of("annotation:campaign-new")
    query = {"suite": study.suite.key, "origins": "llm", "only_unlabelled": "1", "title": study.suite.name[:150]}
    return f"{address}?{urlencode(query)}" if address else reverse("generation:runs")
