"""The demo: one person per role, a small mild suite and a campaign in progress. Only for trying out."""

from __future__ import annotations

import json
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction

from accounts.models import RoleName, User
from accounts.services.people import grant_role
from annotation.demo import load_demo_campaign
from curation.services.demo import load_demo_suite

DEMO_PASSWORD = "touchstone demo"  # noqa: S105  (printed at every start; the demo listens on this machine only)


class DemoPerson(NamedTuple):
    email: str
    name: str
    role: str
    languages: tuple[str, ...]

    @property
    def what(self) -> str:
        return f"{self.name}, {self.role}" + (f" ({', '.join(self.languages)})" if self.languages else "")


def _people() -> list[DemoPerson]:
    rows = json.loads((settings.FIXTURES / "demo" / "users.json").read_text(encoding="utf-8"))["users"]
    return [DemoPerson(row["email"], row["name"], row["role"], tuple(row["languages"])) for row in rows]


DEMO_PEOPLE = _people()


@transaction.atomic
def load_demo_people() -> None:
    """One person per role, all with the same printed password. Refuses to run in production."""
    if settings.PRODUCTION:
        raise RuntimeError("the demo's people have a known password and never exist in production")
    for person in DEMO_PEOPLE:
        user, is_new = User.objects.get_or_create(email=person.email, defaults={"name": person.name})
        if not is_new:
            continue
        user.set_password(DEMO_PASSWORD)
        user.is_staff = user.is_superuser = person.role == "administrator"
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        if person.role in RoleName.values:
            for language in person.languages or ("",):
                grant_role(user, RoleName(person.role), language=language, by=None)


def load_demo() -> None:
    """Everything the demo shows. Loading again changes nothing."""
    load_demo_people()
    maintainer = User.objects.filter(grants__role=RoleName.MAINTAINER, email__endswith="@demo.example").first()
    load_demo_suite(maintainer)
    if maintainer is not None:
        load_demo_campaign(maintainer)
