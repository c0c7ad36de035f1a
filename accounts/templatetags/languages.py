"""Language codes as people read them."""

from django import template

from accounts.models import Invitation, RoleGrant
from accounts.models.people import INSTANCE_WIDE, WHOLE_INSTANCE

register = template.Library()


@register.filter
def scope_in(given: RoleGrant | Invitation, names: dict[str, str]) -> str:
    """Return where a role counts: the language's name, its code where the catalogue does not know it, or everywhere."""
    return WHOLE_INSTANCE if given.role in INSTANCE_WIDE else names.get(given.language, given.language)
