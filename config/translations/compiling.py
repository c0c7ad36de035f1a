"""Compile catalogues that changed. Needs no tools of the system: Babel is plain Python.

python config/translations/compiling.py
"""

import os
import re
import tempfile
from functools import cache
from pathlib import Path

STATUS = "X-Touchstone-Status"
DRAFTED = "drafted by a machine, no native reader has confirmed it yet"
LOCALE = Path(__file__).resolve().parent.parent.parent / "locale"


def stale() -> list[Path]:
    """Return the catalogues whose compiled file is missing or older."""
    found = []
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            found.append(source)
    return found


def compile_catalogues() -> list[Path]:
    """Compile what is stale. Several processes may do it at once: each file appears whole."""
    done = []
    for source in stale():
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        with source.open("rb") as file:
            catalogue = read_po(file, abort_invalid=True)
        with tempfile.NamedTemporaryFile(dir=source.parent, suffix=".part", delete=False) as part:
            write_mo(part, catalogue)
        Path(part.name).chmod(0o644)
        os.replace(part.name, source.with_suffix(".mo"))
        done.append(source)
    return done


def status_of(catalogue: Path) -> str:
    """Return who vouches for a catalogue: what it says in its head."""
    head = catalogue.read_text(encoding="utf-8")[:2000] if catalogue.exists() else ""
    found = re.search(rf'^"{STATUS}: (.*)\\n"$', head, re.M)
    return found[1] if found else DRAFTED


@cache
def is_draft(locale: str) -> bool:
    """Tell whether no native reader has confirmed the translations of a locale."""
    path = LOCALE / locale / "LC_MESSAGES" / "django.po"
    return path.exists() and status_of(path) == DRAFTED


@cache
def edition() -> str:
    """Return what changes with the translations of scripts, for addresses that are kept by browsers."""
    times = [path.stat().st_mtime_ns for path in LOCALE.glob("*/LC_MESSAGES/djangojs.mo")]
    return f"{max(times, default=0) // 1_000_000:x}"


if __name__ == "__main__":
    compile_catalogues()
