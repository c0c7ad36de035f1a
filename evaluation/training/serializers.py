"""Requests about training."""

from core.options.serializers import OptionsSerializer
from evaluation.training.options import ContaminationOptions, InoculationOptions, MaterialOptions


class MaterialSerializer(OptionsSerializer[MaterialOptions]):
    options = MaterialOptions


class ContaminationSerializer(OptionsSerializer[ContaminationOptions]):
    options = ContaminationOptions


class InoculationSerializer(OptionsSerializer[InoculationOptions]):
    options = InoculationOptions
