"""Pictures of some models: the tab of the results, and the files."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.charts import FORMS, THEMES
from core.extras import is_installed
from evaluation.models import EvaluationRun
from evaluation.reports.pictures import MOST_MODELS, PICTURES
from evaluation.reports.pictures.drawing import is_drawable
from evaluation.results.options import PictureOptions
from evaluation.results.pictures import make_picture
from evaluation.results.reporting import runs_by_key, titled
from evaluation.results.sharing import open_link


def pictures_tab(request: HttpRequest, runs: Sequence[EvaluationRun], *, link: str = "") -> dict[str, Any]:
    """`?tab=pictures&picture=forest&of=run&of=run`: the chosen picture and what else can be drawn."""
    by_title = titled(runs)
    kind = request.GET.get("picture", "")
    kind = kind if kind in PICTURES else next(iter(PICTURES))
    drawn = _chosen(runs, request.GET.getlist("of"), 2 if kind == "dumbbell" else MOST_MODELS)
    asked = [(name, value) for name in ("release", "model") for value in request.GET.getlist(name)]
    return {
        "pictures": PICTURES,
        "picture": kind,
        "by_title": by_title,
        "drawn": drawn,
        "kept": asked,
        "is_drawable": is_drawable(kind, {run.key: run.report.values for run in drawn}),
        "can_draw": is_installed("altair", "vl_convert"),
        "themes": THEMES,
        "forms": FORMS,
        "most": 2 if kind == "dumbbell" else MOST_MODELS,
        "picture_query": urlencode([*([("link", link)] if link else []), *(("run", run.key) for run in drawn)]),
    }


def _chosen(runs: Sequence[EvaluationRun], keys: Sequence[str], most: int) -> list[EvaluationRun]:
    return [run for run in runs if not keys or run.key in keys][:most]


@require_safe
def picture_file(request: HttpRequest, kind: str) -> HttpResponse:
    """`?run=key&run=key`, or `?link=token`: a picture of these runs as a file."""
    among = EvaluationRun.objects.visible_to(request.user)
    asked = request.GET.getlist("run")
    token = request.GET.get("link", "")
    runs = [run for run in open_link(token)[1] if not asked or run.key in asked] if token else []
    runs = runs or runs_by_key(asked, among=among)
    chosen = PictureOptions.given({name: request.GET[name] for name in PICTURE_FACTS if name in request.GET})
    picture = make_picture(runs[0].release, runs, kind, chosen)
    response = HttpResponse(picture.content, content_type=picture.content_type)
    response["Cache-Control"] = "private, max-age=3600"
    response["Content-Disposition"] = f'inline; filename="{picture.name}"'
    return response


PICTURE_FACTS = ("file_format", "theme", "language")
