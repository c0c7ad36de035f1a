"""Small pieces of Markdown that documents share."""

from collections.abc import Iterable, Mapping, Sequence

from core.text import _

TO_WRITE = _("*Not written yet.*")


def paragraphs(parts: Iterable[str]) -> str:
    """Return the parts that are not empty, one after another, in the language of whoever reads them now."""
    return "\n\n".join(str(part) for part in parts if part)


def escape(text: str) -> str:
    """Return the text as it may stand in a cell of a table."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\r", " ").replace("\n", " ")


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; None is shown as a dash."""
    lines = ["| " + " | ".join(map(str, header)) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join("–" if cell is None else escape(str(cell)) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def number(value: float | None, digits: int = 2) -> str | None:
    """A figure with a fixed number of digits, None where it is undefined."""
    return None if value is None else f"{value:.{digits}f}"


def document(title: str, introduction: str, sections: Mapping[str, str]) -> str:
    """A document of titled sections; a section without content says so."""
    parts = [f"# {title}", introduction]
    for heading, content in sections.items():
        parts += [f"## {heading}", str(content).strip() or TO_WRITE]
    return paragraphs(parts) + "\n"


def merged(facts: str, prose: str | None) -> str:
    """Return what a person wrote first, then what the records say."""
    return paragraphs(str(part).strip() for part in (prose or "", facts))
