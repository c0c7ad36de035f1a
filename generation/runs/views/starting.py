"""A new plan of one or more runs: choose, see the prompts and what they may cost, start."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from core.permissions import require_maintainer
from core.text import _
from curation.catalogue.loading import load_catalogue
from curation.finding import find_suite
from generation.models import GenerationRun
from generation.pages import expert_of, suite_asked_for
from generation.prompts.services import load_prompts
from generation.runs.forms import PlanForm, problems_of
from generation.runs.planning import Plan, estimate_plan, filled_prompts, make_plan, start_plan, suggest_seed
from generation.runs.providers import provider_as_yaml, read_uploaded_provider

EXAMPLE = """kind: chat
name: our server
url: http://127.0.0.1:8080/v1
model: some-model
budget: 2.00
price: {input_per_million: 0.15, output_per_million: 0.60}
temperature: 0.7
max_tokens: 2048
"""


SHOWN = 20  # prompts of a preview


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_run(request: HttpRequest) -> HttpResponse:
    by = expert_of(request)
    require_maintainer(by)
    load_catalogue()
    load_prompts()
    form = PlanForm(request.POST or None, request.FILES or None, initial=usual_choices(request))
    if request.method == "POST" and form.is_valid():
        try:
            runs = start_plan(_plan(form), by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Queued. You can leave this page."))
            return redirect(runs[0].plan or runs[0])
    return render(request, "generation/run_new.html", {"form": form}, status=422 if form.errors else 200)


@login_required
@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """Show what the model will read and what it may cost; nothing is asked."""
    require_maintainer(expert_of(request))
    form = PlanForm(request.POST, request.FILES)
    if not form.is_valid():
        return render(request, "generation/run_preview.html", {"problems": problems_of(form)})
    try:
        plan = _plan(form)
        prompts = [(run, target, prompt) for run in plan.runs for target, prompt in filled_prompts(run)]
        context = {"plan": plan, "prompts": prompts[:SHOWN], "all": len(prompts), "estimate": estimate_plan(plan)}
    except DomainError as error:
        context = {"problems": [str(error)]}
    return render(request, "generation/run_preview.html", context)


def _plan(form: PlanForm) -> Plan:
    chosen = form.chosen
    provider = read_uploaded_provider(chosen.provider_file or chosen.provider)
    return make_plan(find_suite(chosen.suite), chosen, provider=provider)


def usual_choices(request: HttpRequest) -> dict[str, Any]:
    """Return the settings of the last run, because the next one is often similar; the address can say otherwise."""
    last = GenerationRun.objects.visible_to(request.user).select_related("suite", "language").first()
    suite = suite_asked_for(request) if "suite" in request.GET or last is None else last.suite
    initial: dict[str, Any] = {"provider": EXAMPLE}
    if suite is not None:
        codes = list(suite.languages.order_by("code").values_list("code", flat=True))
        initial |= {"suite": suite.key, "seed": suggest_seed(suite), "languages": codes[:1]}
    if last is not None:
        initial |= {"languages": [last.language.code], "nli_model": last.nli_model, "rule_set": last.rule_set}
        initial["provider"] = provider_as_yaml(last.server)
    asked = {"languages": request.GET.getlist("language"), "functionalities": request.GET.getlist("functionality")}
    return initial | {name: values for name, values in asked.items() if values}
