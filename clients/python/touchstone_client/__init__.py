"""Thin, typed client for a Touchstone server."""

from touchstone_client.client import Client, print_progress
from touchstone_client.errors import NotFound, NotPermitted, NotSignedIn, RunFailed, StillRunning, TouchstoneError
from touchstone_client.values import Case, Model, Release, RunState

__version__ = "0.1.0"
__all__ = [
    "Case",
    "Client",
    "Model",
    "NotFound",
    "NotPermitted",
    "NotSignedIn",
    "Release",
    "RunFailed",
    "RunState",
    "StillRunning",
    "TouchstoneError",
    "print_progress",
]
