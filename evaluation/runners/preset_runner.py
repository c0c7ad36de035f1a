"""`preset:NAME`: a model by name. It stands for the spec of another kind, with the settings that the preset has."""

from typing import Any, NoReturn
from urllib.parse import parse_qsl

import yaml

from core.inference.errors import SpecError
from core.text import _
from evaluation.runners.kinds import Example, RunnerKind, Spec
from evaluation.runners.preset_files import preset_names, read_preset
from evaluation.runners.settings import RunnerSettings


class PresetRunner(RunnerKind):
    """Never asked itself: `resolve` gives the spec it stands for. Settings given beside the name take precedence."""

    kind = "preset"
    syntax = _("preset:NAME, such as preset:llama-guard-3-8b")
    source = "none"
    target_key = "preset"  # `model` is a setting of most presets
    examples = (
        Example(
            _("A well-known model by name, on a server of your own"),
            "preset:llama-guard-3-8b",
            "url: http://localhost:8000/v1\nmodel: meta-llama/Llama-Guard-3-8B",
            _("The page of presets lists all of them, with what each counts as hateful."),
        ),
    )

    @classmethod
    def resolve(cls, spec: Spec) -> Spec:
        """Return the spec that a preset stands for. Refuses an unknown name and one that lacks what it needs.

        `preset:NAME?url=...&model=...` gives settings in one line.
        """
        name, _mark, query = spec.target.partition("?")
        if name not in preset_names():
            raise SpecError(
                _("There is no preset '%(preset)s'. Use one of: %(names)s.", preset=name[:60], names=preset_names())
            )
        preset = read_preset(name)
        options = {**_given(query), **spec.options}
        if missing := [key for key in preset.needs if not options.get(key)]:
            raise SpecError(
                _(
                    "The preset %(preset)s needs %(keys)s. Write for example: %(example)s",
                    preset=name,
                    keys=missing,
                    example=preset.spec,
                )
            )
        if preset.kind in ("chat", "http"):  # laid over the preset where descriptions are read
            return Spec(preset.kind, "", {"preset": name, "name": name, **options})
        merged = {**preset.settings, **options}
        return Spec(preset.kind, str(merged.pop("model")), merged)

    @classmethod
    def load(cls, spec: Spec, settings: RunnerSettings) -> NoReturn:
        raise TypeError("a preset is resolved before a runner is loaded")


def _given(query: str) -> dict[str, Any]:
    """Return the settings of a query, numbers as numbers."""
    return {key: _plain(value) for key, value in parse_qsl(query)}


def _plain(value: str) -> Any:
    try:
        found = yaml.safe_load(value)
    except yaml.YAMLError:
        return value
    return found if isinstance(found, int | float) else value
