"""Attack sets as the files of the public tool, and its answer files back, so that any model anywhere can be scored.

One post per line, `text<TAB>label`; answers add `<TAB>prediction`. Labels are 1 (abusive) and 0. A line break, tab or
backslash inside a post is written as a backslash escape, so every post survives; in the public tool's files it is lost.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.tables.decoding import Unreadable, read_text
from core.tables.problems import Problem
from core.text import _, ngettext
from evaluation.attacks.algorithm.values import AttackPost, AttackSet, Name

FILE_NAMES: Mapping[Name, str] = {
    "original": "f1_o.tsv",
    "hashtag_check": "hashtag_check.tsv",
    "quo": "quoting_a_to_n.tsv",
    "corr_nn": "corr_n_to_n.tsv",
    "corr_aa": "corr_a_to_a.tsv",
    "flip": "flip_n_to_a.tsv",
    "ident_nn": "ident_n_to_n.tsv",
}
TO_ESCAPE = re.compile("[\\\\\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
ESCAPE = re.compile(r"\\(\\|t|n|r|u[0-9a-f]{4})")
SHORT = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
LONG = {short[1]: character for character, short in SHORT.items()}


@dataclass(frozen=True, slots=True)
class Answers:
    """A model's answers by attack (True: abusive). Attacks whose file has a problem are left out."""

    answers: Mapping[Name, tuple[bool, ...]]
    problems: tuple[Problem, ...] = ()


def escape(post: str) -> str:
    """A post on one line without tabs; `unescape` gives it back exactly."""
    return TO_ESCAPE.sub(lambda found: SHORT.get(found[0], f"\\u{ord(found[0]):04x}"), post)


def unescape(text: str) -> str:
    """The post behind an escaped line; a backslash that begins no escape stays as it is."""
    return ESCAPE.sub(lambda found: LONG[found[1]] if found[1] in LONG else chr(int(found[1][1:], 16)), text)


def file_text(attack: AttackSet) -> str:
    """The content of one file: the same bytes for the same set."""
    return "".join(f"{escape(post.text)}\t{int(post.abusive)}\n" for post in attack.posts)


def write_sets(sets: Mapping[Name, AttackSet], folder: str | Path) -> list[Path]:
    """One file per attack set in the folder, which is made if need be; files of sets it no longer has are removed."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, file_name in FILE_NAMES.items():
        if name not in sets:
            (folder / file_name).unlink(missing_ok=True)
    paths = []
    for name, attack in sets.items():
        path = folder / FILE_NAMES[name]
        path.write_text(file_text(attack), encoding="utf-8", newline="\n")
        paths.append(path)
    return paths


def read_sets(folder: str | Path) -> tuple[dict[Name, AttackSet], tuple[Problem, ...]]:
    """The sets a folder holds, with located problems; the row of a post stands for its origin."""
    sets: dict[Name, AttackSet] = {}
    problems: list[Problem] = []
    for name, file_name in FILE_NAMES.items():
        path = Path(folder) / file_name
        if not path.is_file():
            continue
        posts = []
        try:
            lines = _lines(path)
        except Unreadable as error:
            problems.append(error.located(file_name))
            continue
        for row, cells in lines:
            if len(cells) != 2 or cells[1].strip() not in ("0", "1"):
                fix = _("Write the post, a tab, and 1 (abusive) or 0.")
                problems.append(Problem(file_name, row, None, _("The line is not a post and a label"), fix))
            else:
                posts.append(AttackPost(unescape(cells[0]), cells[1].strip() == "1", row - 1))
        sets[name] = AttackSet(name, tuple(posts))
    return sets, tuple(problems)


def read_answers(sets: Mapping[Name, AttackSet], folder: str | Path) -> Answers:
    """The answer files for these sets.

    A missing file, another post or label than was handed out, a line too many or too few, and a prediction that is not
    0 or 1 are located problems; that attack then has no answers.
    """
    answers: dict[Name, tuple[bool, ...]] = {}
    problems: list[Problem] = []
    for name, attack in sets.items():
        path = Path(folder) / FILE_NAMES[name]
        if not path.is_file():
            fix = ngettext(
                "Put it into the folder. It has the answer to %(count)s post.",
                "Put it into the folder. It has the answers to %(count)s posts.",
                len(attack.posts),
            )
            problems.append(Problem(path.name, None, None, _("The answer file is missing"), fix))
            continue
        found, wrong = _answers_in(path, attack)
        problems += wrong
        if not wrong:
            answers[name] = tuple(found)
    return Answers(answers, tuple(problems))


def _answers_in(path: Path, attack: AttackSet) -> tuple[list[bool], list[Problem]]:
    found: list[bool] = []
    try:
        lines = _lines(path)
    except Unreadable as error:
        return found, [error.located(path.name)]
    if len(lines) != len(attack.posts):
        problem = _(
            "The number of answers (%(answers)s) differs from the number of posts (%(posts)s)",
            answers=len(lines),
            posts=len(attack.posts),
        )
        return found, [Problem(path.name, None, None, problem, _("Answer each line once, in the order of the file."))]
    for (row, cells), post in zip(lines, attack.posts, strict=True):
        if len(cells) != 3:
            fix = _("Write post, label and prediction, separated by tabs.")
            problem = ngettext(
                "The line has %(count)s cell instead of 3", "The line has %(count)s cells instead of 3", len(cells)
            )
            return found, [Problem(path.name, row, None, problem, fix)]
        if unescape(cells[0]) != post.text or cells[1].strip() != str(int(post.abusive)):
            fix = _("Keep the lines and their order as they are in the downloaded set.")
            return found, [Problem(path.name, row, "text", _("The post or its label differs from the set"), fix)]
        if cells[2].strip() not in ("0", "1"):
            problem = _("The prediction is '%(prediction)s'", prediction=cells[2].strip()[:40])
            return found, [Problem(path.name, row, "prediction", problem, _("Write 1 (abusive) or 0."))]
        found.append(cells[2].strip() == "1")
    return found, []


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    lines = read_text(path).replace("\r\n", "\n").split("\n")
    return [(row, line.split("\t")) for row, line in enumerate(lines, start=1) if line]
