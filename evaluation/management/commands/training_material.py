"""Write training material from the functionalities a model fails on, with templates that are held out."""

from collections import Counter
from typing import Any

from core.commands import DomainCommand
from core.errors import Missing
from core.tables.writing import csv_bytes
from evaluation.models import EvaluationRun
from evaluation.training.feedback import COLUMNS, material_of
from evaluation.training.options import MaterialOptions


class Command(DomainCommand):
    help = "Write cases of failing functionalities as training material (train) and held-out templates (test)."
    options = MaterialOptions

    def perform(self, chosen: MaterialOptions) -> dict[str, Any]:
        runs = EvaluationRun.objects.select_related("release__suite", "model_version__model", "report")
        run = runs.filter(key=chosen.run).first()
        if run is None:
            raise Missing(f"There is no run '{chosen.run}'. Its key is in the results: evaluate --json, or its page.")
        rows = material_of(run, chosen)
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_bytes(csv_bytes([COLUMNS, *rows]))
        parts = Counter(row[3] for row in rows)
        functionalities = sorted({row[4] for row in rows})
        return {"run": run.key, "functionalities": functionalities, "out": str(chosen.out), **parts}

    def describe(self, result: dict[str, Any]) -> str:
        return (
            f"{result['train']:,} cases to train on and {result['test']:,} of held-out templates, from "
            f"{', '.join(result['functionalities'])}. Written to {result['out']}."
        )
