"""Groups as prompts, hypotheses and screening name them."""

import json
from collections.abc import Iterable
from functools import cache

from django.conf import settings

from core.errors import Missing
from core.text import _
from curation.catalogue.loading import find_or_create_targets, group_key_for
from curation.models import Form, Language, LexiconEntry, ProtectedGroup, Suite, TargetGroup


@cache
def _local_names() -> dict[str, dict[str, str]]:
    data = json.loads((settings.FIXTURES / "catalogue" / "groups.json").read_text(encoding="utf-8"))
    return {row["key"]: row["local_names"] for row in data["groups"]}


def find_targets(language: Language, keys: list[str]) -> list[TargetGroup]:
    """Return the targets of a language for group keys ("women") or names used in its data; in the order given.

    Refuses an unknown group and names those there are.
    """
    names = []
    for key in keys:
        group = ProtectedGroup.objects.filter(key=group_key_for(key) or key).first()
        if group is None and not TargetGroup.objects.filter(language=language, name=key).exists():
            known = list(ProtectedGroup.objects.order_by("key").values_list("key", flat=True))
            raise Missing(_("There is no group '%(key)s'. Known: %(known)s.", key=key, known=known))
        known_target = (
            TargetGroup.objects.filter(language=language, groups=group).order_by("pk").first() if group else None
        )
        names.append(known_target.name if known_target else group.name if group else key)
    found = find_or_create_targets(language, set(names))
    return [found[name] for name in dict.fromkeys(names)]


def name_in_prompts(target: TargetGroup) -> str:
    """Return what a group is called in a prompt: its name in the language."""
    if target.local_name:
        return target.local_name
    group = target.groups.first()
    if group is not None:
        names = _local_names().get(group.key, {})
        return names.get(target.language.code, "") or target.name
    return target.name


def example_group(language: Language) -> str:
    """Return a group's name in a language, for looking at a prompt before any group is chosen."""
    return _local_names().get("women", {}).get(language.code, "") or "women"


def name_in_hypotheses(target: TargetGroup | None) -> str:
    """Return what a group is called in hypotheses; a message without a group must be about no protected one."""
    if target is None:
        return "a protected group"
    groups = [group.name for group in target.groups.all()]
    return " and ".join(groups) or target.name


def words_for(suite: Suite, target: TargetGroup | None) -> tuple[str, ...]:
    """Return words one of which a message about the group holds: its names, and its words in the suite's lexicon."""
    if target is None:
        return ()
    names = {target.name, name_in_prompts(target)}
    names |= {word for name in list(names) for word in _shorter(name)}
    forms = Form.objects.usable().filter(entry__suite=suite, entry__target=target, entry__kind__in=("identity", "slur"))
    return tuple(sorted(names | set(forms.values_list("text", flat=True))))


def words_for_each(suite: Suite, targets: Iterable[TargetGroup | None]) -> dict[TargetGroup | None, tuple[str, ...]]:
    """Return the words of each group, looked up once per group."""
    return {target: words_for(suite, target) for target in targets}


def slurs_for(suite: Suite, target: TargetGroup | None) -> list[str]:
    """Return the slurs for a group in the suite's lexicon."""
    if target is None:
        return []
    entries = LexiconEntry.objects.of(suite, target.language, "slur").filter(target=target).in_order()
    return list(dict.fromkeys(entries.values_list("lemma", flat=True)))


def _shorter(name: str) -> list[str]:
    """Return English plurals in the form a message about one person has; a word matches from its start."""
    if name.endswith(" people"):
        return [name.removesuffix(" people")]
    if name.endswith("men"):
        return [name.removesuffix("men") + "man"]
    return [name.removesuffix("s")] if name.endswith("s") and len(name) > 4 and " " not in name else []
