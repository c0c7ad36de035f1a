"""The options of the commands that operators run on the machine."""

from core.options import API, PAGE, File, Options, option

ON_THE_MACHINE = {PAGE: "an operator does it on the machine", API: "an operator does it on the machine"}


class BackupOptions(Options):
    """Where the archive is written."""

    verb = "backup"
    without = ON_THE_MACHINE

    out: File = option(help="The file to write, e.g. touchstone-2026-11-18.zip.", metavar="FILE")


class RestoreOptions(Options):
    """Which archive is loaded, and whether it may replace what is there."""

    verb = "restore"
    without = ON_THE_MACHINE

    archive: File = option(help="An archive that backup wrote.", positional=True, metavar="FILE")
    replace: bool = option(False, help="Delete what this instance holds first.")


class CheckInstanceOptions(Options):
    """Nothing to choose: every check is made."""

    verb = "check_instance"
    without = ON_THE_MACHINE
