from generation.candidates.models import Candidate
from generation.checks.models import CheckVersion
from generation.prompts.models import Prompt
from generation.runs.models import GenerationPlan, GenerationRun, ProviderRequest

__all__ = ["Candidate", "CheckVersion", "GenerationPlan", "GenerationRun", "Prompt", "ProviderRequest"]
