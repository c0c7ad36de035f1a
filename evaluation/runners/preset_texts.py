"""Presets as a terminal shows them: the list, and one whole."""

from textwrap import indent
from typing import Any

from core.inference.errors import SpecError
from evaluation.runners.preset_files import Preset, preset_names, presets, read_preset

KINDS = {
    "hf": "loaded on this machine",
    "nli": "loaded on this machine",
    "chat": "asked by OpenAI's chat protocol",
    "http": "asked over HTTP",
}


def chosen_presets(name: str) -> dict[str, Any]:
    """Return all presets, or the one of that name, for programs. Refuses an unknown name."""
    if name and name.removeprefix("preset:") not in preset_names():
        raise SpecError(f"There is no preset '{name}'. Use one of: {', '.join(preset_names())}.")
    found = [read_preset(name.removeprefix("preset:"))] if name else presets()
    return {"presets": [preset.as_json() for preset in found]}


def describe_presets(names: list[str]) -> str:
    """Return the list of presets, or the whole of a single one, for people."""
    found = [read_preset(name) for name in names]
    if len(found) == 1:
        return _whole(found[0])
    width = max(len(preset.name) for preset in found) + 2
    lines = [line for preset in found for line in (f"{preset.name:<{width}}{preset.title}", f"  {preset.hateful}")]
    return "\n".join(
        [
            *lines,
            "",
            "Use one: touchstone evaluate RELEASE --model preset:NAME",
            "See one whole: touchstone models NAME",
        ]
    )


def _whole(preset: Preset) -> str:
    facts = {
        "Name": preset.spec,
        "How": KINDS[preset.kind],
        "Hateful": preset.hateful,
        "Note": preset.note,
        "Keys": ", ".join(preset.secrets),
        "To be given": ", ".join(preset.needs),
    }
    lines = [preset.title, *(f"  {name + ':':<13}{value}" for name, value in facts.items() if value)]
    lines += ["  Documented:", *(f"    {address}" for address in preset.documentation)]
    if preset.settings:
        lines += ["  Settings:", indent(preset.settings_as_yaml.rstrip(), "    ")]
    return "\n".join(lines)
