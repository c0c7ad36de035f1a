"""What is declared is what is used: pyproject.toml, the pinned files and the imports of the product agree."""

import ast
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("accounts", "annotation", "config", "core", "curation", "evaluation", "generation", "ui")
SETTINGS = ROOT / "config" / "settings.py"
# Used without an import of ours: servers, settings named by a text, and parts of other packages.
WITHOUT_IMPORT = {"granian", "argon2-cffi", "whitenoise", "psycopg", "accelerate", "gguf", "huggingface-hub"}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=~!; ]", name, maxsplit=1)[0]).lower()


def declared(part: str = "") -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {canonical(line) for line in (project["optional-dependencies"][part] if part else project["dependencies"])}


def pinned(file: str) -> dict[str, str]:
    lines = [line for line in (ROOT / file).read_text().splitlines() if line and not line.startswith("#")]
    return {canonical(line): line.partition("==")[2] for line in lines}


def imported() -> set[str]:
    """Distributions that the code of the product imports, or that the settings name."""
    of_module = packages_distributions()
    modules: set[str] = set()
    for app in APPS:
        for file in (ROOT / app).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    modules.update(alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    modules.add(node.module.partition(".")[0])
                elif file == SETTINGS and isinstance(node, ast.Constant) and isinstance(node.value, str):
                    modules.add(node.value.partition(".")[0])
    return {canonical(name) for module in modules for name in of_module.get(module, ())}


def test_every_runtime_dependency_is_used():
    assert sorted(declared() - imported() - WITHOUT_IMPORT) == []


@pytest.mark.parametrize(
    "name", ["django", "djangorestframework", "celery", "psycopg", "pandas", "statsmodels", "torch"]
)
def test_what_the_product_computes_with_is_a_runtime_dependency(name):
    assert name in declared()
    assert name in pinned("requirements.txt")
    assert name not in declared("dev") | set(pinned("requirements-dev.txt"))


def test_nothing_is_pinned_that_was_removed():
    assert {"openai", "nh3"}.isdisjoint(pinned("requirements.txt") | pinned("requirements-dev.txt"))


def test_torch_is_pinned_without_a_local_version():
    assert pinned("requirements.txt")["torch"] == "2.13.0"
