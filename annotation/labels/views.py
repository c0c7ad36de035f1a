"""Pages for sending cases to other tools and for taking an import of labels back."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.labels.exporting import label_download
from annotation.labels.forms import LabelExportForm, TakeBackForm, ToolExportForm
from annotation.labels.reversing import effect_in_words, take_import_back
from annotation.labels.sending import tool_archive
from annotation.permissions import find_managed_campaign, find_suite, hidden_from, require_manager
from core.errors import DomainError
from core.text import ngettext
from core.web import SignedInRequest


@login_required
@require_safe
def send_cases(request: SignedInRequest, key: str) -> HttpResponse:
    """Choose a tool and cases, and download the files; `?campaign=` chooses one beforehand."""
    suite = find_suite(request.user, key)
    require_manager(request.user)
    is_asked = "tool" in request.GET
    form = ToolExportForm(request.GET if is_asked else None, initial={"campaign": request.GET.get("campaign", "")})
    form.offer_rows_of(suite)
    if is_asked and form.is_valid():
        try:
            name, content = tool_archive(suite, form.chosen)
        except DomainError as error:
            field = error.fields.get("field")
            form.add_error(field if field in form.fields else None, str(error))
        else:
            headers = {"Content-Disposition": f'attachment; filename="{name}"'}
            return HttpResponse(content, content_type="application/zip", headers=headers)
    context = {"suite": suite, "form": form}
    status = 422 if is_asked else 200
    return render(request, "annotation/manage/send_cases.html", context, status=status)


@login_required
@require_safe
def export_labels(request: SignedInRequest, key: str) -> HttpResponseBase:
    """Choose a campaign and a kind of file, and download the labels; `?campaign=` chooses one beforehand."""
    suite = find_suite(request.user, key)
    is_asked = "kind" in request.GET
    form = LabelExportForm(request.GET if is_asked else None, initial={"campaign": request.GET.get("campaign", "")})
    hidden = hidden_from(request.user)
    form.offer_campaigns(suite, without=hidden)
    if is_asked and form.is_valid():
        download = label_download(suite, form.chosen, without=list(hidden))
        headers = {"Content-Disposition": f'attachment; filename="{download.name}"'}
        return StreamingHttpResponse(download.content, content_type=download.content_type, headers=headers)
    context = {"suite": suite, "form": form}
    return render(request, "annotation/manage/export_labels.html", context, status=422 if is_asked else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def take_back(request: SignedInRequest, key: str) -> HttpResponse:
    """Say what taking an import back does, then do it with a reason."""
    campaign = find_managed_campaign(request.user, key)
    form = TakeBackForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        effect = take_import_back(campaign, by=request.user, reason=form.chosen.reason)
        messages.success(
            request,
            ngettext(
                "The import was taken back. %(count)s label no longer counts.",
                "The import was taken back. %(count)s labels no longer count.",
                effect.labels,
            ),
        )
        return redirect(campaign)
    effect = take_import_back(campaign, by=request.user, dry_run=True)
    context = {"campaign": campaign, "form": form, "sentences": effect_in_words(effect)}
    return render(request, "annotation/manage/take_back.html", context, status=422 if form.errors else 200)
