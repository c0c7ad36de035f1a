"""The options of the verbs about notifications; page and API are made from them."""

from core.notifications.models import Happening
from core.options import COMMAND, Options, option
from core.text import _


class WebhookOptions(Options):
    """Which address is told what happens."""

    verb = "add webhook"
    without = {COMMAND: "a signed-in administrator adds it, and the secret is shown once"}

    url: str = option(
        label=_("Address"),
        help=_("The host must be listed in ALLOWED_WEBHOOK_HOSTS. Example: https://bot.example.org/touchstone"),
        longest=300,
    )
    kinds: tuple[str, ...] = option(
        (), label=_("Events"), help=_("Which events are sent to this address."), unless_given=_("all events"),
        choices=dict(Happening.choices),
    )  # fmt: skip
