"""What is declared is what is used: pyproject.toml, the pinned files and the imports of the product agree."""

import ast
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from core.extras import EXTRAS

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("accounts", "annotation", "config", "core", "curation", "evaluation", "generation", "ui")
SETTINGS = ROOT / "config" / "settings.py"
# Used without an import of ours: servers, settings named by a text, and parts of other packages.
WITHOUT_IMPORT = {"granian", "argon2-cffi", "whitenoise", "psycopg", "accelerate", "gguf", "huggingface-hub"}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=~!; ]", name, maxsplit=1)[0]).lower()


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def declared(part: str = "") -> set[str]:
    """Distributions of the base, or those that an extra adds, also through other extras."""
    found: set[str] = set()
    for line in PROJECT["optional-dependencies"][part] if part else PROJECT["dependencies"]:
        if canonical(line) == PROJECT["name"]:
            for other in line.partition("[")[2].rstrip("]").split(","):
                found |= declared(other)
        else:
            found.add(canonical(line))
    return found


def at_runtime() -> set[str]:
    return declared() | declared("all")


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
    assert sorted(at_runtime() - imported() - WITHOUT_IMPORT) == []


def test_everything_that_is_pinned_for_users_is_in_an_extra_or_the_base():
    assert at_runtime() <= set(pinned("requirements.txt"))


def test_the_message_about_a_missing_package_names_the_extra_that_brings_it():
    of_module = packages_distributions()
    for module, extra in EXTRAS.items():
        assert {canonical(name) for name in of_module[module]} & declared(extra), module
        assert not {canonical(name) for name in of_module[module]} & declared(), module
    named = {canonical(name) for module in EXTRAS for name in of_module[module]}
    assert declared("all") - named - {"psycopg"} == set()


def test_every_extra_but_that_of_developers_is_in_all():
    for extra in PROJECT["optional-dependencies"]:
        if extra != "dev":
            assert declared(extra) <= declared("all")


@pytest.mark.parametrize(
    "name", ["django", "djangorestframework", "celery", "psycopg", "pandas", "statsmodels", "torch"]
)
def test_what_the_product_computes_with_is_a_runtime_dependency(name):
    assert name in at_runtime()
    assert name in pinned("requirements.txt")
    assert name not in declared("dev") | set(pinned("requirements-dev.txt"))


def test_nothing_is_pinned_that_was_removed():
    assert {"openai", "nh3"}.isdisjoint(pinned("requirements.txt") | pinned("requirements-dev.txt"))


def test_torch_is_pinned_without_a_local_version():
    assert pinned("requirements.txt")["torch"] == "2.13.0"
