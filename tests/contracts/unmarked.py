"""Find words that people read and that no translator would see.

    python -m tests.contracts.unmarked annotation        lists those of one app, with file and line

Templates: text and attributes outside `translate` and `blocktranslate`. Python: sentences outside `_()`, `ngettext()`
and `pgettext()`. What only operators and programs read (commands, API descriptions, logs, migrations) stays English.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from django.template.base import DebugLexer, TokenType

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ["accounts", "annotation", "config", "core", "curation", "evaluation", "generation", "ui"]
WORD = re.compile(r"[A-Za-z]{2,}")
TAG = re.compile(r"<[^>]*>", re.S)
SPOKEN = re.compile(
    r"""\b(title|aria-label|aria-description|placeholder|alt|data-confirm[\w-]*|data-label|label)\s*=\s*"""
    r"""("[^"]*"|'[^']*')"""
)
SILENT = re.compile(r"<(script|style|code|kbd|pre|samp)\b.*?</\1>", re.S)
LITERAL_ARGUMENT = re.compile(r"""(?<![_(])(?<!_\()("[A-Z][^"]*[a-z ][^"]*"|'[A-Z][^']*[a-z ][^']*')""")
# Tags whose literal arguments people read.
SPEAKING_TAGS = {"empty_state", "notice", "stat", "badge", "progress", "pagination", "sort_header", "icon", "measure"}
# Names that are the same in every language.
NAMES = {"Touchstone", "CSV", "JSON", "JSONL", "XLSX", "PDF", "HTML", "LaTeX", "SVG", "PNG", "API", "HateCheck", "ZIP"}

OPERATORS_ONLY = ("/management/commands/", "/migrations/", "/api/", "/admin.py", "_urls.py", "/urls.py")
MARKERS = {"_", "ngettext", "pgettext", "gettext", "gettext_lazy", "ngettext_lazy"}
LOGS = {"debug", "info", "warning", "error", "exception", "getLogger", "get_logger"}


def templates_of(app: str) -> list[Path]:
    return sorted((ROOT / app / "templates").rglob("*.html")) + sorted((ROOT / app / "templates").rglob("*.txt"))


def unmarked_in_template(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and words of a template that are not marked for translation."""
    source, kept, depth = path.read_text(encoding="utf-8"), [], 0
    for token in DebugLexer(source).tokenize():
        lines = "\n" * source[token.position[0] : token.position[1]].count("\n")
        if token.token_type is TokenType.BLOCK:
            name = token.contents.split()[0]
            if name in ("blocktranslate", "blocktrans", "comment", "verbatim"):
                depth += 1
            elif name in ("endblocktranslate", "endblocktrans", "endcomment", "endverbatim"):
                depth -= 1
            elif name in SPEAKING_TAGS:
                for found in LITERAL_ARGUMENT.finditer(token.contents):
                    if token.contents[found.start() - 2 : found.start()] != "_(" and " " in found[0]:
                        yield token.lineno, found[0]
            kept.append(lines)
        elif token.token_type is TokenType.TEXT and not depth:
            kept.append(token.contents)
        else:
            kept.append(lines if depth or token.token_type is not TokenType.VAR else f"\x01{lines}")
    text = "".join(kept)
    text = SILENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for found in SPOKEN.finditer(text):
        if set(WORD.findall(found[2])) - NAMES:
            yield text.count("\n", 0, found.start()) + 1, found[0]
    text = TAG.sub(lambda found: "\n" * found[0].count("\n"), re.sub(r"<!--.*?-->", "", text, flags=re.S))
    for number, line in enumerate(text.splitlines(), 1):
        if set(WORD.findall(re.sub(r"&\w+;", "", line))) - NAMES:
            yield number, line.strip().replace("\x01", "{{}}")


class Sentences(ast.NodeVisitor):
    """Collect sentences that are not inside a call that marks them."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring is for developers
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in MARKERS or (name in LOGS and isinstance(node.func, ast.Attribute)):
            return
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and is_sentence(node.value):
            self.found.append((node.lineno, node.value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        parts = "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        if is_sentence(parts):
            self.found.append((node.lineno, parts))


def is_sentence(text: str) -> bool:
    """Whether people would read it: three words or more that begin like a sentence or end like one."""
    bare = text.strip()
    return (
        len(WORD.findall(bare)) >= 3 and " " in bare and (bare[0] in "'“\"…" or bare[0].isupper() or bare[-1] in ".?!:")
    )


def unmarked_in_module(path: Path) -> list[tuple[int, str]]:
    reader = Sentences()
    reader.visit(ast.parse(path.read_text(encoding="utf-8")))
    return reader.found


def modules_of(app: str) -> list[Path]:
    found = sorted((ROOT / app).rglob("*.py"))
    return [path for path in found if not any(part in f"/{path.relative_to(ROOT)}" for part in OPERATORS_ONLY)]


def main() -> None:
    for app in sys.argv[1:] or APPS:
        for path in templates_of(app):
            for line, words in unmarked_in_template(path):
                print(f"{path.relative_to(ROOT)}:{line}: {words[:140]}")  # noqa: T201
        for path in modules_of(app):
            for line, words in unmarked_in_module(path):
                print(f"{path.relative_to(ROOT)}:{line}: {words[:140]!r}")  # noqa: T201


if __name__ == "__main__":
    main()
