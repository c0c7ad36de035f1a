"""Where one case of a release comes from: template version, words, prompt and model, verdict, and what others add."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.errors import Missing
from core.permissions import can_see_workshop
from core.text import _, pgettext
from curation.cases.models import ExclusionReason, Origin
from curation.models import Release, ReleaseCase, ReleaseExclusion, TemplateVersion
from curation.releases.access import require_reading
from curation.releases.extensions import LineageTable, collect_lineage

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


@dataclass(slots=True)
class Lineage:
    """Everything that is known about a case. `origin` are pairs of name and text."""

    case: ReleaseCase
    origin: list[tuple[str, str]] = field(default_factory=list)
    forms: list[tuple[str, ...]] = field(default_factory=list)
    template_version: TemplateVersion | None = None
    template_url: str = ""  # for those who may see the workshop
    varies: ReleaseCase | None = None
    varied_by: list[ReleaseCase] = field(default_factory=list)
    tables: list[LineageTable] = field(default_factory=list)


def lineage_of(release: Release, key: str, *, viewer: User | AnonymousUser) -> Lineage:
    """The lineage of a case. Refuses an unknown case (and says if it was left out), and who may not see its text."""
    require_reading(viewer, release)
    case = ReleaseCase.objects.filter(release=release, key=key).select_related("release__suite").first()
    if case is None:
        out = ReleaseExclusion.objects.filter(release=release, key=key).first()
        raise Missing(_why_missing(release, key, out))
    provenance: dict[str, Any] = json.loads(case.provenance) if case.provenance else {}
    siblings = ReleaseCase.objects.filter(release=release)
    lineage = Lineage(case, tables=collect_lineage(case, viewer=viewer))
    lineage.origin = list(_origin(case, provenance))
    lineage.forms = [tuple(str(part) for part in form) for form in provenance.get("forms", ())]
    lineage.template_version = _template_version(case, provenance)
    if lineage.template_version and can_see_workshop(viewer):
        lineage.template_url = lineage.template_version.template.get_absolute_url()
    lineage.varies = siblings.filter(key=case.refers_to).first() if case.refers_to else None
    lineage.varied_by = list(siblings.filter(refers_to=case.key).order_by("position")[:20])
    return lineage


def _why_missing(release: Release, key: str, out: ReleaseExclusion | None) -> str:
    """Return why a case is not in a release: it was excluded, or never there."""
    if out is None:
        return _("%(release)s has no case '%(case)s'.", release=release.key, case=key)
    reason = ExclusionReason(out.reason).label if out.reason in ExclusionReason.values else out.reason
    if out.because_of:
        return _(
            "Case '%(case)s' was excluded from %(release)s: %(reason)s (because of %(cause)s).",
            case=key,
            release=release.key,
            reason=reason,
            cause=out.because_of,
        )
    return _("Case '%(case)s' was excluded from %(release)s: %(reason)s.", case=key, release=release.key, reason=reason)


def _template_version(case: ReleaseCase, provenance: Mapping[str, Any]) -> TemplateVersion | None:
    """Return the version the text was made from; where it was not noted, the one that has this wording."""
    if not case.template:
        return None
    versions = TemplateVersion.objects.filter(
        template__suite=case.release.suite, template__language__code=case.language, template__key=case.template
    ).select_related("template__suite", "template__language")
    if provenance.get("version"):
        return versions.filter(number=provenance["version"]).first()
    return versions.filter(variants__text=case.template_text).order_by("-number").first()


# Words and version have their own place; the rest is the language model's, or a number that tells a reader nothing.
SHOWN_ELSEWHERE = ("forms", "version", "imported", "checks", "request", "candidate", "original_text")
NAMES = {
    "model": _("Language model"),
    "prompt": _("Prompt"),
    "prompt_version": _("Version of the prompt"),
    "provider": _("Provider"),
    "run": pgettext("of a model", "Run"),
    "seed": _("Seed"),
    "warnings": _("Warnings"),
    "parameters": _("Parameters"),
    "perturbation": _("Perturbation"),
    "original": _("Original"),
    "replaces": _("Replaces"),
    "attack": _("Attack"),
    "split": _("Split"),
    "dataset_sha256": _("Dataset sha256"),
    "indices_sha256": _("Indices sha256"),
    "files_sha256": _("Files sha256"),
}


def _origin(case: ReleaseCase, provenance: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield _("Origin"), str(Origin(case.origin).label) if case.origin in Origin.values else case.origin
    for name, value in provenance.items():
        if name not in SHOWN_ELSEWHERE:
            yield NAMES.get(name, name.replace("_", " ").capitalize()), _text(value)


def _text(value: object) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "; ".join(value)
    if isinstance(value, dict):
        return "; ".join(f"{name} {_text(part)}" for name, part in value.items())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
