from evaluation.attacks.models import Attack, AttackScore, AttackSpread
from evaluation.datasets.models import Dataset
from evaluation.registry.models import DetectionModel, ModelVersion
from evaluation.results.models import ReportedResult, SharedReport
from evaluation.runs.models import EvaluationRun, Prediction, Report, RunChunk
from evaluation.splits.models import Experiment, ExperimentResult, Split, SplitMethod

__all__ = [
    "Attack",
    "AttackScore",
    "AttackSpread",
    "Dataset",
    "DetectionModel",
    "EvaluationRun",
    "Experiment",
    "ExperimentResult",
    "ModelVersion",
    "Prediction",
    "Report",
    "ReportedResult",
    "RunChunk",
    "SharedReport",
    "Split",
    "SplitMethod",
]
