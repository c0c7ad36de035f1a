"""Attacks: list, one attack with its scores, its files."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from curation.errors import DomainError
from curation.permissions import can_maintain
from evaluation.attack_charts import ROWS, draw_dots
from evaluation.models import Attack, Dataset, DetectionModel, ModelVersion
from evaluation.services.attack_recipes import NO_LEXICON
from evaluation.services.attack_scores import POLICIES, find_policy
from evaluation.services.attack_store import archive_of
from evaluation.services.attack_table import PASS_MARK, cells_of, compare_with_suites, score_rows
from evaluation.services.costing import estimate_attack
from evaluation.views.attacks_forms import AnswersForm, ModelForm, SuiteForm
from evaluation.views.listing import is_live, listed
from evaluation.views.people import maintainer_of

SORTS = {"title": "title", "dataset": "dataset__title", "created": "created_at"}


@login_required
@require_safe
def attacks_page(request: HttpRequest) -> HttpResponse:
    """Attacks the person may see."""
    found = Attack.objects.visible_to(request.user).select_related("dataset", "job")
    found = found.annotate(
        model_count=Count("scores", filter=~Q(scores__values={}) & Q(scores__replaced_at__isnull=True))
    )
    words, dataset = request.GET.get("q", "").strip(), request.GET.get("dataset", "")
    if words:
        found = found.filter(Q(title__icontains=words) | Q(key__icontains=words))
    if dataset:
        found = found.filter(dataset__key=dataset)
    context = {
        "page": listed(request, found.defer("manifest"), sorts=SORTS, default="-created_at"),
        "q": words,
        "datasets": Dataset.objects.visible_to(request.user).values_list("key", "title"),
        "chosen": dataset,
        "may_maintain": can_maintain(request.user),
    }
    return render(request, "evaluation/attacks/list.html", context)


@login_required
@require_safe
def attack_page(request: HttpRequest, key: str) -> HttpResponse:
    """Scores of every model as chart and table; asked by htmx, only how far the work is."""
    attack = get_object_or_404(Attack.objects.visible_to(request.user).select_related("dataset", "job"), key=key)
    waiting = list(attack.scores.filter(values={}).select_related("job"))
    jobs = [attack.job if not attack.is_built else None, *(score.job for score in waiting)]
    context = {"attack": attack, "waiting": waiting, "is_live": is_live(*jobs)}
    if request.headers.get("HX-Request"):
        response = render(request, "evaluation/attacks/progress.html", context)
        if not context["is_live"]:
            response["HX-Refresh"] = "true"
        return response
    policy = find_policy(request.GET.get("policy", "penalise"))
    rows = score_rows(attack, policy)
    columns = [(name, title) for name, title in ROWS.items() if name in attack.manifest.get("sets", {})]
    for row in rows:
        row["cells"] = cells_of(row, [name for name, _ in columns])
    context |= {
        "policy": policy,
        "policies": POLICIES,
        "rows": rows,
        "chart": draw_dots([(row["name"], row["values"]) for row in rows], pass_mark=PASS_MARK) if rows else None,
        "columns": columns,
        "checks": [(row["name"], check) for row in rows if (check := row["values"]["hashtag_check"])],
        "comparison": [{**one, "title": ROWS[one["attack"]]} for one in compare_with_suites(attack, policy)],
        "model_form": ModelForm(),
        "some_are_paid": ModelVersion.objects.paid().exists(),
        "answers_form": AnswersForm.for_attack(attack),
        "replaced": attack.scores.replaced().select_related("created_by"),
        "suite_form": SuiteForm.for_attack(attack),
        "suites": attack.suites.all(),
        "lexicon_note": "" if attack.choices.get("lexicon_file") else NO_LEXICON,
        "may_maintain": can_maintain(request.user),
    }
    return render(request, "evaluation/attacks/attack.html", context)


@login_required
@require_safe
def download(request: HttpRequest, key: str) -> HttpResponse:
    """The exchange files and the manifest."""
    attack = get_object_or_404(Attack.objects.visible_to(request.user), key=key)
    response = HttpResponse(archive_of(attack), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{attack.key}.zip"'
    return response


@login_required
@require_safe
def attack_estimate(request: HttpRequest, key: str) -> HttpResponse:
    """What putting a model under the attack would cost, into the page."""
    maintainer_of(request)
    attack = get_object_or_404(Attack.objects.visible_to(request.user), key=key)
    form = ModelForm(request.GET)
    if not form.is_valid():
        raise Http404
    context: dict[str, object]
    try:
        context = {"estimate": estimate_attack(attack, form.cleaned_data["version"]), "what": f"“{attack}”"}
    except DomainError as error:
        context = {"problem": str(error)}
    return render(request, "evaluation/model_estimate.html", context)


@login_required
@require_safe
def model_attacks(request: HttpRequest, key: str) -> HttpResponse:
    """The attacks a registered model can be put under, and those it has been."""
    maintainer_of(request)
    model = get_object_or_404(DetectionModel.objects.visible_to(request.user), key=key)
    version = model.versions.first()
    scores = {score.attack_id: score for score in version.attack_scores.select_related("job")} if version else {}
    attacks = Attack.objects.visible_to(request.user).built().select_related("dataset").defer("manifest")
    rows = [(attack, scores.get(attack.pk)) for attack in attacks[:100]]
    # Not called `version`: that is the product's own, at the foot of every page.
    return render(request, "evaluation/attacks/model.html", {"model": model, "newest": version, "rows": rows})
