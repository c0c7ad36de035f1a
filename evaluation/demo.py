"""The demo's models: two word lists that read the demo's release. What they get wrong is what functional tests show."""

import tempfile
from pathlib import Path
from typing import Any

from accounts.models import User
from core.tables.writing import csv_bytes
from curation.demo import demo_fixture
from curation.models import Release, ReleaseCase
from evaluation.models import EvaluationRun
from evaluation.runs.uploading import import_predictions


def load_demo_results(release: Release, *, by: User) -> None:
    """Let every word list read the release and keep its results. Loading again changes nothing."""
    if EvaluationRun.objects.filter(release=release).exists():
        return
    cases = list(ReleaseCase.objects.filter(release=release).order_by("position").values_list("key", "text"))
    for model in demo_fixture("word_lists")["models"]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "predictions.csv"
            path.write_bytes(csv_bytes([("case_id", "label"), *((key, _label(text, model)) for key, text in cases)]))
            import_predictions(release, path, model=model["name"], by=by)


def _label(text: str, model: dict[str, Any]) -> str:
    lowered = text.casefold()
    says_so = any(word in lowered for word in model["words"])
    return "hateful" if says_so and not any(sign in lowered for sign in model["unless"]) else "non-hateful"
