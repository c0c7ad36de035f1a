"""Who is here and what they may do."""

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
        messages.success(request, f"{person} is {grant.get_role_display().lower()} now.")
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
    messages.success(request, f"{found.user} is no longer {found.get_role_display().lower()} there.")
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
        messages.success(request, f"{person} is an administrator now.")
    else:
        people.end_administrator(person, by=by)
        messages.success(request, f"{person} is no longer an administrator.")
    return redirect("accounts:person" if by != person else "accounts:settings", *([pk] if by != person else []))


STEPS = {
    "suspend": (people.suspend, "{} is suspended: signed out everywhere, tokens revoked."),
    "reinstate": (people.reinstate, "{} can sign in again."),
    "end-sessions": (people.end_sessions, "{} is signed out everywhere."),
}


@login_required
@require_POST
@confirmed
def change_access(request: HttpRequest, pk: int, step: str) -> HttpResponse:
    by = person_of(request)
    people.require_administrator(by)
    person = get_object_or_404(User, pk=pk)
    change, told = STEPS[step]
    change(person, by=by)
    messages.success(request, told.format(person))
    return redirect("accounts:person", pk)


@login_required
@require_POST
def revoke_token_of(request: HttpRequest, pk: int, token: int) -> HttpResponse:
    by = person_of(request)
    people.require_administrator(by)
    found = get_object_or_404(ApiToken.objects.select_related("user"), pk=token, user=pk)
    revoke_token(found, by=by)
    messages.success(request, f"The token “{found.name}” is revoked.")
    return redirect("accounts:person", pk)


@login_required
@require_POST
@confirmed
def delete_person(request: HttpRequest, pk: int) -> HttpResponse:
    by = person_of(request)
    people.require_can_manage_people(by)
    person = get_object_or_404(User, pk=pk)
    if request.POST.get("email", "").strip().lower() != person.email.lower():
        messages.error(request, "The typed address is not theirs. Nothing was deleted.")
        return redirect("accounts:person", pk)
    people.delete_person(person, by=by)
    messages.success(request, "The account was deleted. Labels and decisions stay under the pseudonym.")
    return redirect("accounts:people")
