"""What the database refuses in the tables of results."""

from core.guards import ALWAYS, UPDATE, Guard, register
from evaluation.models import AttackScore, Prediction

register(
    Guard(Prediction, (UPDATE,), ALWAYS, "predictions are never changed: make a new run"),
    Guard(
        AttackScore,
        (UPDATE,),
        'OLD."values" <> NEW."values" AND CAST({row}."values" AS TEXT) <> \'{{}}\'',
        "scores of an attack are never changed: hand in the answers again",
    ),
)
