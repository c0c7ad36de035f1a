"""Filling a prompt for a group: every placeholder is known and gets a value, or nothing is filled."""

import re
from collections.abc import Mapping, Sequence

from core.text import Text, _
from generation.prompts.algorithm.values import FilledPrompt, PromptError, PromptVersion

_PLACEHOLDER = re.compile(r"\{(\w+)\}")

PLACES: dict[str, frozenset[str]] = {
    "system": frozenset(),
    "task": frozenset({"count", "instruction"}),
    "demonstration": frozenset({"demonstration"}),
    "slurs": frozenset({"slurs"}),
    "answer": frozenset({"count"}),
}


def fill_prompt(
    version: PromptVersion, *, count: int, group: str = "", slurs: Sequence[str] = (), demonstration: str | None = None
) -> FilledPrompt:
    """Return the prompt as the model gets it; `demonstration` replaces the version's own, "" leaves it out.

    Refuses a count below 1, a missing group or slur list where the instruction needs one, and unknown placeholders.
    """
    skeleton, instruction = version.skeleton, version.instruction
    where = f"{skeleton.language}, {instruction.functionality}"
    if count < 1:
        raise PromptError(_("Ask for at least one message."))
    if instruction.needs_group and not group.strip():
        raise PromptError(_("The instruction names a group, but none is given."))
    if instruction.uses_slurs and not slurs:
        raise PromptError(_("The instruction needs slurs for the group. Add them to the lexicon, or to the prompt."))
    example = instruction.demonstration if demonstration is None else demonstration
    values = {
        "count": str(count),
        "instruction": fill_text(instruction.text, {"group": group}, where=f"{where}, text"),
        "demonstration": fill_text(example, {"group": group}, where=f"{where}, demonstration"),
        "slurs": ", ".join(slurs),
    }
    parts = ["task"]
    if instruction.uses_slurs:
        parts.append("slurs")
    if example:
        parts.append("demonstration")
    parts.append("answer")
    texts = [
        fill_text(getattr(skeleton, part), {name: values[name] for name in PLACES[part]}, where=f"{where}, {part}")
        for part in parts
    ]
    return FilledPrompt(system=fill_text(skeleton.system, {}, where=f"{where}, system"), user="\n\n".join(texts))


def require_places(part: str, text: str, *, where: str) -> None:
    """Refuse a part of the skeleton without a placeholder it stands for; the number may be missing in `answer`."""
    for place in sorted(PLACES[part]):
        if part != "answer" and f"{{{place}}}" not in text:
            raise PromptError(_("%(place)s must contain %(placeholder)s.", place=where, placeholder=f"{{{place}}}"))


def fill_text(text: str, values: Mapping[str, str], *, where: str) -> str:
    """Return a text with its placeholders replaced. Refuses unknown placeholders and names their position."""
    for match in _PLACEHOLDER.finditer(text):
        if match[1] not in values:
            raise PromptError(_unknown(match[1], where, match.start() + 1, [f"{{{name}}}" for name in sorted(values)]))
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def _unknown(name: str, where: str, position: int, known: list[str]) -> Text:
    facts = {"place": where, "position": position, "name": name}
    if not known:
        return _("%(place)s, character %(position)s: '%(name)s' stands here, but no placeholder is allowed.", **facts)
    return _(
        "%(place)s, character %(position)s: no placeholder is called '%(name)s'. Known: %(known)s.",
        **facts,
        known=known,
    )
