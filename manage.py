#!/usr/bin/env python
"""Touchstone's command line in a checkout; an installed Touchstone has the command `touchstone`."""

import sys

from touchstone.management import run_management_command

if __name__ == "__main__":
    run_management_command(sys.argv)
