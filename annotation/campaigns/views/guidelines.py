"""Guidelines: what there is in each language, one version to read, and writing the next one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.campaigns.forms import GuidelineForm
from annotation.campaigns.guidelines import load_guidelines, newest_guideline, write_guideline
from annotation.models import Guideline
from core.errors import DomainError
from core.permissions import can_author, require_author, require_workshop
from core.text import _
from core.web import SignedInRequest
from curation.models import Language


@login_required
@require_safe
def guidelines(request: SignedInRequest) -> HttpResponse:
    """Every language with its newest version."""
    require_workshop(request.user)
    load_guidelines()
    rows = Guideline.objects.newest_first().select_related("language", "created_by")
    newest: dict[int, Guideline] = {}
    for one in rows.defer("text"):
        newest.setdefault(one.language_id, one)
    others = Language.objects.exclude(pk__in=newest).order_by("name")
    without = [language for language in others if can_author(request.user, language.code)]
    return render(request, "annotation/manage/guidelines.html", {"rows": list(newest.values()), "without": without})


@login_required
@require_safe
def guideline(request: SignedInRequest, language: str) -> HttpResponse:
    """One version as annotators read it, and the list of all."""
    require_workshop(request.user)
    versions = list(Guideline.objects.filter(language__code=language).select_related("language").order_by("-version"))
    if not versions:
        raise Http404
    asked = request.GET.get("version", "")
    shown = next((one for one in versions if str(one.version) == asked), versions[0])
    context = {"shown": shown, "versions": versions, "may_write": can_author(request.user, language)}
    return render(request, "annotation/manage/guideline.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_guideline(request: SignedInRequest, language: str) -> HttpResponse:
    """Write the next version, starting from the newest. Earlier ones stay: they are what earlier labels mean."""
    tongue = get_object_or_404(Language, code=language)
    require_author(request.user, tongue.code)
    newest = newest_guideline(tongue)
    initial = {"title": newest.title, "text": newest.text} if newest else {}
    form = GuidelineForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            made = write_guideline(tongue, by=request.user, **form.cleaned_data)
        except DomainError as error:
            form.add_error("text", str(error))
        else:
            messages.success(
                request,
                _(
                    "Version %(version)s saved. New campaigns use it; running campaigns keep theirs.",
                    version=made.version,
                ),
            )
            return redirect("annotation:guideline", language=tongue.code)
    context = {"form": form, "language": tongue, "newest": newest}
    return render(request, "annotation/manage/guideline_new.html", context)
