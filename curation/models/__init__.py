from curation.models.cases import CaseVerdict, Exclusion, TestCase
from curation.models.catalogue import (
    Coverage,
    Functionality,
    FunctionalityClass,
    Language,
    ProtectedGroup,
    TargetGroup,
)
from curation.models.decisions import Decision
from curation.models.jobs import Job
from curation.models.lexicon import Form, LexiconEntry
from curation.models.releases import (
    Release,
    ReleaseAccessRequest,
    ReleaseAnnex,
    ReleaseCase,
    ReleaseDownload,
    ReleaseExclusion,
    ReleaseIdentifier,
    ReleaseWithdrawal,
)
from curation.models.suites import Suite
from curation.models.templates import ReviewComment, Template, TemplateVariant, TemplateVersion

__all__ = [
    "CaseVerdict",
    "Coverage",
    "Decision",
    "Exclusion",
    "Form",
    "Functionality",
    "FunctionalityClass",
    "Job",
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
