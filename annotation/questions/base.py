"""The kind of question in general: its labels count as they are, and the right one is the case's gold label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from annotation.questions.names import label_name

KINDS: dict[str, type[Question]] = {}


class LabelledSuite(Protocol):
    """What a question reads of a suite."""

    labels: Any

    @property
    def positive_label(self) -> str: ...


class Asked(Protocol):
    """What a question reads of the campaign that asks it."""

    question: str
    prompt: str
    labels: Any
    binarise_above: int

    @property
    def suite(self) -> LabelledSuite: ...


def question_of(campaign: Asked) -> Question:
    """Return the question of a campaign."""
    return KINDS[campaign.question](campaign)


class Question:
    """A kind of question. A subclass is registered under its key, and everything else follows from the class.

    The suite of the campaign is read only where it is needed: labelling does without it.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    prompt: ClassVar[str]  # the question in words
    # Whether annotators see what the functionality says above the text.
    shows_statement: ClassVar[bool] = False
    # Whether the labels enter the agreement on the suite as a whole.
    is_about_labels: ClassVar[bool] = False
    # Whether the labels are steps in rising order.
    is_ordinal: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        KINDS[cls.key] = cls

    def __init__(self, campaign: Asked) -> None:
        self.campaign = campaign

    @property
    def labels(self) -> list[str]:
        """The labels of the campaign, as annotators see them."""
        return list(self.campaign.labels)

    def labels_to_offer(self) -> list[str]:
        """The labels a draft offers: the suite's, unless the kind has its own."""
        return [str(label) for label in self.campaign.suite.labels]

    def why_refused(self, labels: Sequence[str]) -> str:
        """Why these labels cannot be offered; "" where they can."""
        return ""

    @classmethod
    def usual_prompt(cls, labels: Sequence[str]) -> str:
        """The question in words, where a campaign does not write its own."""
        return cls.prompt

    @property
    def has_usual_prompt(self) -> bool:
        """Whether the campaign asks in the usual words."""
        return self.campaign.prompt == self.usual_prompt(self.labels)

    @property
    def shown_prompt(self) -> str:
        """The question as annotators read it: the usual words in their language, a campaign's own as it wrote them."""
        return self.usual_prompt(self.labels) if self.has_usual_prompt else self.campaign.prompt

    def name_of(self, label: str) -> str:
        """A label as annotators read it."""
        return label_name(label)

    @property
    def note(self) -> str:
        """What managers have to know about the labels; "" for nothing."""
        return ""

    @property
    def counted_labels(self) -> list[str]:
        """The labels that agreement is measured on."""
        return self.labels

    def counted(self, label: str) -> str:
        """The label that an annotator's label counts as."""
        return label

    def wanted(self, gold: str) -> str | None:
        """The counted label that is right for a case with this gold label; None where no label is."""
        return gold

    def agreeing(self) -> Mapping[str | None, Sequence[str]]:
        """The labels that agree with each gold label, and under None those that agree with any other gold label.

        Without None, the most frequent label stands for the right one on a case with another gold label.
        """
        return {label: [label] for label in self.labels} | {None: []}

    @property
    def makes_verdicts(self) -> bool:
        """Whether labels say what a case is, so that closing the campaign records verdicts."""
        return True

    def judges(self, gold: str) -> bool:
        """Whether labels on a case with this gold label say whether gold is right."""
        return True

    @property
    def needs_case(self) -> bool:
        """Whether only cases of the suite can be asked about."""
        return self.shows_statement

    def expected(self, gold: str) -> str:
        """The known answer of a case with this gold label."""
        return gold

    def known_answers(self) -> list[str]:
        """What may be written as the known answer of a text."""
        return self.labels

    def is_right(self, label: str, *, expected: str) -> bool:
        """Whether a label is the known answer."""
        return self.counted(label) == expected

    def right_labels(self, *, expected: str) -> list[str]:
        """The labels that are the known answer; several where they count as the same."""
        return [label for label in self.labels if self.is_right(label, expected=expected)]

    def hateful_labels(self) -> list[str]:
        """The labels that call a text hateful: after many of them a break is offered."""
        positive = self.campaign.suite.positive_label
        return [positive] if positive in self.labels else []
