"""What the platform knows about how a release came to be; the documents are filled from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.text import _
from curation.publishing.errors import PublishingError
from curation.publishing.groups import GroupNames
from curation.publishing.labelling import Labelling

STATEMENT_SECTIONS: Mapping[str, str] = {
    "curation_rationale": _("Curation rationale"),
    "language_variety": _("Language variety"),
    "speaker_demographic": _("Speaker demographic"),
    "annotator_demographic": _("Annotator demographic"),
    "speech_situation": _("Speech situation"),
    "text_characteristics": _("Text characteristics"),
    "recording_quality": _("Recording quality"),
    "other": _("Other"),
    "provenance_appendix": _("Provenance appendix"),
}
DATASHEET_SECTIONS: Mapping[str, str] = {
    "motivation": _("Motivation"),
    "composition": _("Composition"),
    "collection_process": _("Collection process"),
    "preprocessing": _("Preprocessing, cleaning and labelling"),
    "uses": _("Uses"),
    "distribution": _("Distribution"),
    "maintenance": _("Maintenance"),
}

# The points of the checklist as a document says that they were open; releases keep the English names.
OPEN_POINTS: Mapping[str, str] = {
    "Validated": _("validated"),
    "Documented": _("documented"),
    "Licensed": _("licensed"),
    "Credited": _("credited"),
    "Checksummed": _("checksummed"),
}

# What each section should answer, in a sentence, for its author.
QUESTIONS: Mapping[str, str] = {
    "curation_rationale": _("Which texts were chosen or written, and why?"),
    "language_variety": _(
        "Which varieties of each language, and of which region? Codes and names are added automatically."
    ),
    "speaker_demographic": _(
        "Who wrote the texts and templates? Give age, gender, origin and first language, as far as known."
    ),
    "annotator_demographic": _("What should be known about the annotators that the records do not say?"),
    "speech_situation": _("When and where were the texts written, for whom, spontaneous or edited?"),
    "text_characteristics": _("Genre, topics and structure. Lengths, labels and groups are added automatically."),
    "recording_quality": _("Only for speech. For written texts this section is filled in automatically."),
    "other": _("Anything else a reader should know."),
    "provenance_appendix": _("The data statements of the data sets it is built on, if there are any."),
    "motivation": _("For what purpose was it made, by whom, and who paid for it?"),
    "composition": _("What should be known about the cases that the figures do not say?"),
    "collection_process": _("How were cases written, chosen and labelled; who took part and what were they told?"),
    "preprocessing": _("What was cleaned, changed or left out beyond the rules of the release?"),
    "uses": _("What may it be used for, what not, and what could go wrong?"),
    "distribution": _("How is it distributed, and under what conditions beyond the licence?"),
    "maintenance": _("Who maintains it, how can they be reached, and how are mistakes corrected?"),
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
        return _("%(low)s to %(high)s", low=self.fewest_labels, high=self.most_labels)


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
    functionalities: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # what keys are called; older: {}
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
            known = [*STATEMENT_SECTIONS, *DATASHEET_SECTIONS]
            raise PublishingError(
                _("no section is called %(unknown)s; known: %(known)s", unknown=sorted(unknown), known=known)
            )
