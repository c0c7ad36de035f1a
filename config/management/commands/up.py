"""Start everything with one command: database, catalogue, web server and worker."""

from __future__ import annotations

import os
import signal
import time
from argparse import ArgumentParser
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command

from config import processes
from config.demo import DEMO_PASSWORD, DEMO_PEOPLE, load_demo
from curation.services.catalogue import load_catalogue
from generation.services.prompts import load_prompts

DEFAULT_PORT = 8000


class Command(BaseCommand):
    help = "Migrate, load the catalogue, start web server and worker, print the address and the sign-ins."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 takes the next free port from 8000 on")
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--demo", action="store_true", help="load demo people, a small suite and a campaign")

    def handle(self, *args: Any, port: int, host: str, demo: bool, **options: Any) -> None:
        if port == 0:
            port = processes.next_free_port(host, DEFAULT_PORT)
        elif not processes.is_free(host, port):
            raise CommandError(
                f"Port {port} on {host} is taken. Stop what listens there, "
                "or start with --port 0 for the next free port."
            )
        call_command("migrate", interactive=False, verbosity=0)
        load_catalogue()
        load_prompts()
        if demo:
            load_demo()
        self.supervise(host, port, demo=demo)

    def supervise(self, host: str, port: int, *, demo: bool) -> None:
        os.environ.setdefault("LOG_LEVEL", "WARNING")  # what people read here is the address and what goes wrong
        children = [
            processes.Child("web server", processes.web_command(host, port)),
            processes.Child("worker", processes.worker_command()),
        ]
        stopping = False

        def stop(_signal: int, _frame: FrameType | None) -> None:
            nonlocal stopping
            stopping = True

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        announced = False
        try:
            while not stopping:
                for child in children:
                    child.look_after(self.stderr.write)
                if not announced and processes.answers(host, port):
                    self.announce(host, port, demo=demo)
                    announced = True
                time.sleep(0.2)
        finally:
            processes.stop_all(children)
        self.stdout.write("Stopped.")

    def announce(self, host: str, port: int, *, demo: bool) -> None:
        self.stdout.write(f"\nTouchstone {settings.VERSION} is at http://{host}:{port}/  (data in {settings.VAR})\n")
        if demo:
            self.stdout.write(f"Sign in with the password '{DEMO_PASSWORD}' as:\n")
            for person in DEMO_PEOPLE:
                self.stdout.write(f"  {person.email:<28} {person.what}\n")
        else:
            self.stdout.write("No account yet? Make an administrator: python manage.py createsuperuser\n")
        self.stdout.write("Stop with Ctrl-C.\n")
        self.stdout.flush()
