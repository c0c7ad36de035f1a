"""Clients for the hubs of this installation: the one place that reads their addresses and tokens."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from core.errors import BadInput
from core.inference.settings import allow_hosts
from core.text import _
from curation.hubs.client import HubClient
from curation.hubs.models import Hub

TOKENS = {Hub.HUGGING_FACE: "HUGGINGFACE_TOKEN", Hub.ZENODO: "ZENODO_TOKEN"}
SERVERS = {Hub.HUGGING_FACE: "HUGGINGFACE_URL", Hub.ZENODO: "ZENODO_URL"}


def server_of(hub: Hub) -> str:
    """Return the address of a hub, without a slash at its end."""
    address: str = getattr(settings, SERVERS[hub])
    return address.rstrip("/")


def is_connected(hub: Hub) -> bool:
    """Tell whether the settings name a token for a hub and permit its host."""
    return bool(getattr(settings, TOKENS[hub])) and allow_hosts(settings.ALLOWED_HUB_HOSTS)(server_of(hub))


def require_connected(hub: Hub) -> None:
    """Refuse a hub that the operator has not set up; names the settings."""
    if not is_connected(hub):
        raise BadInput(
            _(
                "%(hub)s is not set up here. The operator sets %(token)s and lists the host in ALLOWED_HUB_HOSTS "
                "(docs/deploy.md).",
                hub=hub.label,
                token=TOKENS[hub],
            ),
            field="hub",
        )


@contextmanager
def client_of(hub: Hub) -> Iterator[HubClient]:
    """Open a client for a hub. Refuses what `require_connected` refuses."""
    require_connected(hub)
    token: str = getattr(settings, TOKENS[hub])
    agent = f"Touchstone/{settings.VERSION}"
    client = HubClient(server_of(hub), token, hosts=settings.ALLOWED_HUB_HOSTS, agent=agent)
    try:
        yield client
    finally:
        client.close()
