"""Prolific: the data set of a Task Builder batch out. Labels of a campaign with its participants are given here."""

from annotation.labels.tools.base import CASE_ID, AnnotationTool, LabellingTask
from core.tables.recognising import PROLIFIC, TITLES
from core.tables.writing import csv_bytes

HIDDEN = "META_"  # begins the names of columns that participants do not see


def write_prolific(task: LabellingTask) -> dict[str, bytes]:
    """Return the data set to upload, with the case id in a column that participants do not see."""
    rows = [(case.key, case.text) for case in task.cases]
    return {"dataset.csv": csv_bytes([(HIDDEN + CASE_ID, "text"), *rows])}


TOOL = AnnotationTool(PROLIFIC, TITLES[PROLIFIC], write_prolific)
