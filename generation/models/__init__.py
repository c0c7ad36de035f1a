from generation.models.candidates import Candidate
from generation.models.prompts import Prompt
from generation.models.requests import ProviderRequest
from generation.models.runs import GenerationRun

__all__ = ["Candidate", "GenerationRun", "Prompt", "ProviderRequest"]
