#!/usr/bin/env python
"""Touchstone's command line."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Whoever gives a command reads its answer; what was done is in the audit log. Servers log more.
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    from config.environment import WrongSetting

    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except WrongSetting as error:
        sys.exit(f"Touchstone cannot start: {error}")
