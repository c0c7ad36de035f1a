from evaluation.models.datasets import Dataset
from evaluation.models.registry import DetectionModel, ModelVersion
from evaluation.models.runs import EvaluationRun, Prediction, Report

__all__ = ["Dataset", "DetectionModel", "EvaluationRun", "ModelVersion", "Prediction", "Report"]
