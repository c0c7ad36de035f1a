"""The form of following an index."""

from core.options.forms import OptionsForm
from curation.followed.options import FollowOptions


class FollowForm(OptionsForm[FollowOptions]):
    options = FollowOptions
