"""Models by name: the page for choosing one."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.permissions import can_maintain
from core.text import _
from evaluation.runners.preset_files import Preset, preset_names, presets, read_preset

GROUPS = {
    "chat": _("Models on a server of your own or of a provider, asked by OpenAI's chat protocol"),
    "http": _("Services over HTTP"),
    "hf": _("Models on this machine"),
}
OFTEN_CHANGED = ("url", "model")  # what differs from one installation to the next


@require_safe
def presets_page(request: HttpRequest) -> HttpResponse:
    """Every preset, with what is hateful to it and where that is documented."""
    found = presets()
    groups = [
        (title, [one for one in found if ("hf" if one.kind == "nli" else one.kind) == kind])
        for kind, title in GROUPS.items()
    ]
    return render(request, "evaluation/presets.html", {"groups": groups, "may_maintain": can_maintain(request.user)})


def initial_of(name: str) -> dict[str, Any]:
    """Return what the form of a new model starts with; nothing for a name that is no preset."""
    if name not in preset_names():
        return {}
    preset = read_preset(name)
    return {"name": preset.title, "spec": f"preset:{name}", "more_settings": _settings_to_begin_with(preset)}


def _settings_to_begin_with(preset: Preset) -> str:
    known = {key: preset.settings[key] for key in OFTEN_CHANGED if key in preset.settings} | preset.needs
    return "\n".join(f"{key}: {value}" for key, value in known.items())
