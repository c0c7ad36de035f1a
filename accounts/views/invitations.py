"""Inviting people by link, and what the invited see."""

from allauth.account import app_settings
from allauth.account.utils import complete_signup
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.adapters import INVITATION_IN_SESSION
from accounts.confirming import confirmed
from accounts.errors import AddressTaken
from accounts.forms import InvitationForm, JoinForm
from accounts.interface_language import language_of_newcomer
from accounts.languages import language_names
from accounts.links import public_url
from accounts.models import Invitation, Secret
from accounts.services import invitations
from accounts.services.people import choose_language, require_can_manage_people
from accounts.sign_in import allows, locked_page, note_success
from accounts.templatetags.languages import scope_in
from accounts.views.lists import STANDINGS, Row, day, page_of
from accounts.views.signed_in import person_of
from core.text import _


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@confirmed
def invitations_page(request: HttpRequest) -> HttpResponse:
    """The link is part of this one answer and of nothing that is stored."""
    by = person_of(request)
    require_can_manage_people(by)
    form = InvitationForm(request.POST or None)
    link = ""
    if request.method == "POST" and form.is_valid():
        _, secret = invitations.invite(**form.chosen.model_dump(), by=by)
        link = public_url(request, reverse("accounts:accept", args=[secret]))
        form = InvitationForm()
    rows = Invitation.objects.select_related("invited_by", "accepted_by")
    if request.GET.get("show") != "all":
        rows = rows.usable()
    page, names = page_of(request, rows), language_names()
    context = {
        "page": page,
        "rows": [_row(invitation, names) for invitation in page],
        "form": form,
        "link": link,
        "shows_all": request.GET.get("show") == "all",
    }
    return render(request, "accounts/invitations.html", context, status=422 if form.errors else 200)


def _row(invitation: Invitation, names: dict[str, str]) -> Row:
    standing = invitation.standing
    return Row(
        title=invitation.email or _("Anyone with the link"),
        cells={
            _("Role"): _("%(role)s (%(scope)s)", role=invitation.get_role_display(), scope=scope_in(invitation, names)),
            _("Invited by"): str(invitation.invited_by or _("a deleted account")),
            _("Valid until"): day(invitation.expires_at),
        },
        standing=STANDINGS[standing],
        is_good=standing == "accepted",
        end=reverse("accounts:withdraw", args=[invitation.pk]) if standing == "open" else "",
        warning=_("The link will stop working."),
        note=str(invitation.accepted_by or "") if standing == "accepted" else "",
    )


@login_required
@require_POST
def withdraw_invitation(request: HttpRequest, pk: int) -> HttpResponse:
    by = person_of(request)
    require_can_manage_people(by)
    invitations.withdraw(get_object_or_404(Invitation, pk=pk), by=by)
    messages.success(request, _("Invitation withdrawn."))
    return redirect("accounts:invitations")


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def accept(request: HttpRequest, secret: str) -> HttpResponse:
    """A signed-in person accepts with one click; anybody else makes an account or signs in first."""
    if not allows(request, Secret.INVITATION, account=""):
        return locked_page(request)
    invitation = invitations.find_invitation(secret)
    note_success(request)
    context = {"invitation": invitation, "languages": language_names()}
    if request.user.is_authenticated:
        return _accept_signed_in(request, invitation, context)
    request.session[INVITATION_IN_SESSION] = invitation.pk
    form = JoinForm(request.POST or None, email=invitation.email)
    if request.method == "POST" and form.is_valid():
        try:
            user = invitations.join(invitation, **form.cleaned_data)
        except AddressTaken as error:
            form.add_error("email", str(error))
        else:
            choose_language(user, language=language_of_newcomer(request))
            signed_in: HttpResponse = complete_signup(request, user, _verification(), reverse("home"))
            return signed_in
    status = 422 if form.errors else 200
    return render(request, "accounts/accept.html", {**context, "form": form}, status=status)


def _accept_signed_in(request: HttpRequest, invitation: Invitation, context: dict[str, object]) -> HttpResponse:
    if request.method == "POST":
        invitations.accept(invitation, person_of(request))
        messages.success(request, _("Welcome. Your role: %(role)s.", role=invitation.get_role_display()))
        return redirect("home")
    return render(request, "accounts/accept.html", context)


def _verification() -> str:
    """Without a way to send mail, an optional confirmation would only fail."""
    wanted = str(app_settings.EMAIL_VERIFICATION)
    return "none" if wanted == "optional" and not settings.EMAIL_URL else wanted
