"""Erase a person."""

from typing import Any

from accounts.models import User
from accounts.services.people import erase_person
from core.commands import DomainCommand
from core.errors import Missing
from core.options import API, PAGE, Options, option


class ErasureOptions(Options):
    """Delete an account and every trace of the person's name and address."""

    verb = "erase person"
    without = {PAGE: "Accounts are deleted on the page of the person.", API: "Accounts are deleted on pages only."}
    email: str = option(help="The e-mail address of the account.", positional=True)


class Command(DomainCommand):
    help = "Delete an account with its name, addresses, sessions and tokens. Labels and decisions stay, pseudonymous."
    options = ErasureOptions

    def perform(self, chosen: ErasureOptions) -> dict[str, Any]:
        person = User.objects.filter(email=chosen.email.strip().lower()).first()
        if person is None:
            raise Missing(f"There is no account with the address '{chosen.email}'.")
        pseudonym = person.pseudonym
        erase_person(person)
        return {"erased": pseudonym}

    def describe(self, result: dict[str, Any]) -> str:
        return f"The account is erased. What stays is recorded as {result['erased']}."
