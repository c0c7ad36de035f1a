"""Prompts: which there are, their versions side by side, and writing a new one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import BadInput
from core.permissions import can_author, require_author
from core.web import page_of
from curation.catalogue.loading import load_catalogue
from curation.models import Functionality, Language
from generation.models import Prompt
from generation.pages import expert_of
from generation.permissions import can_start
from generation.prompts.services import PromptDraft, add_version, compare, load_prompts, preview_draft


class PromptForm(forms.Form):
    instruction = forms.CharField(
        label="Instruction",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What the messages shall do, as the end of “Write messages that …”. {group} stands for the group.",
    )
    demonstration = forms.CharField(
        label="Demonstration", required=False, widget=forms.Textarea(attrs={"rows": 2}), help_text="One mild example."
    )
    uses_slurs = forms.BooleanField(label="Gives the model a list of slurs", required=False)
    slurs = forms.CharField(
        label="Slurs", required=False, help_text="Separated by commas. Empty: those of the group in the lexicon."
    )
    system = forms.CharField(label="System message", widget=forms.Textarea(attrs={"rows": 4}))
    task = forms.CharField(label="Task", help_text="Holds {count} and {instruction}.")
    demonstration_part = forms.CharField(
        label="Around the demonstration", widget=forms.Textarea(attrs={"rows": 2}), help_text="Holds {demonstration}."
    )
    slurs_part = forms.CharField(label="Around the slurs", help_text="Holds {slurs}.")
    answer = forms.CharField(
        label="Form of the answer", widget=forms.Textarea(attrs={"rows": 2}), help_text="May hold {count}."
    )
    note = forms.CharField(label="What changed and why", max_length=300)

    def draft(self) -> PromptDraft:
        asked = dict(self.cleaned_data)
        asked["slurs"] = tuple(word.strip() for word in asked["slurs"].split(",") if word.strip())
        return PromptDraft(**asked)


@login_required
@require_safe
def prompts_page(request: HttpRequest) -> HttpResponse:
    expert_of(request)
    load_catalogue()
    load_prompts()
    language = request.GET.get("language", "")
    wanted = request.GET.get("q", "").strip()
    prompts = Prompt.objects.newest().select_related("language", "functionality").defer("system", "skeleton")
    if language:
        prompts = prompts.filter(language__code=language)
    for word in wanted.split()[:8]:
        prompts = prompts.filter(functionality__key__icontains=word) | prompts.filter(instruction__icontains=word)
    prompts = prompts.order_by("language__name", "functionality__position", "functionality__key")
    context = {
        "page": page_of(request, prompts),
        "languages": Language.objects.filter(prompts__isnull=False).distinct(),
        "language": language,
        "q": wanted,
    }
    return render(request, "generation/prompts.html", context)


def versions_of(language: str, functionality: str) -> list[Prompt]:
    """All versions, newest first; 404 where there is no prompt."""
    found = Prompt.objects.filter(language__code=language, functionality__key=functionality)
    versions = list(found.select_related("language", "functionality", "author").order_by("-number"))
    if not versions:
        raise Http404
    return versions


@login_required
@require_safe
def prompt_page(request: HttpRequest, language: str, functionality: str) -> HttpResponse:
    """The newest version, the history, and what changed between two versions."""
    expert_of(request)
    load_prompts()
    versions = versions_of(language, functionality)
    by_number = {str(version.number): version for version in versions}
    after = by_number.get(request.GET.get("after", ""), versions[0])
    before = by_number.get(request.GET.get("before", ""))
    if before is None:
        before = next((version for version in versions if version.number < after.number), None)
    context = {
        "prompt": after,
        "before": before,
        "versions": versions,
        "changes": compare(before, after).changes if before else (),
        "can_write": can_author(request.user, language),
        "can_start": can_start(request.user),
    }
    return render(request, "generation/prompt.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_version(request: HttpRequest, language: str, functionality: str) -> HttpResponse:
    """Write a new version, starting from the newest one, or from the English one where the language has none."""
    by = expert_of(request)
    about = get_object_or_404(Functionality, key=functionality)
    tongue = get_object_or_404(Language, code=language)
    require_author(by, tongue.code)
    form = PromptForm(request.POST or None, initial=_initial(about, tongue))
    if request.method == "POST" and form.is_valid():
        try:
            prompt = add_version(about, tongue, form.draft(), by=by)
        except BadInput as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Version {prompt.number} is kept and used from now on.")
            return redirect(prompt)
    context = {"form": form, "functionality": about, "language": tongue}
    return render(request, "generation/prompt_new.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def preview(request: HttpRequest, language: str, functionality: str) -> HttpResponse:
    """What a model would read with the wording as it stands; nothing is kept."""
    expert_of(request)
    about = get_object_or_404(Functionality, key=functionality)
    tongue = get_object_or_404(Language, code=language)
    form = PromptForm(request.POST)
    form.fields["note"].required = False  # said at the end
    context: dict[str, object] = {"language": tongue}
    if not form.is_valid():
        context["problems"] = [f"{form.fields[name].label}: {errors[0]}" for name, errors in form.errors.items()]
    else:
        try:
            context["prompt"] = preview_draft(about, tongue, form.draft())
        except BadInput as error:
            context["problems"] = [str(error)]
    return render(request, "generation/prompt_preview.html", context)


def _initial(functionality: Functionality, language: Language) -> dict[str, Any]:
    known = Prompt.objects.filter(functionality=functionality)
    start = (
        known.filter(language=language).order_by("-number").first()
        or known.filter(language__code="en").order_by("-number").first()
        or Prompt.objects.filter(language=language).order_by("-number").first()
    )
    if start is None:
        return {}
    is_same = start.functionality_id == functionality.pk
    return {
        "system": start.system,
        "task": start.skeleton["task"],
        "demonstration_part": start.skeleton["demonstration"],
        "slurs_part": start.skeleton["slurs"],
        "answer": start.skeleton["answer"],
        "instruction": start.instruction if is_same else "",
        "demonstration": start.demonstration if is_same else "",
        "uses_slurs": start.uses_slurs if is_same else False,
        "slurs": ", ".join(start.slurs) if is_same else "",
    }
