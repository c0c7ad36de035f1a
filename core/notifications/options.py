"""The options of the verbs about notifications; page and API are made from them."""

from core.notifications.models import Happening
from core.options import COMMAND, Options, option


class WebhookOptions(Options):
    """Which address is told what happens."""

    verb = "add webhook"
    without = {COMMAND: "a signed-in administrator adds it, and the secret is shown once"}

    url: str = option(
        label="Address", help="Its host must be listed in ALLOWED_WEBHOOK_HOSTS (docs/deploy.md).", longest=300
    )
    kinds: tuple[str, ...] = option(
        (), label="Tell it about", help="Kinds of events.", unless_given="everything",
        choices=dict(Happening.choices),
    )  # fmt: skip
