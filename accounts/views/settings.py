"""A person's own account: name, and leaving. Address, password and second factor are allauth's pages."""

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.forms import DeleteAccountForm, NameForm
from accounts.languages import language_names
from accounts.services import people
from accounts.views.signed_in import person_of
from core.text import _


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest) -> HttpResponse:
    user = person_of(request)
    form = NameForm(request.POST or None, initial={"name": user.name})
    if request.method == "POST" and form.is_valid():
        people.rename(user, name=form.chosen.name)
        messages.success(request, _("Saved."))
        return redirect("accounts:settings")
    context = {
        "form": form,
        "grants": user.grants.order_by("role", "language"),
        "languages": language_names(),
        "has_second_factor": is_mfa_enabled(user),
    }
    return render(request, "accounts/settings.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    user = person_of(request)
    form = DeleteAccountForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        people.delete_person(user, by=user)
        logout(request)
        messages.success(request, _("Your account was deleted. Your labels are kept under a pseudonym."))
        return redirect("home")
    return render(request, "accounts/delete_account.html", {"form": form}, status=422 if form.errors else 200)
