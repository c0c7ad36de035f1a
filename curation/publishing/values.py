"""Plain values that a release is made of. Freezing a suite fills them; nothing here needs a database."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from core.text import _
from curation.fields import Details

Policy = Literal["exclude", "mark"]
Cascade = Literal["closure", "template", "none"]


@dataclass(frozen=True, slots=True)
class FrozenCase(Details):
    """One case as it is published, with the fields of `curation.fields`.

    Absent texts are "", undefined flags are None. `targets` are names of protected groups; `labels_given` are the
    labels people gave, in the order of their slots and without names; `provenance` is JSON text (see
    `canonical.json_text`); `extra` are columns of an imported file that must come back.
    """

    key: str
    language: str
    functionality: str
    text: str
    label: str
    functionality_class: str = ""
    targets: tuple[str, ...] = ()
    refers_to: str = ""
    refers_to_template: str = ""
    template: str = ""
    template_text: str = ""
    origin: str = "template"
    labels_given: tuple[str, ...] = ()
    majority: str = ""
    disagreement_in_case: bool | None = None
    disagreement_in_template: bool | None = None
    provenance: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    contrast_set: str = ""
    perturbation_set: str = ""

    @property
    def votes(self) -> dict[str, int]:
        """How often each label was given, most frequent first."""
        return dict(Counter(self.labels_given).most_common())


@dataclass(frozen=True, slots=True)
class Author:
    """A person or body to be cited. Give `family_name` for a person, `name` alone for a body."""

    name: str = ""
    given_names: str = ""
    family_name: str = ""
    affiliation: str = ""
    orcid: str = ""

    @property
    def full_name(self) -> str:
        return self.name or f"{self.given_names} {self.family_name}".strip()


@dataclass(frozen=True, slots=True)
class ReleaseHead:
    """What is true of a release as a whole.

    `created` is an ISO date; everything written depends on it, never on the clock.
    """

    suite: str
    version: str
    title: str
    created: str
    description: str = ""
    licence: str = "CC-BY-4.0"
    authors: tuple[Author, ...] = ()
    labels: tuple[str, ...] = ("hateful", "non-hateful")
    policy: Policy = "exclude"
    min_agree: int | None = None
    raters: int | None = None
    cascade: Cascade = "closure"
    without_labels: Literal["include", "exclude", "imported"] | None = None  # None, and not written, for older releases
    url: str = ""
    doi: str = ""
    gate: str = ""  # what people accept before they get the files; not written where everyone may have them
    keywords: tuple[str, ...] = ("hate speech", "functional tests", "evaluation")
    warning: str = _("The texts are hateful or abusive on purpose: they test detection models.")

    @property
    def reference(self) -> str:
        """How a release is named everywhere: suite@version."""
        return f"{self.suite}@{self.version}"
