"""What the database refuses in the tables of results."""

from curation.database_guards import ALWAYS, UPDATE, Guard, register
from evaluation.models import Prediction

register(Guard(Prediction, (UPDATE,), ALWAYS, "predictions are never changed: make a new run"))
