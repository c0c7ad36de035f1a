"""Invite people, and give them roles."""

from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.models import User
from accounts.options import InvitationOptions
from accounts.services.invitations import invite
from accounts.services.people import grant_role
from config.options import GrantOptions
from core.commands import DomainCommand
from core.errors import Missing
from core.options import Options


class Command(DomainCommand):
    help = "People: invite one by a link, or give one a role. `list people` shows who there is."
    steps = {"invite": InvitationOptions, "grant": GrantOptions}

    def perform(self, chosen: Options) -> dict[str, Any]:
        match chosen:
            case InvitationOptions():
                invitation, secret = invite(**chosen.model_dump(), by=None)
                address = f"{settings.SITE_URL}{reverse('accounts:accept', args=[secret])}"
                return {"role": invitation.role, "language": invitation.language, "link": address}
            case GrantOptions():
                user = User.objects.filter(email__iexact=chosen.person).first()
                if user is None:
                    raise Missing(f"Nobody has the address '{chosen.person}'. See: list people")
                grant_role(user, chosen.role, language=chosen.language, by=None)
                return {"person": user.email, "role": chosen.role, "language": chosen.language}
        raise TypeError(chosen)

    def describe(self, result: dict[str, Any]) -> str:
        role = result["role"] + (f" ({result['language']})" if result["language"] else "")
        if "link" in result:
            return f"Who opens this link within 14 days becomes {role}; it is shown only now: {result['link']}"
        return f"{result['person']} is {role}."
