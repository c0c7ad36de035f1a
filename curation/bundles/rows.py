"""What stands in a bundle, row by row. Pure: `docs/suite-bundle.schema.json` is made from these models."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT = "touchstone-suite"
VERSION = 1

Key = Field(min_length=1, max_length=80)


class Row(BaseModel):
    """One thing. A field that has its default is left out of the file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def written(self) -> dict[str, Any]:
        """Return what is written: the fields that differ from their defaults."""
        return self.model_dump(exclude_defaults=True)


class LanguageRow(Row):
    """A language with its grammatical features and spelling rules."""

    code: str = Field(min_length=1, max_length=20)
    bcp47: str = Field(max_length=35)
    name: str = Field(max_length=80)
    autonym: str = Field("", max_length=80)
    script: str = Field("Latin", max_length=40)
    direction: Literal["ltr", "rtl"] = "ltr"
    features: dict[str, Any] = {}
    orthography: str = Field("", max_length=20)


class GroupRow(Row):
    """A protected group."""

    key: str = Field(min_length=1, max_length=60)
    name: str = Field(max_length=120)
    characteristic: str = Field("", max_length=80)


class TargetRow(Row):
    """One or several protected groups, as the data of a language calls them."""

    language: str
    name: str = Field(min_length=1, max_length=120)
    local_name: str = Field("", max_length=120)
    groups: list[str] = []


class FunctionalityRow(Row):
    """What one group of cases tests."""

    key: str = Key
    title: str = Field(max_length=160)
    functionality_class: str = Field(max_length=60)
    class_title: str = Field(max_length=120)
    class_position: int = Field(0, ge=0)
    definition: str = ""
    example: str = ""
    example_language: str = ""
    gold_label: str = Field("", max_length=60)
    perturbation: str = Field("", max_length=40)
    references: list[str] = []
    position: int = Field(0, ge=0)


class CoverageRow(Row):
    """Whether a functionality makes sense in a language."""

    language: str
    functionality: str
    applies: bool = True
    reason: str = Field("", max_length=300)


class SuiteRow(Row):
    """The suite itself. Its key may change when it is imported."""

    key: str = Field(min_length=1, max_length=60)
    name: str = Field(max_length=160)
    description: str = ""
    licence: str = Field("", max_length=120)
    authors: list[Any] = []
    languages: list[str] = []
    labels: list[str] = Field(min_length=2)
    raters: int = Field(5, ge=1, le=100)
    threshold: int = Field(4, ge=0)
    policy: Literal["exclude", "mark"] = "exclude"
    format: str = Field("", max_length=20)
    layouts: list[dict[str, Any]] = []


class FormRow(Row):
    """One cell of a word's paradigm."""

    features: str = Field("", max_length=200)
    perturbation: str = Field("", max_length=40)
    text: str = Field(max_length=300)
    source: Literal["hand", "import", "suggestion"] = "hand"
    position: int | None = None
    token: str = Field("", max_length=80)


class EntryRow(Row):
    """A word of the lexicon with its forms."""

    language: str
    key: str = Key
    kind: str = Field(max_length=40)
    lemma: str = Field(max_length=200)
    target: str = Field("", max_length=120)
    inherent: str = Field("", max_length=200)
    properties: dict[str, Any] = {}
    severity: str = Field("", max_length=20)
    position: int = Field(0, ge=0)
    forms: list[FormRow] = []


class VariantRow(Row):
    """One text of a version, for words with certain features."""

    features: str = Field("", max_length=200)
    text: str
    position: int = Field(0, ge=0)


class VersionRow(Row):
    """One wording of a template."""

    number: int = Field(ge=1)
    state: str = Field(pattern="^(draft|submitted|approved|rejected|superseded)$")
    defaults: str = Field("", max_length=200)
    reason: str = ""
    created_at: str
    decided_at: str = ""
    variants: list[VariantRow] = []


class TemplateRow(Row):
    """A template with its history."""

    language: str
    key: str = Key
    functionality: str
    refers_to: str = Field("", max_length=80)
    relation: Literal["", "perturbs", "contrasts"] = ""
    source_text: str = ""
    drafts: dict[str, Any] = {}
    target: str = Field("", max_length=120)
    gold_label: str = Field("", max_length=60)
    direction: str = ""
    focus_words: str = ""
    focus_lemma: str = ""
    extra: dict[str, Any] = {}
    position: int = Field(0, ge=0)
    versions: list[VersionRow] = []


class CaseRow(Row):
    """A case. `version` and `variant` name the text of the template it was made from."""

    key: str = Key
    language: str
    functionality: str
    text: str = Field(min_length=1)
    gold_label: str = Field(min_length=1, max_length=60)
    origin: Literal["template", "llm", "hand", "import", "attack"]
    state: Literal["draft", "ready", "validated", "excluded", "retired"] = "ready"
    target: str = Field("", max_length=120)
    template: str = Field("", max_length=80)
    version: int = Field(0, ge=0)
    variant: str = Field("", max_length=200)
    is_about_identity: bool = False
    refers_to: str = Field("", max_length=80)
    direction: str = ""
    focus_words: str = ""
    focus_lemma: str = ""
    contrast_set: str = Field("", max_length=80)
    perturbation_set: str = Field("", max_length=60)
    identity: str = Field(min_length=32, max_length=32, description="Tells equal cases of a suite apart.")
    provenance: dict[str, Any] = {}
    extra: dict[str, Any] | None = None
    position: int = Field(0, ge=0)


class VerdictRow(Row):
    """What annotators said about a case at one moment, without names."""

    case: str = Key
    source: str = Field(max_length=120)
    labels: list[str] = []
    raters: int = Field(ge=0)
    agreeing: int = Field(ge=0)
    majority: str = Field("", max_length=60)
    flagged_unrealistic: int = Field(0, ge=0)
    adjudicated: Literal["", "keep", "exclude"] = ""
    reason: str = ""
    decided_at: str


class ExclusionRow(Row):
    """Why a case is left out, or was."""

    case: str = Key
    reason: str = Field(max_length=14)
    because_of: str = Field("", max_length=80)
    note: str = ""
    created_at: str
    lifted_at: str = ""
    lifted_because: str = ""


class DecisionRow(Row):
    """The rules that said what a release of the suite holds."""

    policy: Literal["exclude", "mark"]
    min_agree: int = Field(ge=0)
    cascade: str = Field(max_length=8)
    without_labels: str = Field(max_length=8)
    decided_at: str
