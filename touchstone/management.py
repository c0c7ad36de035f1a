"""Runs Django's management commands for `touchstone` and `manage.py` alike."""

import os
import sys
from collections.abc import Sequence

from touchstone.paths import APP_ROOT, IS_INSTALLED, data_folder, make_importable


def prepare() -> None:
    """Set what every process of the product needs, also those that are started from here."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("TOUCHSTONE_VAR", str(data_folder()))
    # The person who gives a command reads its answer; what was done is in the audit log. Servers log more.
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    make_importable(first=True)
    if IS_INSTALLED:
        known = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(APP_ROOT), known]))


def run_management_command(arguments: Sequence[str]) -> None:
    """Run a command; `arguments` begin with the name of the program. A wrong setting ends it with one sentence."""
    prepare()
    from config.environment import WrongSetting

    try:
        from django.core.management import execute_from_command_line

        if IS_INSTALLED and arguments[1:2] == ["up"]:
            # The web server and the worker look for modules where they stand, before they look into the package.
            folder = data_folder()
            folder.mkdir(parents=True, exist_ok=True)
            os.chdir(folder)
        execute_from_command_line(list(arguments))
    except WrongSetting as error:
        sys.exit(f"Touchstone cannot start: {error}")
