"""What the database refuses in the tables of labels."""

from annotation.models import Adjudication, Annotation, ImportReversal, TrainingAnswer
from core.guards import ALWAYS, DELETE, UPDATE, Guard, register

register(
    Guard(Annotation, (UPDATE, DELETE), ALWAYS, "labels are never changed: add a revision"),
    Guard(Adjudication, (UPDATE, DELETE), ALWAYS, "decisions are never changed: add a new one"),
    Guard(ImportReversal, (UPDATE, DELETE), ALWAYS, "taking an import back is recorded for good: import it again"),
    Guard(TrainingAnswer, (UPDATE,), ALWAYS, "answers are never changed"),
)
