from accounts.models.audit import Action, AuditEvent
from accounts.models.invitations import Invitation
from accounts.models.people import RoleGrant, RoleName, User
from accounts.models.sign_in import Secret, SignInAttempt
from accounts.models.tokens import ApiToken, Scope

__all__ = [
    "Action",
    "ApiToken",
    "AuditEvent",
    "Invitation",
    "RoleGrant",
    "RoleName",
    "Scope",
    "Secret",
    "SignInAttempt",
    "User",
]
