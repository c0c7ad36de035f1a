"""Prompts: which there are, their versions side by side, and writing a new one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from core.options.forms import OptionsForm
from core.permissions import can_author, require_author
from core.text import _
from core.web import page_of
from curation.catalogue.loading import load_catalogue
from curation.models import Functionality, Language
from generation.models import Prompt
from generation.pages import expert_of
from generation.permissions import can_start
from generation.prompts.algorithm.versions import Change
from generation.prompts.options import PromptOptions
from generation.prompts.services import (
    add_version,
    compare,
    load_prompts,
    note_of,
    preview_wording,
    starting_point,
    versions_of,
)
from generation.runs.forms import problems_of

# The fields of a wording, as the page calls them.
FIELDS: dict[str, str] = {
    "skeleton.system": _("System message"),
    "skeleton.task": _("Task"),
    "skeleton.demonstration": _("Text around the demonstration"),
    "skeleton.slurs": _("Text around the slurs"),
    "skeleton.answer": _("Answer format"),
    "instruction.text": _("Instruction"),
    "instruction.demonstration": _("Demonstration"),
    "instruction.uses_slurs": _("Slurs"),
}


class PromptForm(OptionsForm[PromptOptions]):
    options = PromptOptions


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
        prompts = prompts.filter(
            Q(functionality__key__icontains=word)
            | Q(functionality__title__icontains=word)
            | Q(instruction__icontains=word)
        )
    prompts = prompts.order_by("language__name", "functionality__position", "functionality__key")
    context = {
        "page": page_of(request, prompts),
        "languages": Language.objects.filter(prompts__isnull=False).distinct(),
        "language": language,
        "q": wanted,
    }
    return render(request, "generation/prompts.html", context)


@login_required
@require_safe
def prompt_page(request: HttpRequest, language: str, functionality: str) -> HttpResponse:
    """Show the newest version, the history, and what changed between two versions."""
    expert_of(request)
    versions = versions_of(language, functionality)
    by_number = {str(version.number): version for version in versions}
    after = by_number.get(request.GET.get("after", ""), versions[0])
    before = by_number.get(request.GET.get("before", ""))
    if before is None:
        before = next((version for version in versions if version.number < after.number), None)
    context = {
        "prompt": after,
        "before": before,
        "versions": [(version, note_of(version)) for version in versions],
        "changes": _changes(before, after) if before else (),
        "can_write": can_author(request.user, language),
        "can_start": can_start(request.user),
    }
    return render(request, "generation/prompt.html", context)


def _changes(before: Prompt, after: Prompt) -> list[tuple[str, Change]]:
    """Return the fields that differ, with their titles."""
    return [(FIELDS.get(change.field, change.field), change) for change in compare(before, after).changes]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_version(request: HttpRequest, language: str, functionality: str) -> HttpResponse:
    """Write a new version, starting from the newest one."""
    by = expert_of(request)
    about = get_object_or_404(Functionality, key=functionality)
    tongue = get_object_or_404(Language, code=language)
    require_author(by, tongue.code)
    form = PromptForm(request.POST or None, initial=starting_point(about, tongue))
    if request.method == "POST" and form.is_valid():
        try:
            prompt = add_version(about, tongue, form.chosen, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Version %(number)s saved. It is used from now on.", number=prompt.number))
            return redirect(prompt)
    context = {"form": form, "functionality": about, "language": tongue}
    return render(request, "generation/prompt_new.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def preview(request: HttpRequest, language: str, functionality: str) -> HttpResponse:
    """Show what a model would read with this wording; nothing is kept."""
    expert_of(request)
    about = get_object_or_404(Functionality, key=functionality)
    tongue = get_object_or_404(Language, code=language)
    # The note is written at the end.
    form = PromptForm(request.POST.dict() | {"note": request.POST.get("note") or "-"})
    context: dict[str, object] = {"language": tongue}
    if not form.is_valid():
        context["problems"] = problems_of(form)
    else:
        try:
            context["prompt"] = preview_wording(about, tongue, form.chosen)
        except DomainError as error:
            context["problems"] = [str(error)]
    return render(request, "generation/prompt_preview.html", context)
