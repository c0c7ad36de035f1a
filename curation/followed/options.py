"""The options of following an index."""

from core.options import COMMAND, Options, option
from core.text import _


class FollowOptions(Options):
    """Which index is followed."""

    verb = "follow"
    without = {COMMAND: "a signed-in maintainer follows; import_release SUITE@VERSION --from URL needs no following"}

    address: str = option(
        label=_("Address"),
        help=_(
            "An instance, a folder on a web server, or a dataset of the Hugging Face Hub. Examples: "
            "https://suites.example.org, hf:OWNER/DATASET."
        ),
        longest=500,
    )
    public_key: str = option(
        "",
        label=_("Public key"),
        help=_("Refuse the index unless it is signed with this key (one line that begins with RW)."),
        unless_given=_("the key it is signed with when it is read first"),
        longest=200,
    )
