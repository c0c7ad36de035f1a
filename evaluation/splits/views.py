"""Splits and experiments: lists, building, one split with its picture, figures and files, one experiment."""

from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.charts import FORMS, Form, converted
from core.errors import Missing
from core.permissions import can_maintain
from core.tables.problems import Problem
from core.text import _, recall
from evaluation.artefacts.services import archive_of, folder_of
from evaluation.artefacts.views import (
    choose_dataset,
    is_live,
    listed,
    maintainer_of,
    progress_part,
    step_on,
    submitted,
    zip_download,
)
from evaluation.datasets.files.parts import PART_TITLES
from evaluation.models import Dataset, Experiment, Split, SplitMethod
from evaluation.reports.sheets import SHEETS, write_sheet
from evaluation.splits.charts import in_words_of_the_reader
from evaluation.splits.experiments import (
    compare_methods,
    cross_model_matrix,
    explain_drops,
    positive_label,
    request_experiment,
    share_independent_part,
    summarise,
)
from evaluation.splits.forms import ExperimentForm, SplitForm, SplitReleaseForm
from evaluation.splits.releases import request_split_release
from evaluation.splits.services import COLOURS, picture_of, request_split
from evaluation.splits.sheets import experiment_sheet

SORTS = {"title": "title", "dataset": "dataset__title", "method": "method", "created": "created_at"}
FILES = {
    "indices.txt": _("Test and training rows, counted from 0"),
    "train.jsonl": _("Training part as JSON Lines in GenBench's format"),
    "test.jsonl": _("Test part as JSON Lines in GenBench's format"),
    "independent.jsonl": _("Independent part as JSON Lines in GenBench's format"),
    "eval_card.md": _("GenBench's evaluation card, filled in as far as possible"),
    "report.json": _("All figures of this page"),
    "vectors.npy": _("Vectors, one row per example, which other splits can use"),
}
PICTURES = {"pca": _("principal components"), "umap": "UMAP"}
PROPERTIES = {
    "unigram_overlap": _("Shared words"),
    "test_length": _("Longer texts"),
    "rare_words_difference": _("More rare words"),
    "under_represented_keywords": _("Keywords rarer in training"),
    "under_represented_groups": _("Groups rarer in training"),
    "source_divergence": _("Divergence of sources"),
}


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
        return choose_dataset(
            request, datasets, what="splits", list_title=_("Splits"), needs=_("Any labelled data can be split.")
        )
    dataset = get_object_or_404(datasets, key=chosen)
    form = SplitForm(request.POST or None, request.FILES or None, dataset=dataset)
    return submitted(
        request,
        form,
        lambda: request_split(dataset, form.chosen, by=by),
        "evaluation/splits/new.html",
        {"dataset": dataset},
    )


@login_required
@require_safe
def split_page(request: HttpRequest, key: str) -> HttpResponse:
    """Picture, figures, files; asked by htmx, only how far the work is."""
    split = _split(request, key)
    context: dict[str, Any] = {"split": split, "artefact": split, "doing": _("Building the split")}
    context["is_live"] = is_live(split.job) and not split.is_built
    if part := progress_part(request, context):
        return part
    if split.is_built:
        report = recall(split.report)
        parts = [("train", "train_class_counts"), ("test", "class_counts"), ("independent", "independent_class_counts")]
        context |= {
            "report": report,
            "counts": [
                (PART_TITLES[name], report[name], [report[field].get(label, 0) for label in split.dataset.labels])
                for name, field in parts
                if report[name]
            ],
            "pictures": [colour for colour in COLOURS if picture_of(split, colour)],
            "picture_by": PICTURES.get(split.choices.get("picture", "pca"), ""),
            "releases": split.suite.releases.order_by("-created_at") if split.suite else [],
            "experiments": split.experiments.order_by("-created_at"),
            "release_form": None if split.suite else SplitReleaseForm.for_split(split),
            "files": [(name, meaning) for name, meaning in FILES.items() if name in report["files"]],
            "problems": [Problem(**one).sentences for one in report["problems"]],
            "topics": [(PART_TITLES[name], words) for name, words in report["topics"].items()],
        }
    context["may_maintain"] = can_maintain(request.user)
    return render(request, "evaluation/splits/split.html", context)


@login_required
@require_POST
def release_split(request: HttpRequest, key: str) -> HttpResponse:
    """Make the split a release; publishing it is the next step, on the release's page."""
    by, split = maintainer_of(request), _split(request, key, rows=True)
    form = SplitReleaseForm(request.POST)
    return step_on(request, split, form, lambda _: request_split_release(split, form.chosen, by=by))


@login_required
@require_safe
def picture(request: HttpRequest, key: str, colour: str, form: str) -> HttpResponse:
    """The drawing as SVG, PDF or PNG, with the reader's words."""
    path = picture_of(_split(request, key), colour)
    if path is None:
        raise Missing(_("There is no such picture. Only splits made from vectors are drawn, by part and by label."))
    drawn = path.read_text(encoding="utf-8")
    content = in_words_of_the_reader(drawn) if colour == "part" else drawn
    if form not in FORMS:
        raise Missing(_("There is no format '%(format)s'. Choose from: %(known)s.", format=form, known=list(FORMS)))
    return HttpResponse(converted(content, cast(Form, form)), content_type=FORMS[form])


@login_required
@require_safe
def download(request: HttpRequest, key: str, name: str = "") -> HttpResponseBase:
    """One file, or everything as an archive."""
    split = _split(request, key)
    if not name:
        return zip_download(split.key, archive_of(split))
    if name not in FILES or not (folder_of(split) / name).is_file():
        raise Missing(_("The split has no file '%(file)s'.", file=name))
    return FileResponse((folder_of(split) / name).open("rb"), as_attachment=True, filename=f"{split.key}-{name}")


def _split(request: HttpRequest, key: str, *, rows: bool = False) -> Split:
    found = Split.objects.visible_to(request.user).select_related("dataset", "job", "created_by", "suite")
    return get_object_or_404(found if rows else found.without_rows(), key=key)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_experiment(request: HttpRequest, key: str) -> HttpResponse:
    """Choose splits of a data set and what to train."""
    by = maintainer_of(request)
    dataset = get_object_or_404(Dataset.objects.visible_to(by), key=key)
    form = ExperimentForm(request.POST or None, dataset=dataset)

    def act() -> Experiment:
        splits = dataset.splits.built().filter(key__in=form.chosen.splits)
        return request_experiment(list(splits), form.chosen, by=by)

    context = {"dataset": dataset, "has_splits": dataset.splits.built().exists()}
    return submitted(request, form, act, "evaluation/splits/experiment_new.html", context)


@login_required
@require_safe
def experiment_page(request: HttpRequest, key: str) -> HttpResponse:
    """Mean and standard error per split, the drop against random, other trainers beside it."""
    found = Experiment.objects.visible_to(request.user).select_related("dataset", "job")
    experiment = get_object_or_404(found.with_results(), key=key)
    context: dict[str, Any] = {"experiment": experiment, "artefact": experiment, "doing": _("Training")}
    context["is_live"] = is_live(experiment.job)
    if part := progress_part(request, context):
        return part
    siblings = list(found.filter(dataset=experiment.dataset))
    matrix = cross_model_matrix(siblings)
    rows = summarise(experiment)
    context |= {
        "rows": rows,
        "sheets": list(SHEETS) if rows else [],
        "same_independent": share_independent_part([row["split"] for row in rows]),
        "methods": compare_methods(experiment),
        "correlations": _told(explain_drops(experiment)),
        "matrix": matrix,
        "trainers": list(next(iter(matrix.values()))) if matrix else [],
        "positive": positive_label(experiment),
        "wanted": experiment.splits.count() * len(experiment.seeds),
    }
    return render(request, "evaluation/splits/experiment.html", context)


@login_required
@require_safe
def results_sheet(request: HttpRequest, key: str, form: str) -> HttpResponse:
    """The results for a paper: LaTeX, PDF, PNG or SVG."""
    found = Experiment.objects.visible_to(request.user).select_related("dataset", "job")
    experiment = get_object_or_404(found.with_results(), key=key)
    content = write_sheet(experiment_sheet(experiment), form)
    response = HttpResponse(content, content_type=SHEETS[form])
    response["Content-Disposition"] = f'attachment; filename="{experiment.key}-results.{form}"'
    return response


def _told(correlations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With words for people; nothing where every one is undefined."""
    if all(row["r"] is None for row in correlations):
        return []
    return [{**row, "title": PROPERTIES[row["property"]]} for row in correlations]
