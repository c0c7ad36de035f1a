"""Spelling perturbations: seeded, aware of scripts, and never through the middle of a letter."""

from curation.morphology.perturb.base import NotApplicable, Perturbation
from curation.morphology.perturb.registry import (
    PERTURBATIONS,
    Outcome,
    attempt,
    perturb,
    perturb_word,
    perturbations_for,
    why_not,
)

__all__ = [
    "PERTURBATIONS",
    "NotApplicable",
    "Outcome",
    "Perturbation",
    "attempt",
    "perturb",
    "perturb_word",
    "perturbations_for",
    "why_not",
]
