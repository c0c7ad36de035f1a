"""Reviewing: the queue, one wording with its differences and cases, the decision, and the history of a template."""

from itertools import pairwise

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.permissions import can_author
from core.text import _
from core.web import author_of, page_of, texts_are_covered
from curation.authoring import reviewing
from curation.authoring.case_changes import change_by
from curation.authoring.models import VersionState
from curation.authoring.pages import find_template
from curation.authoring.preview import preview
from curation.authoring.services import require_newest
from curation.authoring.views.preview import preview_context
from curation.authoring.word_diff import diff_versions
from curation.authoring.wording_checks import fingerprint, texts_of
from curation.models import Template, TemplateVersion


@login_required
@require_safe
def reviews_page(request: HttpRequest) -> HttpResponse:
    """Show what waits for review in the person's languages."""
    by = author_of(request)
    waiting = reviewing.waiting_for(by)
    if wanted := request.GET.get("q", "").strip():
        waiting = waiting.filter(variants__text__icontains=wanted).distinct()
    page = page_of(request, waiting)
    return render(
        request, "curation/reviews.html", {"page": page, "q": wanted, "covered": texts_are_covered(request)}
    )  # fmt: skip


@login_required
@require_safe
def review_page(request: HttpRequest, suite: str, language: str, key: str) -> HttpResponse:
    """Show one wording: what changed, which cases come and go, what was said about it, and the decision."""
    by = author_of(request)
    template = find_template(request, suite, language, key)
    version = require_newest(template)
    approved = _approved(template, version)
    seen = preview(template.suite, template.language, texts_of(version), defaults=version.defaults, template=template)
    waits = version.state == VersionState.SUBMITTED
    context = {
        "template": template,
        "wording": version,  # "version" is the site's own
        "approved": approved,
        "rejected": _rejected_before(template, version) if waits else None,
        "seen_by_reader": fingerprint(version),
        "diffs": diff_versions(approved, version) if approved else [],
        "change": change_by(version) if waits else None,
        "comments": version.comments.select_related("author"),
        "waits": waits,
        "can_write": can_author(by, template.language.code),
        "has_written": reviewing.has_written(by, version),
        "following": _following(by, version) if waits else None,
        "covered": texts_are_covered(request),
        **preview_context(seen, template.suite, template.language),
    }
    return render(request, "curation/review.html", context)


def _approved(template: Template, version: TemplateVersion) -> TemplateVersion | None:
    """Return the wording in force that the version would replace."""
    versions = template.versions.exclude(pk=version.pk).filter(state=VersionState.APPROVED)
    return versions.prefetch_related("variants").first()


def _rejected_before(template: Template, version: TemplateVersion) -> TemplateVersion | None:
    """Return the wording before this one if it was rejected: reviewers check whether it was corrected."""
    before = template.versions.filter(number__lt=version.number).select_related("reviewer").order_by("-number").first()
    return before if before and before.state == VersionState.REJECTED else None


def _following(by: User, version: TemplateVersion) -> TemplateVersion | None:
    """Return what to look at next: the oldest that waits and is not the person's own."""
    return reviewing.waiting_for(by).exclude(author=by).exclude(pk=version.pk).first()


@login_required
@require_POST
def decide(request: HttpRequest, suite: str, language: str, key: str) -> HttpResponse:
    """Approve or reject what the reviewer saw; refuses when the wording changed meanwhile."""
    by = author_of(request)
    template = find_template(request, suite, language, key)
    version = require_newest(template)
    reviewing.require_seen(version, request.POST.get("seen", ""))
    if request.POST.get("decision") == "approve":
        reviewing.approve_version(version, by=by)
        messages.success(request, _("Template %(template)s was approved. Generate its cases next.", template=key))
    else:
        reviewing.reject_version(version, by=by, reason=request.POST.get("reason", ""))
        messages.success(request, _("Template %(template)s was rejected. Its author sees the reason.", template=key))
    following = _following(by, version)
    return redirect(_review_address(following)) if following else redirect(template)


def _review_address(version: TemplateVersion) -> str:
    template = version.template
    return reverse("curation:review", args=[template.suite.key, template.language.code, template.key])


@login_required
@require_POST
def comment(request: HttpRequest, suite: str, language: str, key: str) -> HttpResponse:
    template = find_template(request, suite, language, key)
    number = request.POST.get("version", "")
    version = get_object_or_404(template.versions, number=int(number) if number.isdecimal() else 0)
    version.template = template
    reviewing.comment_on(version, by=author_of(request), text=request.POST.get("text", ""))
    messages.success(request, _("Comment posted."))
    back = "curation:review" if request.POST.get("from") == "review" else "curation:template"
    return redirect(reverse(back, args=[suite, language, key]) + "#comments")


@login_required
@require_safe
def history_page(request: HttpRequest, suite: str, language: str, key: str) -> HttpResponse:
    """Show every version of a template with what it changed."""
    author_of(request)
    template = find_template(request, suite, language, key)
    related = template.versions.select_related("author", "reviewer")
    versions = list(related.prefetch_related("variants", "comments__author").order_by("-number"))
    before = {newer.pk: older for newer, older in pairwise(versions)}
    rows = [(version, diff_versions(before.get(version.pk), version)) for version in versions]
    context = {"template": template, "rows": rows, "covered": texts_are_covered(request)}
    return render(request, "curation/editor_history.html", context)
