"""Start everything with one command: database, catalogue, web server and worker."""

import gc
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connections

from config import processes
from config.demo import DEMO_PASSWORD, DEMO_PEOPLE, demo_people_exist, load_demo
from config.library import load_library
from config.lock import InstanceRuns, take_lock
from config.supervising import Plan, become_supervisor, end_leftovers
from core.commands import program

DEFAULT_PORT = 8000


class Command(BaseCommand):
    help = "Migrate, load the catalogue, start web server and worker, print the address and the sign-ins."
    # The server loads and checks the pages; loading them here as well would take two seconds of every start.
    requires_system_checks = [Tags.models, Tags.caches, Tags.files]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 takes the next free port from 8000 on")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--demo", action="store_true", help="load demo people, a small suite and a campaign")
        parser.add_argument(
            "--allow-demo-on-network",
            action="store_true",
            help="listen on other addresses than this machine's own although the demo's passwords are public",
        )

    def handle(self, *args: Any, port: int, host: str, demo: bool, allow_demo_on_network: bool, **options: Any) -> None:
        self.refuse_demo_on_network(host, demo=demo, allowed=allow_demo_on_network)
        records = settings.VAR / "up"
        try:
            take_lock(settings.VAR)  # held by the supervisor that this process becomes
        except InstanceRuns as error:
            raise CommandError(str(error)) from error
        if end_leftovers(records) and port:
            self.wait_for_port(host, port)
        if port == 0:
            port = processes.next_free_port(host, DEFAULT_PORT)
        elif not processes.is_free(host, port):
            raise CommandError(
                f"Port {port} on {host} is taken. Stop what listens there, "
                "or start with --port 0 for the next free port."
            )
        gc.disable()  # new tables take half the time; this process then becomes another and gives the memory back
        call_command("migrate", interactive=False, verbosity=0)
        load_library()
        if demo:
            load_demo()
        self.refuse_demo_on_network(host, demo=demo_people_exist(), allowed=allow_demo_on_network)
        connections.close_all()
        commands = {
            "web server": processes.web_command(host, port),
            "worker": processes.worker_command(),
        }
        become_supervisor(Plan(commands, host, port, self.announcement(host, port, demo=demo), str(records)))

    def refuse_demo_on_network(self, host: str, *, demo: bool, allowed: bool) -> None:
        """The demo's administrator has a printed password: only people at this machine may reach it."""
        if demo and not allowed and not processes.is_loopback(host):
            raise CommandError(
                f"The demo's accounts, with an administrator among them, have a public password, and {host} can be "
                "reached from the network. Leave out --host, use a folder without the demo (TOUCHSTONE_VAR), or add "
                "--allow-demo-on-network if every person on the network may do everything."
            )

    def wait_for_port(self, host: str, port: int) -> None:
        """What an earlier start left behind was ended just now; the system gives its port back a moment later."""
        deadline = time.monotonic() + 5
        while not processes.is_free(host, port) and time.monotonic() < deadline:
            time.sleep(0.1)

    def announcement(self, host: str, port: int, *, demo: bool) -> str:
        lines = [f"\nTouchstone {settings.VERSION} is at http://{host}:{port}/  (data in {settings.VAR})"]
        if demo:
            lines.append(f"Sign in with the password '{DEMO_PASSWORD}' as:")
            lines += [f"  {person.email:<28} {person.what}" for person in DEMO_PEOPLE]
        else:
            lines.append(f"No account yet? Make an administrator: {program()} createsuperuser")
        return "\n".join([*lines, "Stop with Ctrl-C."])
