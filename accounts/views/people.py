"""Who is here and what they may do."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.confirming import confirmed
from accounts.forms import RoleForm, SearchPeopleForm
from accounts.languages import language_names
from accounts.models import ApiToken, RoleGrant, User
from accounts.services import people
from accounts.services.tokens import revoke_token
from accounts.views.lists import page_of, token_row
from accounts.views.signed_in import person_of
from core.text import _

SORTS = {
    "email": "email",
    "-email": "-email",
    "name": "name",
    "-name": "-name",
    "joined": "joined_at",
    "-joined": "-joined_at",
}


@login_required
@require_safe
def people_page(request: HttpRequest) -> HttpResponse:
    people.require_can_manage_people(person_of(request))
    form = SearchPeopleForm(request.GET)
    rows = User.objects.prefetch_related("grants")
    if form.is_valid():
        rows = rows.matching(form.cleaned_data["q"]).with_role(form.cleaned_data["role"])
    rows = rows.order_by(SORTS.get(request.GET.get("sort", ""), "email"), "pk")
    context = {"page": page_of(request, rows), "form": form, "languages": language_names()}
    return render(request, "accounts/people.html", context)


@login_required
@require_safe
def person_page(request: HttpRequest, pk: int) -> HttpResponse:
    people.require_can_manage_people(person_of(request))
    person = get_object_or_404(User.objects.prefetch_related("grants__granted_by"), pk=pk)
    return _person_page(request, person, RoleForm())


def _person_page(request: HttpRequest, person: User, form: RoleForm, *, status: int = 200) -> HttpResponse:
    tokens = ApiToken.objects.owned_by(person).usable() if person_of(request).is_superuser else ()
    rows = [token_row(token, "accounts:revoke-of", person.pk, token.pk) for token in tokens]
    context = {"person": person, "form": form, "languages": language_names(), "rows": rows}
    return render(request, "accounts/person.html", context, status=status)


@login_required
@require_POST
@confirmed
def grant_role(request: HttpRequest, pk: int) -> HttpResponse:
    by = person_of(request)
    people.require_can_manage_people(by)
    person = get_object_or_404(User, pk=pk)
    form = RoleForm(request.POST)
    if form.is_valid():
        grant = people.grant_role(person, **form.chosen.model_dump(), by=by)
        messages.success(
            request, _("%(person)s now has the role: %(role)s.", person=str(person), role=grant.get_role_display())
        )
        return redirect("accounts:person", pk)
    return _person_page(request, person, form, status=422)


@login_required
@require_POST
@confirmed
def take_role(request: HttpRequest, pk: int, grant: int) -> HttpResponse:
    by = person_of(request)
    people.require_can_manage_people(by)
    found = get_object_or_404(RoleGrant.objects.select_related("user"), pk=grant, user=pk)
    people.take_role(found, by=by)
    messages.success(
        request,
        _("%(person)s no longer has the role: %(role)s.", person=str(found.user), role=found.get_role_display()),
    )
    return redirect("accounts:person", pk)


@login_required
@require_POST
@confirmed
def change_administrator(request: HttpRequest, pk: int) -> HttpResponse:
    by = person_of(request)
    people.require_administrator(by)
    person = get_object_or_404(User, pk=pk)
    if request.POST.get("make") == "yes":
        people.make_administrator(person, by=by)
        messages.success(request, _("%(person)s is now an administrator.", person=str(person)))
    else:
        people.end_administrator(person, by=by)
        messages.success(request, _("%(person)s is no longer an administrator.", person=str(person)))
    return redirect("accounts:person" if by != person else "accounts:settings", *([pk] if by != person else []))


STEPS: dict[str, Callable[..., None]] = {
    "suspend": people.suspend,
    "reinstate": people.reinstate,
    "end-sessions": people.end_sessions,
}


def _told(step: str, person: str) -> str:
    """Return what a step has done."""
    if step == "suspend":
        return _("%(person)s is suspended: signed out everywhere, all tokens revoked.", person=person)
    if step == "reinstate":
        return _("%(person)s can sign in again.", person=person)
    return _("%(person)s is signed out everywhere.", person=person)


@login_required
@require_POST
@confirmed
def change_access(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    by = person_of(request)
    people.require_administrator(by)
    person = get_object_or_404(User, pk=pk)
    STEPS[step](person, by=by)
    messages.success(request, _told(step, str(person)))
    return redirect("accounts:person", pk)


@login_required
@require_POST
def revoke_token_of(request: HttpRequest, pk: int, token: int) -> HttpResponse:
    by = person_of(request)
    people.require_administrator(by)
    found = get_object_or_404(ApiToken.objects.select_related("user"), pk=token, user=pk)
    revoke_token(found, by=by)
    messages.success(request, _("Token “%(name)s” revoked.", name=found.name))
    return redirect("accounts:person", pk)


@login_required
@require_POST
@confirmed
def delete_person(request: HttpRequest, pk: int) -> HttpResponse:
    by = person_of(request)
    people.require_can_manage_people(by)
    person = get_object_or_404(User, pk=pk)
    if request.POST.get("email", "").strip().lower() != person.email.lower():
        messages.error(request, _("This is not the address of the account. Nothing was deleted."))
        return redirect("accounts:person", pk)
    people.delete_person(person, by=by)
    messages.success(request, _("Account deleted. Labels and decisions are kept under the pseudonym."))
    return redirect("accounts:people")
