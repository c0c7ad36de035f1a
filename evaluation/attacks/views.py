"""Attacks: list, one attack with its scores and posts, its files, and every step on it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import DomainError
from core.permissions import can_maintain
from core.text import _, catalogue_names, ngettext
from core.web import page_of, texts_are_covered
from curation.models import Functionality, Suite
from evaluation.artefacts.services import archive_of
from evaluation.artefacts.views import (
    choose_dataset,
    is_live,
    language_title,
    listed,
    maintainer_of,
    progress_part,
    step_on,
    submitted,
    zip_download,
)
from evaluation.attacks.algorithm.values import MEANINGS, PASSING
from evaluation.attacks.answers import SHOWN, answers_archive, has_answers, posts_of
from evaluation.attacks.charts import ROWS, draw_dots
from evaluation.attacks.forms import AnswersForm, AttackForm, ModelForm, SpreadForm, SuiteForm
from evaluation.attacks.options import (
    POLICIES,
    AttackRunOptions,
    AttackScoreOptions,
    AttackSpreadOptions,
    AttackSuiteOptions,
)
from evaluation.attacks.recipes import NO_LEXICON
from evaluation.attacks.scores import find_policy, find_version, request_score, score_upload
from evaluation.attacks.services import request_attack
from evaluation.attacks.spreads import request_spread, spread_rows
from evaluation.attacks.suites import TITLES, as_suite
from evaluation.attacks.table import PASS_MARK, cells_of, compare_with_suites, score_rows
from evaluation.models import Attack, Dataset, DetectionModel, ModelVersion
from evaluation.registry.services import LABELS
from evaluation.reports.sheets import SHEETS
from evaluation.runs.costing import estimate_attack

FURTHER = {"original": _("The original test set"), "hashtag_check": _("Every word as a hashtag")}
SORTS = {"title": "title", "dataset": "dataset__title", "created": "created_at"}


@login_required
@require_safe
def attacks_page(request: HttpRequest) -> HttpResponse:
    """Attacks the person may see."""
    scored = Count("scores", filter=~Q(scores__values={}) & Q(scores__replaced_at__isnull=True))
    found = Attack.objects.visible_to(request.user).select_related("dataset", "job").annotate(model_count=scored)
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
    attack = _attack(request, key)
    waiting = list(attack.scores.filter(values={}).select_related("job"))
    repeated = attack.spreads.filter(values={}).select_related("job")
    jobs = [score.job for score in waiting] + [one.job for one in repeated]
    jobs.append(attack.job if not attack.is_built else None)
    context: dict[str, Any] = {"attack": attack, "artefact": attack, "waiting": waiting, "is_live": is_live(*jobs)}
    context["doing"] = _("Building the sets")
    if part := progress_part(request, context):
        return part
    policy = find_policy(request.GET.get("policy", "penalise"))
    rows = score_rows(attack, policy)
    columns = [(name, title) for name, title in ROWS.items() if name in attack.manifest.get("sets", {})]
    for row in rows:
        row["cells"] = cells_of(row, [name for name, __ in columns])
    context |= {
        "language": language_title(attack.choices.get("language", "")),
        "policy": policy,
        "policies": POLICIES.items(),
        "spreads": spread_rows(attack, policy),
        "spread_form": SpreadForm(),
        "rows": rows,
        "chart": draw_dots([(row["name"], row["values"]) for row in rows], pass_mark=PASS_MARK) if rows else None,
        "columns": columns,
        "sheets": list(SHEETS),
        "meanings": [(title, MEANINGS[name]) for name, title in columns if name in MEANINGS],
        "passing": PASSING,
        "checks": [(row["name"], check) for row in rows if (check := row["values"]["hashtag_check"])],
        "comparison": _with_titles(compare_with_suites(attack, policy)),
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


def _with_titles(comparison: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the comparison with what people call its attacks and functionalities."""
    keys = {key for one in comparison for key, __ in one["static"]}
    titles = catalogue_names(Functionality.objects.filter(key__in=keys).values_list("key", "title"))
    return [
        {
            **one,
            "title": ROWS[one["attack"]],
            "static": [(key, titles.get(key, key), accuracy) for key, accuracy in one["static"]],
        }
        for one in comparison
    ]


@login_required
@require_safe
def download(request: HttpRequest, key: str) -> HttpResponse:
    """The exchange files and the manifest."""
    attack = _attack(request, key)
    return zip_download(attack.key, archive_of(attack))


@login_required
@require_safe
def attack_estimate(request: HttpRequest, key: str) -> HttpResponse:
    """What putting a model under the attack would cost, into the page."""
    maintainer_of(request)
    attack = _attack(request, key)
    form = ModelForm(request.GET)
    if not form.is_valid():
        raise Http404
    context: dict[str, object]
    try:
        context = {
            "estimate": estimate_attack(attack, find_version(form.chosen)),
            "what": _("“%(title)s”", title=attack.title),
        }
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


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_attack(request: HttpRequest) -> HttpResponse:
    """Choose the data, then the recipe."""
    by = maintainer_of(request)
    datasets = Dataset.objects.visible_to(by).order_by("title")
    chosen = request.GET.get("dataset", "")
    if not chosen:
        usable = [dataset for dataset in datasets if {"train", "test"} <= set(dataset.counts)]
        needs = _("Only data sets with a training part and a test part can be attacked.")
        return choose_dataset(request, usable, what="attacks", list_title=_("Attacks"), needs=needs)
    dataset = get_object_or_404(datasets, key=chosen)
    form = AttackForm(request.POST or None, request.FILES or None, dataset=dataset)
    return submitted(
        request,
        form,
        lambda: request_attack(dataset, form.chosen, by=by),
        "evaluation/attacks/new.html",
        {"dataset": dataset},
    )


@login_required
@require_POST
def attack_model(request: HttpRequest, key: str) -> HttpResponse:
    """Put a registered model under the attack."""
    by, attack = maintainer_of(request), _attack(request, key)

    def act(chosen: AttackRunOptions) -> Attack:
        score = request_score(attack, find_version(chosen), by=by)
        if score.values:
            messages.success(request, _("%(model)s has its scores already.", model=score.name))
        else:
            messages.success(request, _("%(model)s is being asked.", model=score.name))
        return attack

    return step_on(request, attack, ModelForm(request.POST), act)


@login_required
@require_POST
def attack_spread(request: HttpRequest, key: str) -> HttpResponse:
    """Repeat the attack on a registered model with several seeds."""
    by, attack = maintainer_of(request), _attack(request, key)

    def act(chosen: AttackSpreadOptions) -> Attack:
        spread = request_spread(attack, find_version(chosen), seeds=chosen.seeds, by=by)
        sentence = ngettext(
            "%(model)s is being asked with %(count)s seed.",
            "%(model)s is being asked with %(count)s seeds.",
            spread.seeds,
            model=str(spread.model_version),
        )
        messages.success(request, sentence)
        return attack

    return step_on(request, attack, SpreadForm(request.POST), act)


@login_required
@require_POST
def upload_answers(request: HttpRequest, key: str) -> HttpResponse:
    """Score a model that answered elsewhere."""
    by, attack = maintainer_of(request), _attack(request, key)

    def act(chosen: AttackScoreOptions) -> Attack:
        score = score_upload(attack, chosen.answers, name=chosen.name, by=by, replace=chosen.replace)
        messages.success(request, _("%(model)s is scored.", model=score.name))
        return attack

    return step_on(request, attack, AnswersForm(request.POST, request.FILES), act)


@login_required
@require_POST
def make_suite(request: HttpRequest, key: str) -> HttpResponse:
    """Make the attack a suite of its own, ready for annotators."""
    by, attack = maintainer_of(request), _attack(request, key)

    def act(chosen: AttackSuiteOptions) -> Suite:
        suite = as_suite(attack, key=chosen.key, name=chosen.name, sample=chosen.sample, by=by)
        messages.success(
            request, _("“%(suite)s” is ready. Start a campaign to have its labels checked.", suite=str(suite))
        )
        return suite

    return step_on(request, attack, SuiteForm(request.POST), act)


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
    titles: dict[str, str] = {**FURTHER, **{str(name): title for name, title in TITLES.items()}}
    context = {
        "attack": attack,
        "page": page_of(request, found),
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
    return zip_download(f"{attack.key}-answers-{score.pk}", answers_archive(score))


def _attack(request: HttpRequest, key: str) -> Attack:
    return get_object_or_404(Attack.objects.visible_to(request.user).select_related("dataset", "job"), key=key)
