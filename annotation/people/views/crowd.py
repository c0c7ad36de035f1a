"""The door for people sent by a platform, and the list of what they are owed."""

from csp.decorators import csp_replace, csp_update
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from annotation.campaigns.models import CrowdPlatform
from annotation.errors import OtherBrowser
from annotation.models import Campaign
from annotation.people import crowd
from annotation.people.crowd_binding import PASS_SECONDS, cookie_for, read_pass
from annotation.people.forms import PaymentForm, ReturnCodeForm
from annotation.people.payment_files import payment_table
from annotation.people.views.onboarding import follow_campaign, go_on
from core.errors import BadInput
from core.web import SignedInRequest, csv_download

MTURK_HOSTS = ("https://www.mturk.com", "https://workersandbox.mturk.com")
FRAMED_BY = ["https://*.mturk.com", "https://*.mturkcontent.com", "'self'"]


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("return_code")
@never_cache
@xframe_options_exempt
@csp_replace({"frame-ancestors": FRAMED_BY})
@csp_update({"form-action": list(MTURK_HOSTS)})  # type: ignore[arg-type]
def enter(request: HttpRequest, entry_key: str) -> HttpResponse:
    """MTurk shows the page in a frame: the task opens in its own window, the code is handed in in the frame.

    A browser that the person did not begin in gets a page that asks for the return code.
    """
    campaign = crowd.campaign_by_entry(entry_key)
    follow_campaign(request, campaign)
    parameters = request.GET.dict()
    visitor = None if crowd.is_preview(campaign, parameters) else crowd.read_visitor(campaign, parameters)
    host = parameters.get("turkSubmitTo", "").rstrip("/") if campaign.platform == CrowdPlatform.MTURK else ""
    if visitor is None or (host and "window" not in parameters):
        return render(
            request,
            "annotation/crowd_frame.html",
            {
                "campaign": campaign,
                "is_preview": visitor is None,
                "submit_to": f"{host}/mturk/externalSubmit" if host in MTURK_HOSTS else "",
                "assignment_id": parameters.get("assignmentId", ""),
                "task_url": f"{request.path}?{request.GET.urlencode()}&window=own",
            },
        )
    browser = read_pass(request.COOKIES, campaign.key)
    code = request.POST.get("return_code", "").strip()
    try:
        entered = crowd.enter(campaign, visitor, browser=browser, code=code)
    except OtherBrowser:
        return _ask_for_code(request, campaign, ReturnCodeForm(), status=409)
    except BadInput as error:
        form = ReturnCodeForm({"return_code": code})
        form.add_error("return_code", str(error))
        return _ask_for_code(request, campaign, form, status=422)
    response = go_on(entered.participation)
    response.set_cookie(
        cookie_for(campaign.key),
        entered.cookie,
        max_age=PASS_SECONDS,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
    return response


def _ask_for_code(request: HttpRequest, campaign: Campaign, form: ReturnCodeForm, *, status: int) -> HttpResponse:
    return render(request, "annotation/crowd_return.html", {"campaign": campaign, "form": form}, status=status)


@login_required
@require_safe
def payments(request: SignedInRequest, key: str) -> StreamingHttpResponse:
    campaign = get_object_or_404(Campaign.objects.visible_to(request.user), key=key)
    form = PaymentForm(request.GET)
    form.is_valid()  # one box to tick, which cannot be wrong
    columns, rows = payment_table(campaign, form.chosen, by=request.user)
    return csv_download(f"{campaign.key}-payments", columns, rows)
