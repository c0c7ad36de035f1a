"""The list of releases and the pages of one: what a paper would cite, its cases, documents and changes."""

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from core.models import Job
from core.permissions import can_maintain, can_see_workshop, require_maintainer
from core.text import _, catalogue_names, recall
from core.web import SignedInRequest, texts_are_covered
from curation.cases.models import ExclusionReason
from curation.followed.services import offered_releases
from curation.models import (
    Functionality,
    FunctionalityClass,
    Language,
    Release,
    ReleaseCase,
    ReleaseExclusion,
    Suite,
)
from curation.publishing.citation import bibtex, cite_as
from curation.publishing.records import DATASHEET_SECTIONS, OPEN_POINTS, STATEMENT_SECTIONS
from curation.publishing.statement import labelling_facts
from curation.releases.access import can_read_cases, require_reading
from curation.releases.checklist import checklist
from curation.releases.difference import KINDS, changelog_between, difference_between, release_before
from curation.releases.documents import datasheet_of, imported_documents, statement_of, write_prose
from curation.releases.forms import ProseForm, ReleaseDocumentForm
from curation.releases.frozen import release_head
from curation.releases.lineage import lineage_of
from curation.releases.models import Access, ReleaseState
from curation.releases.records import records_of
from curation.releases.rules import release_warnings
from curation.releases.services import unfinished_build


def find_release(request: HttpRequest, suite: str, version: str) -> Release:
    """Return the release, if the person may see that it exists; otherwise not found."""
    releases = Release.objects.visible_to(request.user).select_related("suite", "withdrawal")
    return get_object_or_404(releases, suite__key=suite, version=version)


@dataclass(frozen=True, slots=True)
class Tab:
    title: str
    url: str
    is_current: bool
    count: int | None = None


def frame(request: HttpRequest, release: Release, current: str) -> dict[str, Any]:
    """Return the context every page of a release needs."""
    names = {"release": _("Overview"), "release-cases": _("Cases"), "release-statement": _("Data statement")}
    names |= {
        "release-datasheet": _("Data sheet"),
        "release-downloads": _("Downloads"),
        "release-changes": _("Changes"),
    }
    may_read = can_read_cases(request.user, release)
    is_built = release.is_built
    hidden = set() if may_read and is_built else {"release-cases", "release-downloads", "release-changes"}
    if not is_built:
        hidden |= {"release-statement", "release-datasheet"}
    if can_maintain(request.user) or release.access == Access.REQUEST:
        names["release-access"] = _("Access")
    if can_maintain(request.user):
        names["release-hubs"] = _("Hubs")
    arguments = [release.suite.key, release.version]
    tabs = [
        Tab(
            title,
            reverse(f"curation:{name}", args=arguments),
            name == current,
            release.facts.get("included") if name == "release-cases" else None,
        )
        for name, title in names.items()
        if name not in hidden
    ]
    return {
        "release": release,
        "tabs": tabs,
        "current": current,
        "may_read": may_read,
        "covered": texts_are_covered(request),
        "may_maintain": can_maintain(request.user),
        "is_built": is_built,
        "is_published": release.state == ReleaseState.PUBLISHED,
        "warnings": release_warnings(release),
        "withdrawal": getattr(release, "withdrawal", None),
        **names_of_keys(),
    }


def names_of_keys() -> dict[str, Any]:
    """Return what people call the keys that releases keep; read only where a page shows them."""
    return {
        "functionality_titles": SimpleLazyObject(
            lambda: catalogue_names(Functionality.objects.values_list("key", "title"))
        ),
        "class_titles": SimpleLazyObject(
            lambda: catalogue_names(FunctionalityClass.objects.values_list("key", "title"))
        ),
        "language_names": SimpleLazyObject(lambda: catalogue_names(Language.objects.values_list("code", "name"))),
        "exclusion_reasons": dict(ExclusionReason.choices),
    }


MOST_OFFERED = 100
SORTS = {
    "suite": ("suite__name", "-created_at"),
    "version": ("version", "suite__name"),
    "published": ("published_at", "created_at"),
    "state": ("state", "-created_at"),
}


def release_list(request: HttpRequest) -> HttpResponse:
    """Everything the person may see, newest first; search, filters and sorting by query string."""
    found = Release.objects.visible_to(request.user).select_related("suite", "withdrawal").defer("prose")
    search, suite, state = (request.GET.get(name, "").strip() for name in ("q", "suite", "state"))
    if search:
        words = Q(suite__name__icontains=search) | Q(suite__key__icontains=search) | Q(title__icontains=search)
        found = found.filter(words | Q(version__icontains=search) | Q(notes__icontains=search))
    if suite:
        found = found.filter(suite__key=suite)
    if state in ReleaseState.values:
        found = found.filter(state=state)
    sort = request.GET.get("sort", "")
    order = SORTS.get(sort.removeprefix("-"), ("-published_at", "-created_at"))
    found = found.order_by(*order)
    if sort.startswith("-") and sort[1:] in SORTS:
        found = found.reverse()
    context = {
        "page": Paginator(found, 25).get_page(request.GET.get("page")),
        "q": search,
        "chosen_suite": suite,
        "chosen_state": state,
        "suites": Suite.objects.visible_to(request.user).order_by("name"),
        "states": ReleaseState.choices,
        "may_see_states": can_see_workshop(request.user),
        "may_maintain": can_maintain(request.user),
        "is_filtered": bool(search or suite or state),
    }
    if not state:
        offered = offered_releases(request.user, words=search, suite=suite)
        context |= {"offered": offered[:MOST_OFFERED], "offered_count": len(offered)}
    return render(request, "curation/releases.html", context)


def release_page(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Description, composition, agreement, downloads, how to cite, what changed; for maintainers the next step."""
    release = find_release(request, suite, version)
    context: dict[str, Any] = frame(request, release, "release")
    job = unfinished_build(release) if not context["is_built"] else None
    if context["is_built"]:
        # An identifier that was recorded after the freezing stands beside the release and not in its files.
        head, records = release_head(release), records_of(release)
        head = replace(head, doi=release.doi or head.doi)
        despite = release.facts.get("published_despite") or {}
        context |= {
            "head": head,
            "citation": cite_as(head),
            "bibtex": bibtex(head, sha256=release.sha256),
            "agreement": records.agreement,
            "labelling": records.labelling,
            "labelled": labelling_facts(head, records),
            "never_labelled": release.facts.get("unlabelled"),
            "statistics": release.facts.get("statistics", {}),
            "before": release_before(release) if context["may_read"] else None,
            "open_points": [OPEN_POINTS.get(name, name) for name in despite.get("open", ())],
        }
    if context["may_maintain"]:
        context |= {"checklist": checklist(release), "job": job, "failure": _failure(release, job)}
    return render(request, "curation/release.html", context)


def release_progress(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """The part of the page that waits for the build; tells htmx to load the page anew when it has ended."""
    release = find_release(request, suite, version)
    job = unfinished_build(release)
    response = render(request, "curation/release_progress.html", {"release": release, "job": job})
    if job is None:
        response["HX-Refresh"] = "true"
    return response


def _failure(release: Release, job: Job | None) -> str:
    return "" if job else str(recall(release.facts.get("failure", "")))


DOCUMENTS = {
    "statement": (_("Data statement"), STATEMENT_SECTIONS, statement_of),
    "datasheet": (_("Data sheet"), DATASHEET_SECTIONS, datasheet_of),
}


def release_document(request: HttpRequest, suite: str, version: str, document: str) -> HttpResponse:
    """A document as it would be exported, or in the language of `?language=`; `?as=markdown` gives its source."""
    release = find_release(request, suite, version)
    context = frame(request, release, f"release-{document}")
    if not context["is_built"]:
        raise Http404
    title, _sections, write = DOCUMENTS[document]
    form, language = _document_language(request)
    if imported_documents(release):  # they came as they are
        form, language = None, "en"
    text = write(release, language)
    if request.GET.get("as") == "markdown":
        return HttpResponse(text, content_type="text/markdown; charset=utf-8")
    # The page has a heading of its own.
    context |= {"document": document, "title": title, "text": text.partition("\n")[2]}
    context |= {"form": form, "language": language}
    return render(request, "curation/release_document.html", context)


def _document_language(request: HttpRequest) -> tuple[ReleaseDocumentForm | None, str]:
    """Return the form that asks for a document's language, and the language; English without an answer."""
    form = ReleaseDocumentForm(request.GET)
    return form, form.chosen.language if form.is_valid() else "en"


@login_required
def release_prose(request: SignedInRequest, suite: str, version: str, document: str) -> HttpResponse:
    """Write the prose of a document, section by section."""
    release = find_release(request, suite, version)
    require_maintainer(request.user)
    title, sections, _write = DOCUMENTS[document]
    if release.state == ReleaseState.PUBLISHED:
        messages.error(request, _("A published release does not change. Write it in the next version."))
        return redirect(f"curation:release-{document}", suite, version)
    form = ProseForm(request.POST or None, initial=release.prose, of=sections)
    if request.method == "POST" and form.is_valid():
        write_prose(release, form.cleaned_data, by=request.user)
        messages.success(request, _("%(document)s saved.", document=title))
        return redirect(f"curation:release-{document}" if release.sha256 else "curation:release", suite, version)
    context = frame(request, release, f"release-{document}") | {"form": form, "document": document, "title": title}
    return render(request, "curation/release_prose.html", context)


def release_changes(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Compare with `?since=VERSION`, or with the release before; `?as=markdown` gives the changelog draft.

    The draft is in English, or in the language of `?language=`.
    """
    release = find_release(request, suite, version)
    require_reading(request.user, release)
    others = (
        Release.objects.visible_to(request.user).filter(suite=release.suite).exclude(pk=release.pk).exclude(sha256="")
    )
    context = frame(request, release, "release-changes") | {"others": others.order_by("-created_at")}
    since = request.GET.get("since", "")
    old = get_object_or_404(others.select_related("suite"), version=since) if since else release_before(release)
    if old is None:
        return render(request, "curation/release_changes.html", context)
    require_reading(request.user, old)
    difference = difference_between(old, release)
    form, language = _document_language(request)
    draft = changelog_between(old, release, difference, language=language)
    if request.GET.get("as") == "markdown":
        return HttpResponse(draft, content_type="text/markdown; charset=utf-8")
    kind = request.GET.get("kind", "")
    if kind not in KINDS:
        kind = next((name for name in KINDS if getattr(difference, name)), "added")
    rows = getattr(difference, kind)
    page = Paginator(rows, 25).get_page(request.GET.get("page"))
    if kind in ("added", "removed"):
        entries = [{"case": case, "reason": difference.reasons.get(case.key, "")} for case in page]
    else:
        entries = [{"case": change.after, "before": change.before, "fields": change.fields} for change in page]
    context |= {
        "old": old,
        "difference": difference,
        "draft": draft,
        "form": form,
        "language": language,
        "kinds": [(name, title, len(getattr(difference, name))) for name, title in KINDS.items()],
        "kind": kind,
        "kind_title": KINDS[kind],
        "page": page,
        "entries": entries,
    }
    return render(request, "curation/release_changes.html", context)


FILTERS = ("language", "functionality", "label")
CASE_SORTS = {"key": "key", "functionality": "functionality", "label": "label", "language": "language"}


def release_cases(request: HttpRequest, suite: str, version: str) -> HttpResponse:
    """Searchable, filterable, sortable; `?show=excluded` lists what was left out and why."""
    release = find_release(request, suite, version)
    require_reading(request.user, release)
    chosen = {name: request.GET.get(name, "") for name in (*FILTERS, "reason", "target")}
    search = request.GET.get("q", "").strip()
    page: Page[Any]
    shows_excluded = request.GET.get("show") == "excluded"
    statistics = release.facts.get("statistics", {})
    if shows_excluded:
        left_out = ReleaseExclusion.objects.filter(release=release).order_by("id")
        left_out = left_out.filter(Q(text__icontains=search) | Q(key=search)) if search else left_out
        left_out = left_out.filter(reason=chosen["reason"]) if chosen["reason"] else left_out
        rows = left_out.filter(**{name: chosen[name] for name in ("language", "functionality") if chosen[name]})
        page = Paginator(rows, 50).get_page(request.GET.get("page"))
    else:
        cases = ReleaseCase.objects.filter(release=release, **{name: chosen[name] for name in FILTERS if chosen[name]})
        cases = cases.filter(Q(text__icontains=search) | Q(key=search)) if search else cases
        sort = request.GET.get("sort", "")
        column = CASE_SORTS.get(sort.removeprefix("-"), "position")
        ordered = cases.order_by(f"-{column}" if sort.startswith("-") else column, "position")
        page = Paginator(ordered, 50).get_page(request.GET.get("page"))
    context = frame(request, release, "release-cases") | {
        "page": page,
        "q": search,
        "chosen": chosen,
        "choices": {name: sorted(statistics.get(f"by_{name}", {})) for name in FILTERS},
        "reasons": [
            (key, title) for key, title in ExclusionReason.choices if key in release.facts["excluded_by_reason"]
        ],
        "shows_excluded": shows_excluded,
        "excluded": release.facts["excluded"],
    }
    return render(request, "curation/release_cases.html", context)


def lineage(request: HttpRequest, suite: str, version: str, key: str) -> HttpResponse:
    """Where one case comes from; the address never changes."""
    release = find_release(request, suite, version)
    found = lineage_of(release, key, viewer=request.user)
    context = frame(request, release, "release-cases") | {"lineage": found, "case": found.case}
    return render(request, "curation/release_lineage.html", context)
