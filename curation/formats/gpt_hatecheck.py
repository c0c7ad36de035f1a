"""Reader of GPT-HateCheck from a user's own copy: its authors ask that the opened messages not be passed on.

The copy is the folder of `dataset_<group>.csv` out of the authors' archives, before or after their validation.
"""

import hashlib
import re
from pathlib import Path

from core.tables.problems import Problem
from core.tables.reading import Table
from core.text import _, ngettext
from curation.formats.base import SuiteFormat
from curation.formats.columns import check_filled, read_suite_table, shortened
from curation.formats.values import CaseValue, SuiteValues

REQUIRED = ("message", "functionality", "hate_label")
VERDICT = "nli_pass_test"
# Where the files lie in a copy of the repository; those with the verdicts go first.
FOLDERS = (".", "output", "nli_hypothesis_test/output", "gpt3.5-generated", "datasets/gpt3.5-generated")
LIST = "cases_without_text.csv"
# F1 to F24 are numbered as in HateCheck; the five kinds of spelling were asked for at once.
KEYS = (
    *("derog_neg_emote_h", "derog_neg_attrib_h", "derog_dehum_h", "derog_impl_h", "threat_dir_h", "threat_norm_h"),
    *("slur_h", "slur_homonym_nh", "slur_reclaimed_nh", "profanity_h", "profanity_nh", "ref_subs_clause_h"),
    *("ref_subs_sent_h", "negate_pos_h", "negate_neg_nh", "phrase_question_h", "phrase_opinion_h", "ident_neutral_nh"),
    *("ident_pos_nh", "counter_quote_nh", "counter_ref_nh", "target_obj_nh", "target_indiv_nh", "target_group_nh"),
)
FUNCTIONALITIES = {f"F{number}": key for number, key in enumerate(KEYS, 1)} | {"F25-29": "spelling_variation_h"}
WITHOUT_GROUP = frozenset({"profanity_nh", "target_obj_nh", "target_indiv_nh", "target_group_nh"})
# What HateCheck calls the groups, so that both suites can be compared by group.
GROUPS = {"gays": "gay people", "trans": "trans people"}
LABELS = {"1": "hateful", "0": "non-hateful"}
_NUMBER = re.compile(r"(F\d+(?:-\d+)?)\s*:")


def read_gpt_hatecheck(path: Path) -> SuiteValues:
    """Return the messages of all groups, those alone that passed the authors' validation where the files tell.

    Never raises: faults are in `problems`. Where `cases_without_text.csv` lies beside the files, each message must be
    one of its hashes, and has the identifier given there; otherwise identifiers are group and row number, which is
    the same for unchanged files.
    """
    values = SuiteValues()
    files = [path] if path.is_file() else _files(path)
    if not files:
        fix = _("unpack the authors' archives and name the folder with dataset_women.csv and the other groups")
        problem = _("there is no file called dataset_<group>.csv")
        values.problems.append(Problem(str(path), None, None, problem, fix))
    listed = _read_list(files[0].parent, path, values) if files else None
    for file in files:
        table = read_suite_table(file, required=REQUIRED, optional=(VERDICT,))
        if table.readable:
            _read_rows(table, _group(file), listed, values)
        values.problems.extend(table.problems)
    return values


def _files(folder: Path) -> list[Path]:
    for place in FOLDERS:
        if found := sorted((folder / place).glob("dataset_*.csv")):
            return found
    return []


def _group(file: Path) -> str:
    return file.stem.removeprefix("dataset_").replace("_", " ").strip()


def _read_list(folder: Path, given: Path, values: SuiteValues) -> dict[str, str] | None:
    """Identifiers by hash of the message, or None where there is no list."""
    places = [folder / LIST, *([given / LIST] if given.is_dir() else [])]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        return None
    table = read_suite_table(file, required=("case_id", "message_sha256"))
    values.problems.extend(table.problems)
    if not table.readable:
        return None
    return {cells["message_sha256"]: cells["case_id"] for row, cells in table.records()}


def _read_rows(table: Table, group: str, listed: dict[str, str] | None, values: SuiteValues) -> None:
    prefix = group.split()[0].lower() if group else "message"
    seen: dict[str, int] = {}
    failed = 0
    for row, cells in table.records():
        message = cells["message"]
        if not check_filled(table, row, "message", message, "message"):
            continue
        if message in seen:  # the authors drop these before they number the rows
            problem = _("the message is also in row %(row)s", row=seen[message])
            table.warn(row, "message", problem, _("nothing to do: it is imported once"))
            continue
        seen[message] = row
        key = _identifier(table, row, message, f"{prefix}-{len(seen):04d}", listed)
        functionality = _functionality(table, row, cells["functionality"])
        label = LABELS.get(cells["hate_label"].strip().removesuffix(".0"))
        if label is None:
            problem = _("the label '%(label)s' is not known", label=shortened(cells["hate_label"]))
            table.add(row, "hate_label", problem, _("write 1 or 0"))
        if cells.get(VERDICT, "1").strip().removesuffix(".0") == "0":
            failed += 1
        elif key and functionality and label:
            values.cases.append(_case(key, functionality, message, label, group, cells))
            values.case_places[key] = (table.file, row)
    if failed:
        problem = ngettext(
            "%(count)s message did not pass the authors' validation and is left out",
            "%(count)s messages did not pass the authors' validation and are left out",
            failed,
        )
        fix = _("nothing to do; to import them too, remove the column from the file")
        table.warn(None, VERDICT, problem, fix)


def _identifier(table: Table, row: int, message: str, numbered: str, listed: dict[str, str] | None) -> str | None:
    if listed is None:
        return numbered
    found = listed.get(hashlib.sha256(message.encode()).hexdigest())
    if found is None:
        problem = _("the message is not one of those published: its SHA-256 is not in %(file)s", file=LIST)
        table.add(row, "message", problem, _("unpack the archive again, or remove %(file)s", file=LIST))
    return found


def _functionality(table: Table, row: int, cell: str) -> str | None:
    number = _NUMBER.match(cell.strip())
    found = FUNCTIONALITIES.get(number[1]) if number else None
    if found is None:
        fix = _("write it as published, for example 'F1: Expression of strong negative emotions (explicit)'")
        problem = _("the functionality '%(functionality)s' is not known", functionality=shortened(cell))
        table.add(row, "functionality", problem, fix)
    return found


def _case(key: str, functionality: str, message: str, label: str, group: str, cells: dict[str, str]) -> CaseValue:
    answers = ((name, value) for name, value in cells.items() if name.startswith("nli_") and value.strip() != "-1")
    return CaseValue(
        key=key,
        language="en",
        functionality=functionality,
        text=message,
        label=label,
        target="" if functionality in WITHOUT_GROUP else GROUPS.get(group, group),
        extra=tuple(answers),
    )


GPT_HATECHECK = SuiteFormat(
    name="gpt_hatecheck",
    title=_("GPT-HateCheck, your own copy"),
    read=lambda path, options: read_gpt_hatecheck(path),
    defaults={"raters": 3, "threshold": 2, "policy": "mark"},
)
