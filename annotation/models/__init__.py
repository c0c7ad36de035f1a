from annotation.models.annotations import Annotation
from annotation.models.annotators import Annotator, DemographicAnswer
from annotation.models.campaigns import Campaign, CampaignItem
from annotation.models.decisions import Adjudication, AgreementReport
from annotation.models.guidelines import Guideline
from annotation.models.participation import CampaignMessage, Participation, TrainingAnswer
from annotation.models.slots import Assignment, EndedLease

__all__ = [
    "Adjudication",
    "AgreementReport",
    "Annotation",
    "Annotator",
    "Assignment",
    "Campaign",
    "CampaignItem",
    "CampaignMessage",
    "DemographicAnswer",
    "EndedLease",
    "Guideline",
    "Participation",
    "TrainingAnswer",
]
