"""The options of publishing at hubs; page, API and command line are made from them."""

import re

from core.options import API, COMMAND, PAGE, Options, option
from core.text import _
from curation.hubs.models import Hub

NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}")


class PublishToHubOptions(Options):
    """Publish a release at a hub: as a data set, or as a deposit with a DOI."""

    verb = "publish_to_hub"

    release: str = option(
        "", help=_("The release."), positional=True, metavar="SUITE@VERSION", needed=(COMMAND,),
        without=dict.fromkeys((PAGE, API), "the address names it"),
    )  # fmt: skip
    hub: Hub = option(label=_("Hub"), help=_("Where the release is published."))
    repository: str = option(
        "", label=_("Data set"), help=_("For the Hugging Face Hub: owner and name, for example lab/my-suite."),
        unless_given=_("the owner of the settings and the key of the suite"), longest=192, metavar="OWNER/NAME",
    )  # fmt: skip


class ReserveDoiOptions(Options):
    """Reserve a DOI for a release before it is published, so that its files can name it."""

    verb = "reserve_doi"
    without = {PAGE: "has a button for each release", API: "has an address for each release"}

    release: str = option(help=_("A draft or candidate."), positional=True, metavar="SUITE@VERSION")
