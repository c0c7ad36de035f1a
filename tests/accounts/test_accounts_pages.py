"""People, invitations, tokens, settings, the audit log and signing in, as pages."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils import timezone

from accounts.models import Action, ApiToken, AuditEvent, Invitation, RoleGrant, RoleName, Scope, User
from accounts.services import audit, invitations, people, tokens
from curation.models import Language
from tests.html import one_line

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough password"


@pytest.fixture
def german(db) -> Language:
    return Language.objects.create(code="de", bcp47="de", name="German")


def messages_of(response) -> str:
    return " ".join(str(message) for message in response.context["messages"])


def first_match(pattern: str, text: str) -> str:
    """The part in brackets of the first match."""
    match = re.search(pattern, text)
    assert match, text
    return match[1]


# --- people ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["people", "invitations"])
def test_managing_people_is_for_maintainers(client, ana, mira, name):
    url = reverse(f"accounts:{name}")
    assert client.get(url).status_code == 302
    client.force_login(ana)
    refused = client.get(url)
    assert refused.status_code == 403
    assert "Only maintainers and administrators" in refused.content.decode()
    client.force_login(mira)
    assert client.get(url).status_code == 200


def test_people_are_found_by_part_of_the_name_and_by_role(client, mira, ana, emil, vic, admin):
    client.force_login(mira)

    def found(**query: str) -> set[str]:
        return {person.email for person in client.get(reverse("accounts:people"), query).context["page"]}

    assert found(q="EMI") == {"emil@example.org"}
    assert found(role="annotator") == {"ana@example.org"}
    assert found(role="administrator") == {"admin@example.org"}
    assert found(role="none") == {"vic@example.org"}
    assert len(found()) == 5


def test_the_list_of_people_costs_the_same_for_one_or_sixty(client, mira, django_assert_max_num_queries):
    User.objects.bulk_create(User(email=f"p{i}@example.org", name=f"Person {i}") for i in range(60))
    RoleGrant.objects.bulk_create(
        RoleGrant(user=user, role="annotator", language=code) for user in User.objects.all() for code in ("de", "fr")
    )
    client.force_login(mira)
    with django_assert_max_num_queries(8):
        response = client.get(reverse("accounts:people"))
    assert len(response.context["page"]) == 50
    assert "1–50 of 61" in response.content.decode()


def test_a_role_is_given_for_a_language_and_taken_again(client, mira, vic, german):
    client.force_login(mira)
    client.post(reverse("accounts:grant", args=[vic.pk]), {"role": "expert", "language": "de"})
    grant = vic.grants.get()
    assert (grant.role, grant.language, grant.granted_by) == ("expert", "de", mira)
    assert "German" in client.get(reverse("accounts:person", args=[vic.pk])).content.decode()
    client.post(reverse("accounts:take", args=[vic.pk, grant.pk]))
    assert not vic.grants.exists()
    actions = list(AuditEvent.objects.order_by("id").values_list("action", flat=True))
    assert actions == [Action.ROLE_GRANTED, Action.ROLE_TAKEN]


def test_a_language_the_catalogue_lacks_is_refused(client, mira, vic):
    client.force_login(mira)
    response = client.post(reverse("accounts:grant", args=[vic.pk]), {"role": "expert", "language": "xx"})
    assert response.status_code == 422
    assert "xx is not one of the available choices" in response.content.decode()
    assert not vic.grants.exists()


@pytest.mark.parametrize("name", ["grant", "administrator", "delete-person"])
def test_an_annotator_changes_nobody(client, ana, vic, name):
    client.force_login(ana)
    response = client.post(reverse(f"accounts:{name}", args=[vic.pk]), {"role": "maintainer", "make": "yes"})
    assert response.status_code == 403
    vic.refresh_from_db()
    assert not vic.grants.exists()
    assert not vic.is_superuser


def test_somebody_who_is_not_there_is_a_404(client, mira):
    client.force_login(mira)
    assert client.get(reverse("accounts:person", args=[999_999])).status_code == 404


def test_only_an_administrator_makes_administrators(client, mira, admin, vic):
    client.force_login(mira)
    assert client.post(reverse("accounts:administrator", args=[vic.pk]), {"make": "yes"}).status_code == 403
    client.force_login(admin)
    client.post(reverse("accounts:administrator", args=[vic.pk]), {"make": "yes"})
    vic.refresh_from_db()
    assert vic.is_superuser
    assert vic.is_staff


def test_the_last_administrator_stays_and_the_page_says_why(client, admin):
    client.force_login(admin)
    page = reverse("accounts:person", args=[admin.pk])
    url = reverse("accounts:administrator", args=[admin.pk])
    response = client.post(url, {"make": "no"}, headers={"referer": f"http://testserver{page}"}, follow=True)
    assert "last administrator" in messages_of(response)
    admin.refresh_from_db()
    assert admin.is_superuser


def test_deleting_somebody_needs_their_address_typed(client, admin, vic):
    client.force_login(admin)
    url = reverse("accounts:delete-person", args=[vic.pk])
    response = client.post(url, {"email": "somebody@example.org"}, follow=True)
    assert "Nothing was deleted" in messages_of(response)
    client.post(url, {"email": "VIC@example.org"})
    assert not User.objects.filter(pk=vic.pk).exists()


# --- invitations ----------------------------------------------------------------------------------------------------
def invitation_link(client, **facts: str) -> str:
    response = client.post(reverse("accounts:invitations"), {"role": "annotator", "language": "", **facts})
    return first_match(r'value="http://testserver(/account/join/[^"]+)"', response.content.decode())


def test_an_invitation_shows_its_link_once_and_stores_only_a_fingerprint(client, mira):
    client.force_login(mira)
    link = invitation_link(client)
    secret = link.split("/")[-2]
    assert secret not in client.get(reverse("accounts:invitations")).content.decode()
    assert secret not in str(Invitation.objects.values().get())


def test_an_invited_person_makes_an_account_and_is_signed_in_with_the_role(client, mira, german):
    client.force_login(mira)
    link = invitation_link(client, role="expert", language="de", email="New@example.org")
    client.logout()
    page = one_line(client.get(link).content.decode())
    assert "Your role: Language expert (German)." in page
    assert "Invited by Mira." in page
    response = client.post(link, {"email": "other@example.org", "name": "Nia", "password": PASSWORD})
    assert response.status_code == 302
    user = User.objects.get(name="Nia")
    assert user.email == "new@example.org"  # the invitation's address cannot be exchanged
    assert user.has_role("expert", "de")
    assert client.session["_auth_user_id"] == str(user.pk)
    assert EmailAddress.objects.get(user=user).primary
    client.logout()
    gone = client.get(link)
    assert gone.status_code == 410
    assert "was used, withdrawn or has expired" in gone.content.decode()


@pytest.mark.parametrize(
    ("chosen", "browser", "kept"), [("hi", "de", "hi"), ("", "ar", "ar"), ("", "en", ""), ("", "", "")]
)
def test_a_new_account_keeps_the_language_of_its_invitation(client, mira, chosen, browser, kept):
    client.force_login(mira)
    link = invitation_link(client, role="annotator")
    client.logout()
    client.cookies["touchstone_language"] = chosen
    form = {"email": "nia@example.org", "name": "Nia", "password": PASSWORD}
    client.post(link, form, headers={"accept-language": browser})
    assert User.objects.get(email="nia@example.org").language == kept


def test_a_weak_password_is_refused_and_the_invitation_still_works(client, mira):
    _, secret = invitations.invite(role=RoleName.ANNOTATOR, by=mira)
    link = reverse("accounts:accept", args=[secret])
    response = client.post(link, {"email": "new@example.org", "name": "Nia", "password": "short"})
    assert response.status_code == 422
    assert "too short" in response.content.decode()
    assert not User.objects.filter(email="new@example.org").exists()
    assert client.get(link).status_code == 200


def test_an_address_with_an_account_is_told_to_sign_in(client, mira, vic):
    _, secret = invitations.invite(role=RoleName.ANNOTATOR, by=mira)
    link = reverse("accounts:accept", args=[secret])
    response = client.post(link, {"email": "Vic@example.org", "name": "Not Vic", "password": PASSWORD})
    assert response.status_code == 422
    assert "Sign in, then open the link again" in response.content.decode()


def test_a_signed_in_person_accepts_with_one_click(client, mira, vic):
    _, secret = invitations.invite(role=RoleName.ANNOTATOR, by=mira)
    client.force_login(vic)
    link = reverse("accounts:accept", args=[secret])
    assert "signed in as vic@example.org" in client.get(link).content.decode()
    client.post(link)
    assert User.objects.get(pk=vic.pk).is_annotator


def test_an_invitation_for_somebody_else_cannot_be_accepted(client, mira, vic):
    _, secret = invitations.invite(role=RoleName.MAINTAINER, email="other@example.org", by=mira)
    client.force_login(vic)
    response = client.post(reverse("accounts:accept", args=[secret]))
    assert response.status_code == 410
    assert "another e-mail address" in response.content.decode()
    assert not User.objects.get(pk=vic.pk).is_maintainer


def test_a_withdrawn_invitation_does_not_work(client, mira):
    invitation, secret = invitations.invite(role=RoleName.ANNOTATOR, by=mira)
    client.force_login(mira)
    client.post(reverse("accounts:withdraw", args=[invitation.pk]))
    client.logout()
    assert client.get(reverse("accounts:accept", args=[secret])).status_code == 410
    client.force_login(mira)
    assert "withdrawn" in client.get(reverse("accounts:invitations"), {"show": "all"}).content.decode()


def test_nobody_signs_up_without_an_invitation(client):
    client.post(reverse("account_signup"), {"email": "x@example.org", "password1": PASSWORD, "password2": PASSWORD})
    assert not User.objects.exists()


# --- oneself --------------------------------------------------------------------------------------------------------
def test_a_person_changes_their_name(client, ana):
    client.force_login(ana)
    client.post(reverse("accounts:settings"), {"name": " Ana Maria "})
    ana.refresh_from_db()
    assert ana.name == "Ana Maria"


@pytest.mark.parametrize(
    "name", ["accounts:settings", "accounts:delete", "accounts:tokens", "accounts:audit", "account_email", "mfa_index"]
)
def test_a_persons_own_pages_need_a_sign_in(client, ana, name):
    assert client.get(reverse(name)).status_code == 302
    client.force_login(ana)
    assert client.get(reverse(name)).status_code == 200


def test_deleting_the_own_account_needs_the_address_and_signs_out(client, ana):
    client.force_login(ana)
    url = reverse("accounts:delete")
    assert client.post(url, {"email": "wrong@example.org"}).status_code == 422
    assert User.objects.filter(pk=ana.pk).exists()
    client.post(url, {"email": "ana@example.org"})
    assert not User.objects.filter(pk=ana.pk).exists()
    assert "_auth_user_id" not in client.session


def test_the_last_administrator_cannot_leave(client, admin):
    client.force_login(admin)
    response = client.post(reverse("accounts:delete"), {"email": "admin@example.org"})
    assert response.status_code == 409
    assert "last administrator" in response.content.decode()
    assert User.objects.filter(pk=admin.pk).exists()


def test_a_token_is_shown_once_and_can_be_revoked(client, ana):
    client.force_login(ana)
    url = reverse("accounts:tokens")
    shown = client.post(url, {"name": "nightly", "scope": "read", "days": "30"}).content.decode()
    secret = first_match(r'value="(tst_[^"]+)"', shown)
    token = ApiToken.objects.get()
    assert secret not in str(ApiToken.objects.values().get())
    assert token.expires_at is not None
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)
    assert secret not in client.get(url).content.decode()
    client.post(reverse("accounts:revoke", args=[token.pk]))
    assert tokens.find_token(secret) is None


def test_nobody_revokes_the_token_of_another(client, ana, emil):
    token, _ = tokens.create_token(ana, name="mine", scope=Scope.READ)
    client.force_login(emil)
    assert client.post(reverse("accounts:revoke", args=[token.pk])).status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None


# --- the audit log --------------------------------------------------------------------------------------------------
def test_maintainers_see_the_whole_log_and_others_what_they_did(client, mira, ana):
    audit.record(ana, Action.LABEL_UNDONE, "annotation")
    audit.record(mira, Action.RELEASE_PUBLISHED, "release")
    url = reverse("accounts:audit")
    client.force_login(ana)
    assert [event.action for event in client.get(url).context["page"]] == [Action.LABEL_UNDONE]
    client.force_login(mira)
    assert len(client.get(url).context["page"]) == 2
    assert [e.who for e in client.get(url, {"who": "an"}).context["page"]] == ["Ana"]
    assert len(client.get(url, {"action": "release_published"}).context["page"]) == 1
    assert len(client.get(url, {"subject": "annot"}).context["page"]) == 1
    tomorrow = (timezone.now() + timedelta(days=1)).date().isoformat()
    assert len(client.get(url, {"since": tomorrow}).context["page"]) == 0
    assert len(client.get(url, {"until": timezone.now().date().isoformat()}).context["page"]) == 2


def test_a_filter_that_cannot_be_read_shows_nothing_and_says_so(client, mira):
    audit.record(mira, Action.RELEASE_PUBLISHED, "release")
    client.force_login(mira)
    response = client.get(reverse("accounts:audit"), {"since": "soon"})
    assert len(response.context["page"]) == 0
    assert "Enter a valid date" in response.content.decode()


@pytest.mark.parametrize("name", ["=1+1", "＝1+1", "@cmd"])
def test_the_log_downloads_as_csv_with_the_same_filters_and_without_formulas(client, mira, ana, name):
    audit.record(ana, Action.LABEL_UNDONE, "annotation")
    people.rename(mira, name=name)
    audit.record(mira, Action.RELEASE_PUBLISHED, "release", note="x")
    client.force_login(mira)
    response = client.get(reverse("core:audit-csv"), {"action": "release_published"})
    lines = b"".join(response.streaming_content).decode().splitlines()
    assert lines[0].startswith("at,who,action")
    assert len(lines) == 2
    assert f",'{name},release_published,release," in lines[1]


def test_the_log_costs_the_same_for_one_or_fifty_entries(client, mira, django_assert_max_num_queries):
    for _ in range(55):
        audit.record(mira, Action.RELEASE_PUBLISHED, "release")
    client.force_login(mira)
    with django_assert_max_num_queries(6):
        client.get(reverse("accounts:audit"))


def test_a_deleted_person_is_a_pseudonym_in_the_log(client, mira, ana):
    audit.record(ana, Action.LABEL_UNDONE, "annotation")
    number = ana.pk
    people.delete_person(ana, by=ana)
    client.force_login(mira)
    page = client.get(reverse("accounts:audit")).content.decode()
    assert f"person-{number}" in page
    assert "Ana" not in page


# --- signing in -----------------------------------------------------------------------------------------------------
def sign_in(client, password: str, email: str = "ana@example.org", address: str = "10.0.0.1"):
    return client.post(reverse("account_login"), {"login": email, "password": password}, REMOTE_ADDR=address)


def test_the_right_password_signs_in(client, ana):
    assert sign_in(client, PASSWORD).status_code == 302
    assert client.session["_auth_user_id"] == str(ana.pk)


def test_after_five_failures_the_account_is_locked_even_for_the_right_password(client, ana, vic):
    for _ in range(4):
        assert sign_in(client, "wrong").status_code == 200
    assert sign_in(client, "wrong").status_code == 429
    locked = sign_in(client, PASSWORD)
    assert locked.status_code == 429
    assert "account/locked.html" in [template.name for template in locked.templates]
    assert "There were too many wrong attempts (password). Try again in 15 minutes." in locked.content.decode()
    assert "_auth_user_id" not in client.session
    # Spelling the address differently is no way round it; another person or another place is not locked.
    assert sign_in(client, PASSWORD, email="ANA@example.org").status_code == 429
    assert sign_in(client, PASSWORD, email="vic@example.org").status_code == 302
    client.logout()
    assert sign_in(client, PASSWORD, address="10.0.0.2").status_code == 302


def test_a_forgotten_password_is_reset_by_mail(client, ana, mailoutbox):
    EmailAddress.objects.create(user=ana, email=ana.email, primary=True, verified=True)
    client.post(reverse("account_reset_password"), {"email": ana.email})
    link = first_match(r"http://testserver(/\S+)", mailoutbox[0].body)
    form = client.get(link, follow=True)
    client.post(form.request["PATH_INFO"], {"password1": "another long password", "password2": "another long password"})
    ana.refresh_from_db()
    assert ana.check_password("another long password")


def test_a_new_password_opens_a_locked_account(client, ana, mailoutbox):
    EmailAddress.objects.create(user=ana, email=ana.email, primary=True, verified=True)
    for _ in range(5):
        sign_in(client, "wrong")
    assert sign_in(client, PASSWORD).status_code == 429
    client.post(reverse("account_reset_password"), {"email": ana.email})
    link = first_match(r"http://testserver(/\S+)", mailoutbox[-1].body)
    form = client.get(link, follow=True)
    client.post(form.request["PATH_INFO"], {"password1": "another long password", "password2": "another long password"})
    assert sign_in(client, "another long password").status_code == 302


@pytest.mark.parametrize(("behind_proxy", "locked"), [(True, False), (False, True)])
def test_a_forwarded_address_is_believed_only_behind_a_proxy(client, ana, settings, behind_proxy, locked):
    settings.BEHIND_PROXY = behind_proxy
    url = reverse("account_login")
    for _ in range(5):
        client.post(url, {"login": ana.email, "password": "wrong"}, headers={"x-forwarded-for": "6.6.6.6, 10.1.1.1"})
    elsewhere = client.post(url, {"login": ana.email, "password": PASSWORD}, headers={"x-forwarded-for": "10.2.2.2"})
    assert (elsewhere.status_code == 429) is locked


def test_with_a_second_factor_the_password_is_not_enough(client, ana):
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, hotp_value
    from allauth.mfa.totp.internal.auth import yield_hotp_counters_from_time as counters

    secret = generate_totp_secret()
    TOTP.activate(ana, secret)
    response = sign_in(client, PASSWORD)
    assert response["Location"] == reverse("mfa_authenticate")
    assert "_auth_user_id" not in client.session
    code = f"{hotp_value(secret, next(iter(counters()))):06d}"
    client.post(reverse("mfa_authenticate"), {"code": code})
    assert client.session["_auth_user_id"] == str(ana.pk)


def test_passwords_are_stored_with_argon2():
    from django.test import override_settings

    from config import settings as written

    with override_settings(PASSWORD_HASHERS=written.PASSWORD_HASHERS):
        assert User.objects.create_user("x@example.org", PASSWORD).password.startswith("argon2")


# --- locale ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("accepted", "expected"),
    [
        ("de-DE,de;q=0.9", ("16.11.2026", "Dabei seit", "Dieses Feld ist erforderlich")),
        ("en-GB", ("16 Nov 2026", "Joined", "This field is required")),
        ("ja", ("16 Nov 2026", "Joined", "This field is required")),
        ("", ("16 Nov 2026", "Joined", "This field is required")),
    ],
)
def test_texts_and_dates_follow_the_reader(client, mira, accepted, expected):
    User.objects.filter(pk=mira.pk).update(joined_at="2026-11-16T12:00:00Z")
    client.force_login(mira)
    page = client.get(reverse("accounts:people"), headers={"accept-language": accepted}).content.decode()
    day, joined, required = expected
    assert day in page
    assert joined in page
    wrong = client.post(
        reverse("account_change_password"), {"oldpassword": ""}, headers={"accept-language": accepted}
    ).content.decode()
    assert required in wrong
