"""The protected groups behind the targets of a suite or a release."""

from collections import defaultdict

from curation.catalogue.loading import group_key_for
from curation.models import ProtectedGroup, Release, Suite, TargetGroup
from curation.morphology.realised import target_names
from curation.publishing.groups import GroupNames

GROUPS = "groups"  # under this name in the facts of a release


def group_names(suite: Suite) -> dict[str, dict[str, list[str]]]:
    """Return, by language, each target of the suite that is not spelt as its group, with the names of its groups."""
    titles = dict(ProtectedGroup.objects.values_list("key", "name"))
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    targets = TargetGroup.objects.filter(language__in=suite.languages.all())
    rows = targets.order_by("groups__name").values_list("language__code", "name", "groups__name")
    for code, name, group in rows:
        if group is not None:
            found[code][name].append(group)
    for code, name in targets.values_list("language__code", "name"):
        for part in target_names(name):  # an intersectional target is released as its parts
            if part != name and part not in found[code] and (title := titles.get(group_key_for(part) or "")):
                found[code][part] = [title]
    kept = {
        code: {name: groups for name, groups in sorted(spelt.items()) if groups != [name]}
        for code, spelt in sorted(found.items())
    }
    return {code: spelt for code, spelt in kept.items() if spelt}


def released_group_names(release: Release) -> GroupNames:
    """Return the same as it was when the release was built; for older releases, which do not say, as it is now."""
    frozen: GroupNames | None = release.facts.get(GROUPS)
    return group_names(release.suite) if frozen is None else frozen
