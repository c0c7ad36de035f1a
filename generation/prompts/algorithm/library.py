"""The prompts that come with Touchstone, one file per language."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from core.text import _
from generation.prompts.algorithm.filling import PLACES, fill_text, require_places
from generation.prompts.algorithm.values import Instruction, PromptError, PromptVersion, Skeleton

KNOWN = {"text", "demonstration", "uses_slurs", "origin"}


@dataclass(frozen=True, slots=True)
class PromptLibrary:
    """All prompts of one language."""

    skeleton: Skeleton
    instructions: Mapping[str, Instruction]

    def version_for(self, functionality: str) -> PromptVersion:
        """Return the prompt of a functionality. Refuses one that has none in this language."""
        if functionality not in self.instructions:
            raise PromptError(
                _(
                    "%(language)s: there is no prompt for '%(functionality)s'. There are prompts for: %(known)s. "
                    "Write one, or start from the English one.",
                    language=self.skeleton.language,
                    functionality=functionality,
                    known=list(self.instructions),
                )
            )
        return PromptVersion(self.skeleton, self.instructions[functionality])


def read_prompts(path: Path) -> PromptLibrary:
    """Read one language's prompts.

    Refuses missing parts, unknown fields and unknown placeholders, and names the file and the field.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise PromptError(
            _(
                "%(file)s: %(problem)s. Use a JSON file with the keys 'skeleton' and 'instructions'.",
                file=path.name,
                problem=str(problem),
            )
        ) from problem
    skeleton = _read_skeleton(data, path.name)
    instructions = {}
    for functionality, entry in data.get("instructions", {}).items():
        where = f"{path.name}: instructions.{functionality}"
        if unknown := set(entry) - KNOWN:
            raise PromptError(
                _(
                    "%(place)s: no field is called '%(name)s'. Known: %(known)s.",
                    place=where,
                    name=min(unknown),
                    known=sorted(KNOWN),
                )
            )
        if not entry.get("text"):
            raise PromptError(_("%(place)s: the instruction is missing.", place=f"{where}.text"))
        for part in ("text", "demonstration"):
            fill_text(entry.get(part, ""), {"group": ""}, where=f"{where}.{part}")
        instructions[functionality] = Instruction(functionality=functionality, **entry)
    return PromptLibrary(skeleton, instructions)


def read_prompt_folder(folder: Path) -> dict[str, PromptLibrary]:
    """Return all languages of a folder, by language code."""
    libraries = [read_prompts(path) for path in sorted(folder.glob("*.json"))]
    return {library.skeleton.language: library for library in libraries}


def _read_skeleton(data: Mapping[str, Any], name: str) -> Skeleton:
    entry = {"language": data.get("language", "")} | dict(data.get("skeleton", {}))
    for part in fields(Skeleton):
        if not entry.get(part.name):
            raise PromptError(_("%(file)s: %(field)s is missing.", file=name, field=f"skeleton.{part.name}"))
        if part.name in PLACES:
            places = dict.fromkeys(PLACES[part.name], "")
            fill_text(entry[part.name], places, where=f"{name}: skeleton.{part.name}")
            require_places(part.name, entry[part.name], where=f"{name}: skeleton.{part.name}")
    return Skeleton(**{part.name: entry[part.name] for part in fields(Skeleton)})
