"""The options of the commands that operators run on the machine."""

from accounts.options import RoleOptions
from config.listing import LISTS
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


class GrantOptions(RoleOptions):
    """Which person gets which role."""

    verb = "grant"
    without = {PAGE: "the page of a person does it", API: "people are managed on pages"}

    person: str = option(help="E-mail address of the person.", positional=True, metavar="EMAIL")


class ListOptions(Options):
    """What is listed, and which of it."""

    verb = "list"
    without = {PAGE: "every kind of thing has a page of its own", API: "every kind of thing has an address"}

    what: str = option(help="What to list.", positional=True, choices={name: name for name in LISTS})
    suite: str = option("", help="Of this suite only.", unless_given="all suites", metavar="SUITE")
    release: str = option("", help="Of this release only.", unless_given="all releases", metavar="SUITE@VERSION")
    model: str = option("", help="Of this model only, by name or key.", unless_given="all models", metavar="NAME")
    limit: int = option(50, help="At most this number, the newest.", least=1, metavar="N")
