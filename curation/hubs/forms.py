"""The form that publishes a release at a hub."""

from core.options.forms import OptionsForm
from curation.hubs.options import PublishToHubOptions


class PublishToHubForm(OptionsForm[PublishToHubOptions]):
    options = PublishToHubOptions
