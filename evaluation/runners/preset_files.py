"""Models by name: how well-known models and services are asked and read, as data in the folder `presets`."""

from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import Field, field_validator

from core.inference.descriptions import Description, Mistake, read_file
from core.inference.secrets import REFERENCE
from core.text import _

PRESETS = Path(__file__).parent / "presets"


class Preset(Description):
    """One model or service: what it counts as hateful, where that is documented, and the settings of its kind."""

    name: str = Field(default="", description=_("a name"))
    title: str = Field(description=_("what people call it"))
    kind: Literal["hf", "nli", "chat", "http"] = Field(
        description=_("one of %(words)s", words=["hf", "nli", "chat", "http"])
    )
    hateful: str = Field(description=_("a sentence that says what counts as hateful"))
    note: str = Field(default="", description=_("a sentence that says what has to be known before it is used"))
    documentation: list[str] = Field(min_length=1, description=_("a list of addresses"))
    needs: dict[str, str] = Field(default={}, description=_("a map of the settings to be given to examples of them"))
    settings: dict[str, Any] = Field(description=_("a section with the settings of its kind"))

    @field_validator("documentation")
    @classmethod
    def _are_addresses(cls, value: list[str]) -> list[str]:
        for address in value:
            if not address.startswith("https://"):
                raise Mistake(_("'%(value)s' is not an address", value=address[:60]), _("Write https://..."))
        return value

    @property
    def spec(self) -> str:
        """How the model is named, with an example of what has to be given."""
        given = "&".join(f"{key}={value}" for key, value in self.needs.items())
        return f"preset:{self.name}?{given}" if given else f"preset:{self.name}"

    @property
    def secrets(self) -> list[str]:
        """The environment variables it takes keys from."""
        return sorted(set(REFERENCE.findall(self.settings_as_yaml)))

    @property
    def settings_as_yaml(self) -> str:
        return yaml.safe_dump(self.settings, sort_keys=False, allow_unicode=True, width=100)

    def as_json(self) -> dict[str, Any]:
        """Return everything about it, for programs."""
        facts = self.model_dump(include={"name", "title", "kind", "hateful", "note", "documentation", "settings"})
        return {**facts, "spec": self.spec, "secrets": self.secrets, "needs": sorted(self.needs)}


def preset_names() -> list[str]:
    """Return the presets that ship with the product."""
    return sorted(path.stem for path in PRESETS.glob("*.yaml"))


@cache
def read_preset(name: str) -> Preset:
    """Return a preset by its name."""
    source = read_file(PRESETS / f"{name}.yaml")
    return Preset.read({**source.values, "name": name})


def presets() -> list[Preset]:
    """Return all presets, by name."""
    return [read_preset(name) for name in preset_names()]
