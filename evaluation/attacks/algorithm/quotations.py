"""Counter-speech templates: one per line, the quoted post goes where `<post>` stands."""

from dataclasses import dataclass
from pathlib import Path

from core.tables.decoding import Unreadable, read_text
from core.tables.problems import Problem
from core.text import _

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
            fix = _("Write %(slot)s where the quoted post belongs.", slot=SLOT)
            problem = _("The template has no slot: '%(template)s'", template=template[:60])
            problems.append(Problem(path.name, row, None, problem, fix))
        elif template in templates:
            problem = _("The same template is in line %(line)s", line=str(templates[template]))
            problems.append(Problem(path.name, row, None, problem, _("Delete one of the two."), severity="warning"))
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
        raise ValueError(
            _(
                "There are no quotation templates for the language '%(language)s'. Give a file of templates, or choose "
                "one of these languages: %(known)s.",
                language=language,
                known=known,
            )
        )
    return OURS / f"{code}.txt"
