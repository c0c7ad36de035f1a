"""Inside an app, pages, API and commands call services, and services call neither. Models stand below both."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("accounts", "core", "curation", "generation", "annotation", "evaluation")
CALLERS = {"views", "api", "forms", "serializers", "urls", "api_urls", "management", "admin", "templatetags"}
STARTS = {"apps"}  # where an app registers what it brings


def modules() -> dict[str, Path]:
    files = (file for app in APPS for file in (ROOT / app).rglob("*.py") if "migrations" not in file.parts)
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


MODULES = modules()


def imports_of(file: Path) -> set[str]:
    """Return the modules of ours that a file imports, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(
                name if (name := f"{node.module}.{alias.name}") in MODULES else node.module for alias in node.names
            )
    return found & set(MODULES)


def is_caller(module: str) -> bool:
    parts = module.split(".")[1:]
    return bool(CALLERS & set(parts)) or any(part.endswith("_serializers") for part in parts)


def test_there_are_callers_and_services():
    assert any(is_caller(module) for module in MODULES)
    assert any(module.endswith(".services") for module in MODULES)


@pytest.mark.parametrize("app", APPS)
def test_services_import_no_pages_api_or_commands(app):
    wrong = [
        f"{module} imports {target}"
        for module, file in MODULES.items()
        if module.startswith(f"{app}.") and not is_caller(module) and module.rpartition(".")[2] not in STARTS
        for target in imports_of(file)
        if is_caller(target)
    ]
    assert sorted(wrong) == []


@pytest.mark.parametrize("app", APPS)
def test_models_import_no_services(app):
    wrong = [
        f"{module} imports {target}"
        for module, file in MODULES.items()
        if module.startswith(f"{app}.") and "models" in module.split(".")
        for target in imports_of(file)
        if target.rpartition(".")[2] in {"services", "jobs"} or is_caller(target)
    ]
    assert sorted(wrong) == []
