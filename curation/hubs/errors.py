"""What can go wrong between this installation and a hub."""

from core.errors import DomainError


class HubFailed(DomainError):
    """A hub refused something; another try would not help."""

    code, status = "hub_failed", 502


class HubAway(DomainError):
    """A hub is busy or cannot be reached; another try may help."""

    code, status = "hub_away", 503
