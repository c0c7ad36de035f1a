"""Roles, administrators, invitations and leaving: what the services promise, whoever calls them."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts.adapters import InvitedSingleSignOnAdapter
from accounts.errors import AddressTaken, InvitationUnusable, LastAdministrator, NotAllowed
from accounts.models import Action, ApiToken, AuditEvent, Invitation, RoleName, Scope, User
from accounts.services import invitations, people, tokens
from annotation.models import Annotator

pytestmark = pytest.mark.django_db


def test_roles_hold_in_their_language(emil, ana, admin):
    assert emil.has_role("expert", "de")
    assert not emil.has_role("expert", "fr")
    assert emil.languages_as("expert") == {"de"}
    assert ana.has_role("annotator", "fr")
    assert ana.languages_as("annotator") is None
    assert admin.has_role("maintainer", "fr")


def test_giving_a_role_twice_is_once(mira, vic):
    for _ in range(2):
        people.grant_role(vic, RoleName.EXPERT, language="de", by=mira)
    assert vic.grants.count() == 1
    assert AuditEvent.objects.filter(action=Action.ROLE_GRANTED).count() == 1


def test_a_role_counts_at_once(mira, vic):
    assert not vic.is_expert
    grant = people.grant_role(vic, RoleName.EXPERT, by=mira)
    assert vic.is_expert
    people.take_role(grant, by=mira)
    assert not User.objects.get(pk=vic.pk).is_expert


def test_people_without_the_right_are_refused(ana, vic, mira):
    grant = people.grant_role(vic, RoleName.EXPERT, by=mira)
    for step in (
        lambda: people.grant_role(vic, RoleName.MAINTAINER, by=ana),
        lambda: people.take_role(grant, by=ana),
        lambda: people.delete_person(vic, by=ana),
        lambda: people.make_administrator(ana, by=ana),
        lambda: people.make_administrator(mira, by=mira),
        lambda: invitations.invite(role=RoleName.MAINTAINER, by=ana),
    ):
        with pytest.raises(NotAllowed):
            step()


def test_a_maintainer_cannot_delete_an_administrator(mira, admin):
    with pytest.raises(NotAllowed):
        people.delete_person(admin, by=mira)


def test_there_is_always_an_administrator(admin, vic):
    with pytest.raises(LastAdministrator):
        people.end_administrator(admin, by=admin)
    with pytest.raises(LastAdministrator):
        people.delete_person(admin, by=admin)
    people.make_administrator(vic, by=admin)
    people.end_administrator(admin, by=admin)
    assert list(User.objects.filter(is_superuser=True)) == [vic]


def test_an_administrator_who_cannot_sign_in_does_not_count(admin, vic):
    people.make_administrator(vic, by=admin)
    User.objects.filter(pk=vic.pk).update(is_active=False)
    with pytest.raises(LastAdministrator):
        people.end_administrator(admin, by=admin)


def test_deleting_a_person_removes_them_and_keeps_their_labels_under_the_pseudonym(ana, mira):
    annotator = Annotator.objects.create(user=ana, pseudonym="rater-7")
    tokens.create_token(ana, name="x", scope=Scope.READ)
    people.delete_person(ana, by=ana)
    annotator.refresh_from_db()
    assert (annotator.user, annotator.pseudonym) == (None, "rater-7")
    assert not ApiToken.objects.exists()
    left = AuditEvent.objects.get(action=Action.PERSON_DELETED)
    assert left.actor is None
    assert "ana@example.org" not in str(left.facts)


# --- invitations ----------------------------------------------------------------------------------------------------
def test_an_invitation_gives_its_role_once(mira, vic, ana):
    invitation, secret = invitations.invite(role=RoleName.EXPERT, language="de", by=mira)
    invitations.accept(invitations.find_invitation(secret), vic)
    assert vic.has_role("expert", "de")
    with pytest.raises(InvitationUnusable):
        invitations.find_invitation(secret)
    with pytest.raises(InvitationUnusable, match="a moment ago"):
        invitations.accept(invitation, ana)  # ana had the page open before


def test_an_expired_invitation_is_refused(mira):
    _, secret = invitations.invite(role=RoleName.EXPERT, by=mira)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(InvitationUnusable):
        invitations.find_invitation(secret)
    assert Invitation.objects.get().standing == "expired"


def test_joining_makes_an_account_or_nothing(mira, vic):
    invitation, _ = invitations.invite(role=RoleName.EXPERT, by=mira)
    invitations.withdraw(invitation, by=mira)
    with pytest.raises(InvitationUnusable):
        invitations.join(invitation, email="new@example.org", name="New", password="x")
    assert not User.objects.filter(email="new@example.org").exists()


def test_a_second_address_of_somebody_is_taken_too(mira, vic):
    EmailAddress.objects.create(user=vic, email="vic@home.example", verified=True)
    invitation, _ = invitations.invite(role=RoleName.EXPERT, by=mira)
    with pytest.raises(AddressTaken):
        invitations.join(invitation, email="Vic@home.example", name="Vic", password="x")


def test_single_sign_on_makes_accounts_only_for_the_invited(rf, mira):
    request = rf.get("/")
    request.session = {}
    adapter = InvitedSingleSignOnAdapter()
    assert not adapter.is_open_for_signup(request, None)
    invitation, _ = invitations.invite(role=RoleName.EXPERT, by=mira)
    request.session["invitation_id"] = invitation.pk
    assert adapter.is_open_for_signup(request, None)
    invitations.withdraw(invitation, by=mira)
    assert not adapter.is_open_for_signup(request, None)


# --- tokens ---------------------------------------------------------------------------------------------------------
def test_a_token_is_kept_as_a_fingerprint_only(ana):
    token, secret = tokens.create_token(ana, name="x", scope=Scope.READ)
    assert tokens.find_token(secret) == token
    assert secret not in str(ApiToken.objects.values().get())
    assert secret.startswith(token.start)
    assert len(token.start) < 12


def test_revoking_twice_is_once(ana):
    token, _ = tokens.create_token(ana, name="x", scope=Scope.READ)
    for _ in range(2):
        tokens.revoke_token(token, by=ana)
    assert AuditEvent.objects.filter(action=Action.TOKEN_REVOKED).count() == 1
