"""What a campaign asks about a text: one class per kind of question, without Django."""

from annotation.questions.base import KINDS, Question, question_of
from annotation.questions.kinds import Choice, Consistency, Labels, Scale

__all__ = ["KINDS", "Choice", "Consistency", "Labels", "Question", "Scale", "question_of"]
