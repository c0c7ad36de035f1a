"""What a campaign asks about a text: one class per kind of question, without Django."""

from annotation.questions.base import KINDS, Question, question_of
from annotation.questions.kinds import Choice, Consistency, Labels, Scale
from annotation.questions.names import label_name, label_names

__all__ = ["KINDS", "Choice", "Consistency", "Labels", "Question", "Scale", "label_name", "label_names", "question_of"]
