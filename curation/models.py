from curation.authoring.models import ReviewComment, Template, TemplateVariant, TemplateVersion
from curation.cases.models import CaseVerdict, Decision, Exclusion, TestCase
from curation.catalogue.models import (
    Coverage,
    Functionality,
    FunctionalityClass,
    Language,
    ProtectedGroup,
    Suite,
    TargetGroup,
)
from curation.followed.models import FollowedIndex
from curation.hubs.models import HubEntry
from curation.lexicon.models import Form, LexiconEntry
from curation.releases.models import (
    Release,
    ReleaseAccessRequest,
    ReleaseAnnex,
    ReleaseCase,
    ReleaseDownload,
    ReleaseExclusion,
    ReleaseIdentifier,
    ReleaseWithdrawal,
)

__all__ = [
    "CaseVerdict",
    "Coverage",
    "Decision",
    "Exclusion",
    "FollowedIndex",
    "Form",
    "Functionality",
    "FunctionalityClass",
    "HubEntry",
    "Language",
    "LexiconEntry",
    "ProtectedGroup",
    "Release",
    "ReleaseAccessRequest",
    "ReleaseAnnex",
    "ReleaseCase",
    "ReleaseDownload",
    "ReleaseExclusion",
    "ReleaseIdentifier",
    "ReleaseWithdrawal",
    "ReviewComment",
    "Suite",
    "TargetGroup",
    "Template",
    "TemplateVariant",
    "TemplateVersion",
    "TestCase",
]
