"""A new run: choose, see the prompt and what it may cost, start."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models.functions import Lower
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import DomainError
from core.inference.servers import MOST_SEED
from core.permissions import require_maintainer
from curation.catalogue.loading import load_catalogue
from curation.models import Functionality, Language, ProtectedGroup, Suite
from generation.models import GenerationRun, Prompt
from generation.pages import expert_of
from generation.prompts.services import load_prompts
from generation.runs.groups import find_targets
from generation.runs.planning import RunPlan, estimate_run, filled_prompts, plan_run, start_run, suggest_seed
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


class NewRunForm(forms.Form):
    suite = forms.ModelChoiceField(Suite.objects.none(), to_field_name="key", label="Suite")
    language = forms.ModelChoiceField(Language.objects.none(), to_field_name="code", label="Language")
    functionality = forms.ModelChoiceField(Functionality.objects.none(), to_field_name="key", label="Functionality")
    groups = forms.ModelMultipleChoiceField(
        ProtectedGroup.objects.order_by(Lower("name")),
        to_field_name="key",
        label="Groups",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Functionalities about nobody in particular need none.",
    )
    wanted = forms.IntegerField(label="Messages per group", min_value=1, max_value=10_000, initial=20)
    per_request = forms.IntegerField(label="Messages per request", min_value=1, max_value=50, initial=10)
    seed = forms.IntegerField(
        label="Seed",
        min_value=0,
        max_value=MOST_SEED,
        required=False,
        help_text="Empty: one that has not been used yet.",
    )
    nli_model = forms.CharField(
        label="Inference model",
        required=False,
        help_text="Folder or hub id of a model that checks the messages. Empty: screening only.",
    )
    provider_file = forms.FileField(label="Provider file", required=False, help_text="YAML; or write it below.")
    provider = forms.CharField(
        label="Provider",
        required=False,
        widget=forms.Textarea(attrs={"rows": 9, "spellcheck": "false", "class": "code"}),
        help_text="Name the key by a variable of the server that ends in _API_KEY: api_key: ${OUR_API_KEY}.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        with_prompt = Prompt.objects.values("functionality")
        self.fields["suite"].queryset = Suite.objects.all()  # type: ignore[attr-defined]
        self.fields["language"].queryset = Language.objects.filter(suites__isnull=False).distinct()  # type: ignore[attr-defined]
        self.fields["functionality"].queryset = Functionality.objects.filter(pk__in=with_prompt)  # type: ignore[attr-defined]

    def clean_provider_file(self) -> str:
        uploaded = self.cleaned_data["provider_file"]
        if uploaded is None:
            return ""
        if uploaded.size > 64_000:
            raise forms.ValidationError("A provider file is a page of YAML; this one is larger than 64 kB.")
        try:
            return str(uploaded.read().decode("utf-8"))
        except UnicodeDecodeError as error:
            raise forms.ValidationError("The file is not UTF-8 text. Save it as UTF-8.") from error

    def plan(self) -> RunPlan:
        """The run as it was chosen. Refuses what cannot work, in one sentence."""
        asked = self.cleaned_data
        provider = read_uploaded_provider(asked["provider_file"] or asked["provider"])
        seed = asked["seed"]
        if seed is None:
            seed = suggest_seed(asked["suite"], asked["functionality"])
        return plan_run(
            asked["suite"],
            asked["language"],
            asked["functionality"],
            targets=find_targets(asked["language"], [group.key for group in asked["groups"]]),
            provider=provider,
            wanted=asked["wanted"],
            per_request=asked["per_request"],
            seed=seed,
            nli_model=asked["nli_model"],
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_run(request: HttpRequest) -> HttpResponse:
    by = expert_of(request)
    require_maintainer(by)
    load_catalogue()
    load_prompts()
    if request.method != "POST":
        return render(request, "generation/run_new.html", {"form": NewRunForm(initial=usual_choices(request))})
    form = NewRunForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            run = start_run(form.plan(), by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "The run is queued. You can leave this page.")
            return redirect(run)
    return render(request, "generation/run_new.html", {"form": form}, status=422)


@login_required
@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """What the model will read and what it may cost; nothing is asked."""
    require_maintainer(expert_of(request))
    form = NewRunForm(request.POST, request.FILES)
    if not form.is_valid():
        named = {name: errors for name, errors in form.errors.items() if name in form.fields}
        problems = [f"{form.fields[name].label}: {errors[0]}" for name, errors in named.items()]
        return render(request, "generation/run_preview.html", {"problems": problems})
    try:
        plan = form.plan()
        context = {"plan": plan, "prompts": filled_prompts(plan), "estimate": estimate_run(plan)}
    except DomainError as error:
        context = {"problems": [str(error)]}
    return render(request, "generation/run_preview.html", context)


def usual_choices(request: HttpRequest) -> dict[str, Any]:
    """The settings of the last run, because the next one is usually much like it; the address can say otherwise."""
    last = GenerationRun.objects.visible_to(request.user).select_related("suite", "language").first()
    first_suite = Suite.objects.order_by("name").first()
    initial: dict[str, Any] = {"provider": EXAMPLE, "suite": first_suite.key if first_suite else ""}
    if last is not None:
        initial |= {"suite": last.suite.key, "language": last.language.code, "nli_model": last.nli_model}
        initial["provider"] = provider_as_yaml(last.server)
    elif first_suite is not None and (language := first_suite.languages.first()):
        initial["language"] = language.code
    return initial | {name: request.GET[name] for name in ("suite", "language", "functionality") if name in request.GET}
