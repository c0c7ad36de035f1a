"""The demo: one person per role, and a small mild suite all the way to results of two models. Only for trying out."""

from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.models import RoleName, User
from accounts.models.people import INSTANCE_WIDE, WHOLE_INSTANCE
from accounts.services.people import grant_role
from annotation.demo import load_demo_campaigns
from curation.demo import demo_fixture, load_demo_release, load_demo_suite
from evaluation.demo import load_demo_results

DEMO_PASSWORD = "touchstone demo"  # noqa: S105  (printed at every start; the demo listens on this machine only)


class DemoPerson(NamedTuple):
    email: str
    name: str
    role: str
    languages: tuple[str, ...]

    @property
    def what(self) -> str:
        scope = WHOLE_INSTANCE if self.role in INSTANCE_WIDE else ", ".join(self.languages)
        return f"{self.name}, {self.role}" + (f" ({scope})" if scope else "")


def _people() -> list[DemoPerson]:
    rows = demo_fixture("users")["users"]
    return [DemoPerson(row["email"], row["name"], row["role"], tuple(row["languages"])) for row in rows]


DEMO_PEOPLE = _people()


@transaction.atomic
def load_demo_people() -> None:
    """One person per role, all with the same printed password. Refuses to run in production."""
    if settings.PRODUCTION:
        raise RuntimeError("the demo's people have a known password and never exist in production")
    known = set(User.objects.values_list("email", flat=True))
    missing = [person for person in DEMO_PEOPLE if person.email not in known]
    password = make_password(DEMO_PASSWORD) if missing else ""  # once for all: it takes a third of a second
    for person in missing:
        user = User(email=person.email, name=person.name, password=password)
        user.is_staff = user.is_superuser = person.role == "administrator"
        user.save()
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        if person.role in RoleName.values:
            for language in person.languages or ("",):
                grant_role(user, RoleName(person.role), language=language, by=None)


def demo_people_exist() -> bool:
    return bool(User.objects.filter(email__in=[person.email for person in DEMO_PEOPLE]).exists())


def load_demo() -> None:
    """Everything the demo shows. Loading again changes nothing."""
    load_demo_people()
    maintainer = User.objects.filter(grants__role=RoleName.MAINTAINER, email__endswith="@demo.example").first()
    suite = load_demo_suite(maintainer)
    if maintainer is not None:
        load_demo_campaigns(maintainer)
        load_demo_results(load_demo_release(suite, by=maintainer), by=maintainer)
