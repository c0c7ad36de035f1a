"""Pages of the app accounts; allauth's stand beside them."""

from django.urls import path

from accounts.views import audit, invitations, language, people, settings, tokens

app_name = "accounts"
urlpatterns = [
    path("people/", people.people_page, name="people"),
    path("people/<int:pk>/", people.person_page, name="person"),
    path("people/<int:pk>/roles/", people.grant_role, name="grant"),
    path("people/<int:pk>/roles/<int:grant>/take/", people.take_role, name="take"),
    path("people/<int:pk>/administrator/", people.change_administrator, name="administrator"),
    *(path(f"people/<int:pk>/{step}/", people.change_access, {"step": step}, name=step) for step in people.STEPS),
    path("people/<int:pk>/tokens/<int:token>/revoke/", people.revoke_token_of, name="revoke-of"),
    path("people/<int:pk>/delete/", people.delete_person, name="delete-person"),
    path("people/invitations/", invitations.invitations_page, name="invitations"),
    path("people/invitations/<int:pk>/withdraw/", invitations.withdraw_invitation, name="withdraw"),
    path("join/<str:secret>/", invitations.accept, name="accept"),
    path("language/", language.choose_language, name="language"),
    path("settings/", settings.settings_page, name="settings"),
    path("settings/delete/", settings.delete_account, name="delete"),
    path("tokens/", tokens.tokens_page, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.revoke_token, name="revoke"),
    path("audit/", audit.audit_page, name="audit"),
]
