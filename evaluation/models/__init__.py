from evaluation.models.attacks import Attack, AttackScore
from evaluation.models.chunks import RunChunk
from evaluation.models.datasets import Dataset
from evaluation.models.registry import DetectionModel, ModelVersion
from evaluation.models.runs import EvaluationRun, Prediction, Report
from evaluation.models.sharing import SharedReport
from evaluation.models.splits import Experiment, ExperimentResult, Split, SplitMethod

__all__ = [
    "Attack",
    "AttackScore",
    "Dataset",
    "DetectionModel",
    "EvaluationRun",
    "Experiment",
    "ExperimentResult",
    "ModelVersion",
    "Prediction",
    "Report",
    "RunChunk",
    "SharedReport",
    "Split",
    "SplitMethod",
]
