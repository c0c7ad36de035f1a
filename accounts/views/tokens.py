"""A person's API tokens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.confirming import confirmed
from accounts.forms import TokenForm
from accounts.models import ApiToken
from accounts.services import tokens
from accounts.views.lists import page_of, token_row
from accounts.views.signed_in import person_of
from core.text import _


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@confirmed
def tokens_page(request: HttpRequest) -> HttpResponse:
    """The secret is part of this one answer and of nothing that is stored."""
    user = person_of(request)
    form = TokenForm(request.POST or None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        _, secret = tokens.create_token(user, **form.chosen.model_dump())
        form = TokenForm()
    page = page_of(request, ApiToken.objects.owned_by(user))
    rows = [token_row(token, "accounts:revoke", token.pk) for token in page]
    context = {"page": page, "rows": rows, "form": form, "secret": secret}
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    user = person_of(request)
    token = get_object_or_404(ApiToken.objects.owned_by(user), pk=pk)
    tokens.revoke_token(token, by=user)
    messages.success(request, _("Token “%(name)s” revoked.", name=token.name))
    return redirect("accounts:tokens")
