"""List the models that can be named by a preset."""

from typing import Any

from core.commands import DomainCommand
from core.errors import Missing
from core.inference.errors import SpecError
from core.options import API, PAGE, Options, option
from evaluation.runners.preset_texts import chosen_presets, describe_presets


class PresetOptions(Options):
    """Which preset is shown."""

    verb = "list presets"
    without = {PAGE: "A page lists them all.", API: "The address names the preset."}
    name: str = option("", help="Show this preset whole.", unless_given="all of them", positional=True, metavar="NAME")


class Command(DomainCommand):
    help = "List models that can be named: preset:NAME says how each is asked, and what it counts as hateful."
    options = PresetOptions

    def perform(self, chosen: PresetOptions) -> dict[str, Any]:
        try:
            return chosen_presets(chosen.name)
        except SpecError as error:
            raise Missing(error.sentence) from error

    def describe(self, result: dict[str, Any]) -> str:
        return describe_presets([preset["name"] for preset in result["presets"]])
