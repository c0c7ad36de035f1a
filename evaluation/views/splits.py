"""Splits: list, building, one split with picture, figures and files."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from curation.errors import DomainError, Missing
from curation.permissions import can_maintain
from evaluation.models import Dataset, Split, SplitMethod
from evaluation.services.split_releases import request_split_release
from evaluation.services.splitting import COLOURS, archive_of, folder_of, picture_of, request_split
from evaluation.views.listing import is_live, listed
from evaluation.views.people import maintainer_of
from evaluation.views.splits_forms import SplitForm, SplitReleaseForm

SORTS = {"title": "title", "dataset": "dataset__title", "method": "method", "created": "created_at"}
FILES = {
    "indices.txt": ("Rows", "Test and training rows, counted from 0"),
    "train.jsonl": ("Training part", "JSON Lines in GenBench's form"),
    "test.jsonl": ("Test part", "JSON Lines in GenBench's form"),
    "independent.jsonl": ("Independent part", "JSON Lines in GenBench's form"),
    "eval_card.md": ("Evaluation card", "GenBench's five axes, prefilled"),
    "report.json": ("Report", "All figures of this page"),
    "vectors.npy": ("Vectors", "One row per example, to be used again"),
}
PICTURES = {"pca": "principal components", "umap": "UMAP"}


@login_required
@require_safe
def splits_page(request: HttpRequest) -> HttpResponse:
    """Splits the person may see."""
    found = Split.objects.visible_to(request.user).without_rows().select_related("dataset", "job")
    words, method = request.GET.get("q", "").strip(), request.GET.get("method", "")
    if words:
        found = found.filter(Q(title__icontains=words) | Q(dataset__title__icontains=words))
    if method in SplitMethod.values:
        found = found.filter(method=method)
    context = {
        "page": listed(request, found, sorts=SORTS, default="-created_at"),
        "q": words,
        "methods": SplitMethod.choices,
        "chosen": method,
        "may_maintain": can_maintain(request.user),
    }
    return render(request, "evaluation/splits/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_split(request: HttpRequest) -> HttpResponse:
    """Choose the data, then how to split it."""
    by = maintainer_of(request)
    datasets = Dataset.objects.visible_to(by).order_by("title")
    chosen = request.GET.get("dataset", "")
    if not chosen:
        return render(request, "evaluation/splits/choose.html", {"datasets": datasets})
    dataset = get_object_or_404(datasets, key=chosen)
    form = SplitForm(dataset, request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            split = request_split(dataset, by=by, **form.choices())
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            return redirect(split)
    status = 422 if form.errors else 200
    return render(request, "evaluation/splits/new.html", {"form": form, "dataset": dataset}, status=status)


@login_required
@require_safe
def split_page(request: HttpRequest, key: str) -> HttpResponse:
    """Picture, figures, files; asked by htmx, only how far the work is."""
    split = _split(request, key)
    context: dict[str, object] = {"split": split, "is_live": is_live(split.job) and not split.is_built}
    if request.headers.get("HX-Request"):
        response = render(request, "evaluation/splits/progress.html", context)
        if not context["is_live"]:
            response["HX-Refresh"] = "true"
        return response
    if split.is_built:
        report = split.report
        parts = [("train", "train_class_counts"), ("test", "class_counts"), ("independent", "independent_class_counts")]
        context |= {
            "report": report,
            "counts": [
                (name, report[name], [report[field].get(label, 0) for label in split.dataset.labels])
                for name, field in parts
                if report[name]
            ],
            "pictures": [colour for colour in COLOURS if picture_of(split, colour)],
            "picture_by": PICTURES.get(split.choices.get("picture", "pca"), ""),
            "releases": split.suite.releases.order_by("-created_at") if split.suite else [],
            "experiments": split.experiments.order_by("-created_at"),
            "release_form": None if split.suite else SplitReleaseForm.for_split(split),
            "files": [(name, *FILES[name]) for name in FILES if name in report["files"]],
        }
    context["may_maintain"] = can_maintain(request.user)
    return render(request, "evaluation/splits/split.html", context)


@login_required
@require_POST
def release_split(request: HttpRequest, key: str) -> HttpResponse:
    """Make the split a release; publishing it is the next step, on the release's page."""
    by, split = maintainer_of(request), _split(request, key, rows=True)
    form = SplitReleaseForm(request.POST)
    if form.is_valid():
        try:
            return redirect(request_split_release(split, by=by, **form.facts()))
        except DomainError as error:
            messages.error(request, str(error))
    for field, errors in form.errors.items():
        messages.error(request, f"{form.fields[field].label or field.capitalize()}: {' '.join(map(str, errors))}")
    return redirect(split)


@login_required
@require_safe
def picture(request: HttpRequest, key: str, colour: str) -> HttpResponseBase:
    """The drawing as SVG."""
    path = picture_of(_split(request, key), colour)
    if path is None:
        raise Missing("There is no such picture: only splits made from vectors are drawn.")
    return FileResponse(path.open("rb"), content_type="image/svg+xml")


@login_required
@require_safe
def download(request: HttpRequest, key: str, name: str = "") -> HttpResponseBase:
    """One file, or everything as an archive."""
    split = _split(request, key)
    if not name:
        response = HttpResponse(archive_of(split), content_type="application/zip")
        response["Content-Disposition"] = f'attachment; filename="{split.key}.zip"'
        return response
    if name not in FILES or not (folder_of(split) / name).is_file():
        raise Missing(f"The split has no file '{name}'.")
    return FileResponse((folder_of(split) / name).open("rb"), as_attachment=True, filename=f"{split.key}-{name}")


def _split(request: HttpRequest, key: str, *, rows: bool = False) -> Split:
    found = Split.objects.visible_to(request.user).select_related("dataset", "job", "created_by", "suite")
    return get_object_or_404(found if rows else found.without_rows(), key=key)
