"""The scores of an attack as a file for a paper."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from evaluation.attacks.scores import find_policy
from evaluation.attacks.sheets import attack_sheet
from evaluation.models import Attack
from evaluation.reports.sheets import SHEETS, write_sheet


@login_required
@require_safe
def scores_sheet(request: HttpRequest, key: str, form: str) -> HttpResponse:
    """The scores for a paper, as the page shows them: LaTeX, PDF, PNG or SVG."""
    attack = get_object_or_404(Attack.objects.visible_to(request.user).select_related("dataset"), key=key)
    content = write_sheet(attack_sheet(attack, find_policy(request.GET.get("policy", "penalise"))), form)
    response = HttpResponse(content, content_type=SHEETS[form])
    response["Content-Disposition"] = f'attachment; filename="{attack.key}-scores.{form}"'
    return response
