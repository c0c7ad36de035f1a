"""The options of a decision about a suite; page and API are made from them."""

from core.options import COMMAND, option
from curation.releases.options import RuleOptions


class DecisionOptions(RuleOptions):
    """The rules that are applied to a suite, and how many cases the preview said would go."""

    verb = "decide"
    without = {COMMAND: "a signed-in maintainer decides; freeze takes other rules for one release"}

    expected: int | None = option(
        None, help="How many cases the preview said would go; another number is refused.", least=0
    )
