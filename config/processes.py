"""The processes of the embedded mode and where they listen."""

import ipaddress
import socket
import sys

from django.conf import settings


def is_free(host: str, port: int) -> bool:
    """Whether somebody could listen there now."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach the address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def next_free_port(host: str, start: int) -> int:
    """The first free port from `start` on. Refuses when a thousand are taken."""
    for port in range(start, start + 1000):
        if is_free(host, port):
            return port
    raise OSError(f"no free port between {start} and {start + 999} on {host}")


def web_command(host: str, port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "granian", "--interface", "rsgi", "--host", host, "--port", str(port)),
        *("--workers", "1", "--no-ws", "--log-level", "warning", "config.front:application"),
    ]


def worker_command() -> list[str]:
    # The checks would load all pages, and the worker would keep 40 MB of them.
    queues = f"{settings.QUEUE_PREFIX}light,{settings.QUEUE_PREFIX}models"
    return [
        *(sys.executable, "-m", "celery", "--quiet", "-A", "config", "--skip-checks"),
        *("worker", "--beat", "--queues", queues),
        *("--concurrency", "2", "--loglevel", "WARNING", "--without-gossip", "--without-mingle"),
    ]
