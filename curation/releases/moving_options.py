"""The options of writing a release into files, checking them, and bringing one in."""

from typing import Any, Self

from pydantic import model_validator

from core.options import API, COMMAND, PAGE, File, Options, option, refuse
from core.text import _
from curation.indexes.reading import REFERENCE
from curation.publishing.export import FORMATS
from curation.releases.models import Access


class ExportReleaseOptions(Options):
    """Where a release is written, and how."""

    verb = "export_release"
    without = {PAGE: "offers downloads", API: "offers downloads"}

    release: str = option(help=_("The release."), positional=True, metavar="SUITE@VERSION")
    out: File = option(help=_("A folder that is new or empty."), metavar="DIR")
    format: tuple[str, ...] = option(
        ("csv",), help=_("Formats beside cases.csv, checksums and documents."), choices={name: name for name in FORMATS}
    )


class ImportReleaseOptions(Options):
    """Bring a release that another instance published into this one, sealed as it was."""

    verb = "import_release"

    file: File = option(
        None, label=_("File"), help=_("The zip file of an export, with its manifest."),
        without={COMMAND: "path names it"},
    )  # fmt: skip
    release: str = option(
        "", label=_("Release"), longest=150,
        help=_("Instead of a file: SUITE@VERSION as a followed index, or the index named below, lists it."),
        without={COMMAND: "path names it"},
    )  # fmt: skip
    source: str = option(
        "", label=_("Index"), flag="--from", metavar="URL", longest=500,
        help=_("The index that names the release: https://HOST or hf:OWNER/DATASET."),
        unless_given=_("the followed indexes"),
    )  # fmt: skip
    path: File = option(
        None, help=_("The exported folder or zip file, or a release that an index names."), needed=(COMMAND,),
        metavar="DIR_OR_ZIP | SUITE@VERSION", positional=True,
        without=dict.fromkeys((PAGE, API), "a file is uploaded"),
    )  # fmt: skip
    access: Access = option(
        Access.PRIVATE, label=_("Access"),
        help=_("Who may read the release here. Check its licence before you open it to everyone."),
    )  # fmt: skip
    sha256: str = option(
        "", label=_("Published checksum"), longest=64,
        help=_("Refuse the release unless it has this checksum, which its publisher printed elsewhere."),
    )  # fmt: skip
    public_key: str = option(
        "", label=_("Public key"), longest=200,
        help=_("Refuse the release unless its signature was made with this key (one line that begins with RW)."),
    )  # fmt: skip

    @model_validator(mode="after")
    def _names_one_release(self) -> Self:
        if not (self.file or self.path or self.release):
            refuse(_("Choose a file, or name a release as SUITE@VERSION."), about="file")
        if self.file and self.release:
            refuse(_("Choose a file or name a release, not both."), about="release")
        if self.release and not REFERENCE.fullmatch(self.release):
            refuse(_("Write SUITE@VERSION, for example hatecheck@1.0.0."), about="release")
        return self

    def how(self) -> dict[str, Any]:
        """Return what is checked, and who may read the release here."""
        return {name: getattr(self, name) for name in ("access", "public_key", "sha256")}


class VerifyReleaseOptions(Options):
    """What is checked, and against what."""

    verb = "verify_release"
    without = {PAGE: "has a button for each release", API: "has an address for each release"}

    subject: str = option(help=_("A release, or an exported folder."), positional=True, metavar="SUITE@VERSION | DIR")
    public_key: str = option("", help=_("Also check the detached signature of an exported folder."), metavar="FILE")
    sha256: str = option("", help=_("Also compare with the checksum published elsewhere."), metavar="CHECKSUM")
