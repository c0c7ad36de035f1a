"""Templates stay readable: no line is longer than a reader sees at once."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST = 160


def test_no_line_of_a_template_is_too_long():
    files = sorted(ROOT.glob("*/templates/**/*.html"))
    assert len(files) > 100
    too_long = [
        f"{file.relative_to(ROOT)}:{number} ({len(line)} characters)"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert too_long == []
