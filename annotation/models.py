from annotation.agreement.models import Adjudication, AgreementReport
from annotation.campaigns.models import Campaign, CampaignItem, Guideline
from annotation.labelling.models import Annotation, Assignment, EndedLease
from annotation.labels.models import ImportReversal
from annotation.people.models import (
    Annotator,
    CampaignMessage,
    DemographicAnswer,
    LinkedAnswers,
    Participation,
    TrainingAnswer,
)

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
    "ImportReversal",
    "LinkedAnswers",
    "Participation",
    "TrainingAnswer",
]
