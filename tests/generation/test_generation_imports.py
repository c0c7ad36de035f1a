"""The pure packages stay pure and light: no Django, and no heavy library until it is needed."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("prompts/algorithm", "runs/algorithm", "checks/algorithm", "diversity/algorithm", "expansion")
HEAVY = ("django", "torch", "transformers", "nltk", "scipy", "numpy", "pandas", "lingua", "sklearn", "rapidfuzz")


def test_importing_everything_loads_neither_django_nor_anything_heavy():
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for package in PACKAGES
        for path in sorted((ROOT / "generation" / package).glob("*.py"))
        if path.stem != "__init__"
    ]
    assert len(modules) > 30
    script = f"import sys, importlib\nfor name in {modules!r}: importlib.import_module(name)\n"
    script += f"print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
