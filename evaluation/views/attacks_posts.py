"""The posts of an attack and what models answered to them."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from curation.views.templates_shared import texts_are_covered
from evaluation.models import Attack
from evaluation.services.attack_answers import SHOWN, answers_archive, has_answers, posts_of
from evaluation.services.attack_suites import TITLES
from evaluation.services.registry import LABELS

PER_PAGE = 50
FURTHER = {"original": "The test set as it is", "hashtag_check": "Every word a hashtag"}


@login_required
@require_safe
def posts_page(request: HttpRequest, key: str) -> HttpResponse:
    """Posts of one set; of a model only those it got wrong, or all."""
    attack = _attack(request, key)
    sets = attack.manifest.get("sets", {})
    chosen = request.GET.get("set", "") or next((name for name in TITLES if name in sets), "")
    scores = [score for score in attack.scores.current().order_by("name") if has_answers(score)]
    score = next((one for one in scores if str(one.pk) == request.GET.get("model", "")), None)
    show = request.GET.get("show", "") if score else ""
    show = show if show in SHOWN else ("wrong" if score else "all")
    search = request.GET.get("q", "").strip()
    found = posts_of(attack, chosen, score=score, show=show, search=search)
    titles: dict[str, str] = {**FURTHER, **{str(name): title for name, (title, _) in TITLES.items()}}
    context = {
        "attack": attack,
        "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
        "sets": [(name, titles[name]) for name in sets],
        "chosen": chosen,
        "title": titles[chosen],
        "scores": scores,
        "score": score,
        "show": show,
        "q": search,
        "labels": LABELS,
        "covered": texts_are_covered(request),
    }
    return render(request, "evaluation/attacks/posts.html", context)


@login_required
@require_safe
def answers_file(request: HttpRequest, key: str, pk: int) -> HttpResponse:
    """The answer files of one model."""
    attack = _attack(request, key)
    score = get_object_or_404(attack.scores, pk=pk)
    response = HttpResponse(answers_archive(score), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{attack.key}-answers-{score.pk}.zip"'
    return response


def _attack(request: HttpRequest, key: str) -> Attack:
    return get_object_or_404(Attack.objects.visible_to(request.user), key=key)
