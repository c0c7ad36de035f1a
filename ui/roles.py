"""Roles as the navigation sees them: plain words, without knowing the account models."""

EVERYBODY = "everybody"
ANNOTATOR = "annotator"
EXPERT = "expert"
EVALUATOR = "evaluator"
MAINTAINER = "maintainer"
ADMINISTRATOR = "administrator"

ALL_ROLES = frozenset({EVERYBODY, ANNOTATOR, EXPERT, EVALUATOR, MAINTAINER, ADMINISTRATOR})


def roles_of(user: object | None) -> frozenset[str]:
    """The roles of a user in any language; visitors have none beyond `everybody`."""
    if user is None or not getattr(user, "is_authenticated", False):
        return frozenset({EVERYBODY})
    if getattr(user, "is_superuser", False):
        return ALL_ROLES
    granted = {role for role, _language in getattr(user, "role_grants", ())}
    return frozenset({EVERYBODY, *granted})
