"""Forms of releases."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict
from typing import Any

from django.urls import reverse

from core.errors import BadInput
from core.options.forms import OptionsForm
from curation.models import Suite
from curation.releases.models import Access
from curation.releases.moving_options import ImportReleaseOptions
from curation.releases.options import (
    AccessOptions,
    FreezeOptions,
    ProseOptions,
    PublishOptions,
    ReleaseDocumentOptions,
    RuleOptions,
    WithdrawOptions,
)
from curation.releases.rules import freeze_settings, standing_rules
from curation.releases.services import last_release, require_free_version

RULES = tuple(RuleOptions.model_fields)


class FreezeForm(OptionsForm[FreezeOptions]):
    """What shall be frozen and how."""

    options = FreezeOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("suite", Suite.objects.order_by("name").values_list("key", "name"))
        # Another suite has rules, a version and credits of its own: the form is drawn anew for it.
        self.fields["suite"].widget.attrs |= {
            "hx-get": reverse("curation:release-new"),
            "hx-target": "#freeze",
            "hx-select": "#freeze",
            "hx-swap": "outerHTML",
            "hx-push-url": "true",
            "hx-sync": "closest form:replace",
        }

    @classmethod
    def for_suite(cls, suite: Suite) -> FreezeForm:
        """Prefill with the standing rules of the suite, the access of its last release and the next version."""
        last = last_release(suite)
        initial = {"suite": suite.key, "version": next_version(suite), **asdict(standing_rules(suite))}
        return cls(
            initial=initial | {"access": last.access if last else Access.PUBLIC, "terms": last.terms if last else ""}
        )

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        self.suite = Suite.objects.filter(key=values.get("suite", "")).first()
        if self.suite:
            if "version" in values:
                self._check("version", require_free_version, self.suite, values["version"])
            self._check("min_agree", freeze_settings, self.suite, **{name: values.get(name) for name in RULES})
        return values

    def _check(self, field: str, check: Callable[..., object], *args: Any, **values: Any) -> None:
        try:
            check(*args, **values)
        except BadInput as error:
            self.add_error(field, str(error))


class PublishForm(OptionsForm[PublishOptions]):
    """What is said when a candidate is published."""

    options = PublishOptions


class WithdrawForm(OptionsForm[WithdrawOptions]):
    """Why a release is withdrawn."""

    options = WithdrawOptions


def next_version(suite: Suite) -> str:
    """Return the minor version after the highest release; after 2.0.0-beta comes 2.0.0; 1.0.0 where there is none."""
    known = []
    for version in suite.releases.values_list("version", flat=True):
        numbers, _, word = version.partition("-")
        major, minor, patch = map(int, f"{numbers}.0".split(".")[:3])
        known.append((major, minor, patch, not word))
    if not known:
        return "1.0.0"
    major, minor, patch, is_final = max(known)
    return f"{major}.{minor + 1}.0" if is_final else f"{major}.{minor}.{patch}"


class ProseForm(OptionsForm[ProseOptions]):
    """One text per section; of one document, where its sections are named."""

    options = ProseOptions

    def __init__(self, *args: Any, of: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if of:
            self.fields = {name: field for name, field in self.fields.items() if name in of}


class ReleaseDocumentForm(OptionsForm[ReleaseDocumentOptions]):
    """In which language a document is shown."""

    options = ReleaseDocumentOptions


class AccessForm(OptionsForm[AccessOptions]):
    """Ask for a release."""

    options = AccessOptions


class ImportReleaseForm(OptionsForm[ImportReleaseOptions]):
    options = ImportReleaseOptions
