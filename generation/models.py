from generation.candidates.models import Candidate
from generation.prompts.models import Prompt
from generation.runs.models import GenerationRun, ProviderRequest

__all__ = ["Candidate", "GenerationRun", "Prompt", "ProviderRequest"]
