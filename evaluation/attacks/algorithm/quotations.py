"""Counter-speech templates: one per line, the quoted post goes where `<post>` stands."""

from dataclasses import dataclass
from pathlib import Path

from core.tables.decoding import Unreadable, read_text
from core.tables.problems import Problem

SLOT = "<post>"
OURS = Path(__file__).resolve().parents[3] / "fixtures" / "quotations"
OTHER_SLOTS = ("<tweet>",)  # the slot of the public tool's file


@dataclass(frozen=True, slots=True)
class Quotations:
    """Usable templates in file order, and the lines that are not."""

    templates: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def read_quotations(path: str | Path) -> Quotations:
    """The templates of a file; a line without a slot is left out and reported, a repeated one is a warning."""
    path = Path(path)
    templates: dict[str, int] = {}
    problems: list[Problem] = []
    try:
        text = read_text(path)
    except Unreadable as error:
        return Quotations((), (error.located(path.name),))
    for row, line in enumerate(text.split("\n"), start=1):
        template = line.rstrip("\r").strip()
        for other in OTHER_SLOTS:
            template = template.replace(other, SLOT)
        if not template:
            continue
        if SLOT not in template:
            fix = f"Write {SLOT} where the quoted post belongs."
            problems.append(Problem(path.name, row, None, f"the template has no slot: {template[:60]!r}", fix))
        elif template in templates:
            problem = f"the same template as in line {templates[template]}"
            problems.append(Problem(path.name, row, None, problem, "Delete one of the two.", severity="warning"))
        else:
            templates[template] = row
    return Quotations(tuple(templates), tuple(problems))


def languages_with_quotations() -> list[str]:
    """The codes of the languages we wrote templates for."""
    return sorted(path.stem for path in OURS.glob("*.txt"))


def our_quotations(language: str) -> tuple[str, ...]:
    """Our own templates in a language. Refuses as `our_file` does."""
    return read_quotations(our_file(language)).templates


def our_file(language: str) -> Path:
    """Where our templates of a language are (`pt-BR` finds `pt`). Refuses one we wrote none for, naming the others."""
    code, known = language.split("-")[0].lower(), languages_with_quotations()
    if code not in known:
        listed = ", ".join(known)
        raise ValueError(f"there are no quotation templates in '{language}'; import a file, or choose from {listed}")
    return OURS / f"{code}.txt"
