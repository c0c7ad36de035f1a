"""What the platform knows about how a release came to be; the documents are filled from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from curation.publishing.errors import PublishingError
from curation.publishing.groups import GroupNames
from curation.publishing.labelling import Labelling

STATEMENT_SECTIONS: Mapping[str, str] = {
    "curation_rationale": "Curation rationale",
    "language_variety": "Language variety",
    "speaker_demographic": "Speaker demographic",
    "annotator_demographic": "Annotator demographic",
    "speech_situation": "Speech situation",
    "text_characteristics": "Text characteristics",
    "recording_quality": "Recording quality",
    "other": "Other",
    "provenance_appendix": "Provenance appendix",
}
DATASHEET_SECTIONS: Mapping[str, str] = {
    "motivation": "Motivation",
    "composition": "Composition",
    "collection_process": "Collection process",
    "preprocessing": "Preprocessing, cleaning and labelling",
    "uses": "Uses",
    "distribution": "Distribution",
    "maintenance": "Maintenance",
}


# What each section should answer, in a sentence, for its author.
QUESTIONS: Mapping[str, str] = {
    "curation_rationale": "Which texts were chosen or written, and why these?",
    "language_variety": "Which varieties of each language, and of which region? Codes and names follow by themselves.",
    "speaker_demographic": "Who wrote the texts and templates: age, gender, origin, first language, as far as known?",
    "annotator_demographic": "What should be known about the annotators that the records do not say?",
    "speech_situation": "When and where were the texts written, for whom, spontaneous or edited?",
    "text_characteristics": "Genre, topics and structure. Lengths, labels and groups follow by themselves.",
    "recording_quality": "Only for speech; for written texts the records say so.",
    "other": "Anything else a reader should know.",
    "provenance_appendix": "If it is built on other data sets: their data statements.",
    "motivation": "For what purpose was it made, by whom, and who paid for it?",
    "composition": "What should be known about the cases that the figures do not say?",
    "collection_process": "How were cases written, chosen and labelled; who took part and what were they told?",
    "preprocessing": "What was cleaned, changed or left out beyond the rules of the release?",
    "uses": "What may it be used for, what not, and what could go wrong?",
    "distribution": "How is it given away, and under what conditions beyond the licence?",
    "maintenance": "Who looks after it, how are they reached, how are mistakes corrected?",
}


@dataclass(frozen=True, slots=True)
class AgreementRecord:
    """Agreement of the annotators on one part of the cases, "all" or a language.

    A coefficient is None where it is undefined.
    """

    part: str
    cases: int
    raters: int
    fleiss_kappa: float | None
    krippendorff_alpha: float | None = None
    fleiss_kappa_ci95: tuple[float, float] | None = None
    fewest_labels: int | None = None
    most_labels: int | None = None

    @property
    def labels_per_case(self) -> str:
        """How many labels a case has, such as "5" or "3 to 5". Earlier versions kept only the rounded mean."""
        if self.fewest_labels == self.most_labels:
            return str(self.raters)
        return f"{self.fewest_labels} to {self.most_labels}"


@dataclass(frozen=True, slots=True)
class GuidelineRecord:
    """The guideline annotators worked with."""

    language: str
    version: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class UnidentifiedLabels:
    """Labels by annotators whom their source does not identify, and how many of them a case has."""

    labels: int
    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class ReleaseRecords:
    """Everything the documents can be prefilled from. `demographics` maps a question to answers and numbers of people.

    `prose` maps a section to what a person wrote for it, in Markdown.
    """

    agreement: tuple[AgreementRecord, ...] = ()
    excluded_by_reason: Mapping[str, int] = field(default_factory=dict)
    decision: Mapping[str, Any] | None = None  # the rules, and how they differ from what was decided about the suite
    unlabelled: int | None = None  # cases without a label; None where it was not counted
    labelling: Labelling | None = None  # None for releases that were built before it was counted
    annotators: int | None = None  # None where it is unknown
    unidentified: UnidentifiedLabels | None = None
    campaigns: int = 1
    demographics: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    languages: Mapping[str, str] = field(
        default_factory=dict
    )  # code to name, e.g. "pt" to "Portuguese (Brazilian), pt-BR"
    groups: GroupNames = field(default_factory=dict)  # which protected groups the targets stand for
    pay: str = ""
    wellbeing: str = ""
    labelled_from: str = ""
    labelled_until: str = ""
    guidelines: tuple[GuidelineRecord, ...] = ()
    published_despite: Mapping[str, Any] | None = None  # points of the checklist that were open, and the reason
    prose: Mapping[str, str] = field(default_factory=dict)

    def is_unlabelled(self, cases: int) -> bool:
        """Whether labels played no part: none of its cases was labelled, and none was left out for disagreement."""
        never = self.unlabelled if self.labelling is None else self.labelling.never_labelled
        return never == cases and not self.excluded_by_reason.get("disagreement")

    def __post_init__(self) -> None:
        unknown = set(self.prose) - set(STATEMENT_SECTIONS) - set(DATASHEET_SECTIONS)
        if unknown:
            known = ", ".join([*STATEMENT_SECTIONS, *DATASHEET_SECTIONS])
            raise PublishingError(f"no section is called {', '.join(sorted(unknown))}; known: {known}")
