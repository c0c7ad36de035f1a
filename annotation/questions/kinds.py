"""The kinds of questions. To add one, write its class here; `makemigrations` then allows its key in the database."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from annotation.questions.base import Question
from annotation.questions.names import ANSWERS, NO, YES, label_name
from core.text import _, pgettext

FEWEST, MOST = 2, 9  # each label has a key from 1 to 9


class Labels(Question):
    """Which label of the suite fits."""

    key = "binary"
    title = _("Which label of the suite fits")
    prompt = _("Which label fits this text?")
    is_about_labels = True

    @classmethod
    def usual_prompt(cls, labels: Sequence[str]) -> str:
        match list(labels):
            case ["hateful", "non-hateful"]:
                return _("Is this text hateful or non-hateful?")
            case [first, second]:
                return _("Is this text %(first)s or %(second)s?", first=label_name(first), second=label_name(second))
        return cls.prompt


class Scale(Question):
    """How hateful a text is. Above the campaign's cut, steps count as the suite's positive label."""

    key = "scale"
    title = _("A scale from 1 to 5")
    prompt = _("How hateful is this text, from 1 (not at all) to 5 (very)?")
    is_ordinal = True
    ends: ClassVar[Mapping[str, str]] = {
        "1": pgettext("step of a scale", "1 (not at all)"),
        "5": pgettext("step of a scale", "5 (very)"),
    }

    def labels_to_offer(self) -> list[str]:
        return ["1", "2", "3", "4", "5"]

    def name_of(self, label: str) -> str:
        """A question in other words may mean something else by its ends."""
        return self.ends.get(label, label) if self.has_usual_prompt else label

    @property
    def note(self) -> str:
        return _(
            "Steps above %(step)s count as %(label)s.",
            step=self.campaign.binarise_above,
            label=label_name(self.campaign.suite.positive_label),
        )

    @property
    def counted_labels(self) -> list[str]:
        return [str(label) for label in self.campaign.suite.labels[:2]]

    def counted(self, label: str) -> str:
        positive, negative = self.counted_labels
        return positive if int(label) > self.campaign.binarise_above else negative

    def agreeing(self) -> Mapping[str | None, Sequence[str]]:
        high = self.hateful_labels()
        return {self.campaign.suite.positive_label: high, None: [step for step in self.labels if step not in high]}

    def known_answers(self) -> list[str]:
        """A step, or only the side that is expected."""
        return [*self.labels, *self.campaign.suite.labels]

    def is_right(self, label: str, *, expected: str) -> bool:
        """Every step on the expected side is right."""
        return self.counted(label) == (self.counted(expected) if expected in self.labels else expected)

    def hateful_labels(self) -> list[str]:
        return [label for label in self.labels if int(label) > self.campaign.binarise_above]


class Consistency(Question):
    """Whether a text does what its functionality says. That is decided case by case and makes no verdicts."""

    key = "consistency"
    title = _("Whether the text does what its functionality says")
    prompt = _("Does the text do what the sentence above it says?")
    shows_statement = True
    makes_verdicts = False

    def labels_to_offer(self) -> list[str]:
        return [YES, NO]

    def name_of(self, label: str) -> str:
        return ANSWERS.get(label, label)

    def wanted(self, gold: str) -> str | None:
        return YES

    def agreeing(self) -> Mapping[str | None, Sequence[str]]:
        return {None: [YES]}

    def expected(self, gold: str) -> str:
        return YES


class Choice(Question):
    """An own list of labels. They speak about gold only where gold is among them: unanimous anger must not validate a
    hateful case."""

    key = "choice"
    title = _("Your own list of answers")
    prompt = _("Which answer fits this text?")

    def labels_to_offer(self) -> list[str]:
        stripped = (str(label).strip() for label in self.campaign.labels)
        return list(dict.fromkeys(label for label in stripped if label))

    def why_refused(self, labels: Sequence[str]) -> str:
        if FEWEST <= len(labels) <= MOST:
            return ""
        return _("Give two to nine different answers, one per line. Each gets a key from 1 to 9.")

    def name_of(self, label: str) -> str:
        """As it was written, whatever the language of the annotator."""
        return label

    def wanted(self, gold: str) -> str | None:
        return gold if gold in self.labels else None

    def agreeing(self) -> Mapping[str | None, Sequence[str]]:
        return {label: [label] for label in self.labels}

    @property
    def makes_verdicts(self) -> bool:
        return not set(self.campaign.suite.labels).isdisjoint(self.labels)

    def judges(self, gold: str) -> bool:
        return gold in self.labels
