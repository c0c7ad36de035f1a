"""Pages about what participants are owed: a platform's list compared with the work, and the file of bonuses."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.people.bonuses import bonus_file
from annotation.people.forms import BonusForm, ReconcileForm
from annotation.people.reconciling import Reconciled, reconcile_upload, summary_in_words
from annotation.permissions import find_managed_campaign
from core.errors import BadInput
from core.web import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reconcile(request: SignedInRequest, key: str) -> HttpResponse:
    """Upload the platform's list of submissions; what does not fit the work done here is shown first."""
    campaign = find_managed_campaign(request.user, key)
    form = ReconcileForm(request.POST or None, request.FILES or None)
    rows: list[Reconciled] | None = None
    if request.method == "POST" and form.is_valid():
        try:
            rows = reconcile_upload(campaign, form.chosen.file, by=request.user)
        except BadInput as error:
            form.add_error("file", str(error))
            for problem in error.problems[:20]:
                form.add_error("file", str(problem["problem"]))
    context = {
        "campaign": campaign,
        "form": form,
        "rows": rows,
        "summary": summary_in_words(rows) if rows is not None else "",
        "bonus_form": BonusForm(),
        "has_bonuses": campaign.platform == "prolific" and campaign.pay_unit,
    }
    return render(request, "annotation/manage/reconcile.html", context, status=422 if form.errors else 200)


@login_required
@require_safe
def bonuses(request: SignedInRequest, key: str) -> HttpResponse:
    campaign = find_managed_campaign(request.user, key)
    form = BonusForm(request.GET)
    if not form.is_valid():
        raise BadInput(str(form.errors["reward"][0]), field="reward")
    content = bonus_file(campaign, by=request.user, reward=form.chosen.reward)
    headers = {"Content-Disposition": f'attachment; filename="{campaign.key}-bonuses.csv"'}
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=headers)
