"""Train with more and more training material, and say what it does on held-out templates."""

from typing import Any

from core.commands import DomainCommand
from core.errors import BadInput
from evaluation.datasets.labelled_files import read_file
from evaluation.training.feedback import inoculate
from evaluation.training.options import InoculationOptions


class Command(DomainCommand):
    help = "Train on labelled data with more and more of the material that training_material wrote."
    options = InoculationOptions

    def perform(self, chosen: InoculationOptions) -> dict[str, Any]:
        material, _ = read_file(chosen.material)
        if not {"train", "test"} <= set(material.splits):
            raise BadInput(f"{chosen.material} has no training and test part. Make it with training_material.")
        return inoculate(material, read_file(chosen.data)[0], chosen, progress=self.show_progress)

    def describe(self, result: dict[str, Any]) -> str:
        lines = [f"{result['trainer']}, seeds {', '.join(map(str, result['seeds']))}"]
        for point in result["curve"]:
            shown = (f"{_shown(point[name])} {where}" for name, where in WHERE.items())
            lines.append(f"{point['added']:>7,} added: {', '.join(shown)}")
        return "\n".join(lines)


WHERE = {"held_out": "right on held-out templates", "test": "right on the test part of the data"}


def _shown(value: dict[str, float | None]) -> str:
    return f"{value['mean']:.1%}" + (f" ± {value['sd']:.1%}" if value["sd"] is not None else "")
