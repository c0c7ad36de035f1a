"""HateCheck's word lists: template_placeholders.csv as lexicon entries, with the groups found from the cases."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from core.tables.problems import Problem
from core.tables.reading import Table
from core.text import _, ngettext
from curation.formats.columns import read_suite_table
from curation.formats.tokens import TOKEN_LIKE, Token, parse_token
from curation.formats.values import CaseValue, EntryValue, FormValue

LANGUAGE = "en"
SEPARATOR = ", "
NUMBER_COLUMN = ""  # the running number of the files of cases, whose header is empty


@dataclass(slots=True)
class WordLists:
    """The words of every token, as entries and forms."""

    tokens: dict[str, list[str]] = field(default_factory=dict)
    entries: list[EntryValue] = field(default_factory=list)
    forms: list[FormValue] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    is_missing: bool = False

    @staticmethod
    def tokens_in(text: str) -> list[str]:
        return list(TOKEN_LIKE.findall(text))


def read_words(path: Path, rows: list[tuple[int, CaseValue]], *, use_texts: bool) -> WordLists:
    """Return the lexicon of HateCheck. The group of a word is that of the cases made with it.

    The texts of the cases tell the word; where `use_texts` forbids to look at them, the n-th case of a template is made
    with the n-th word.
    """
    words = WordLists()
    if not path.exists():
        words.is_missing = True
        return words
    table = read_suite_table(path, required=("Placeholder", "Values"))
    parsed: dict[str, Token] = {}
    lines: dict[str, int] = {}
    for row, cells in table.records() if table.readable else ():
        name = cells["Placeholder"].strip()
        token = parse_token(name)
        if token is None:
            problem = _("'%(name)s' is not a placeholder", name=name)
            table.add(row, "Placeholder", problem, _("write for example [IDENTITY_S] or [SLUR_P_leet]"))
        elif name in parsed:
            problem = _("'%(key)s' is also in row %(row)s", key=name, row=lines[name])
            table.add(row, "Placeholder", problem, _("keep one row per placeholder"))
        else:
            parsed[name], lines[name] = token, row
            words.tokens[name] = cells["Values"].split(SEPARATOR)
    _check_lengths(table, parsed, lines, words.tokens)
    groups = _find_groups(table, parsed, words.tokens, rows, use_texts=use_texts)
    _build(table, words, parsed, groups)
    words.problems.extend(table.problems)
    return words


def _check_lengths(table: Table, parsed: dict[str, Token], lines: dict[str, int], lists: dict[str, list[str]]) -> None:
    first_of_kind: dict[str, str] = {}
    for name, token in parsed.items():
        first = first_of_kind.setdefault(token.kind, name)
        if len(lists[name]) != len(lists[first]):
            table.add(
                lines[name],
                "Values",
                ngettext(
                    "%(name)s has %(count)s value and %(other)s has %(expected)s",
                    "%(name)s has %(count)s values and %(other)s has %(expected)s",
                    len(lists[name]),
                    name=name,
                    other=first,
                    expected=len(lists[first]),
                ),
                _("list the same words in the same order for every placeholder of a kind"),
            )
        for value in lists[name]:
            if not value.strip():
                problem = _("%(name)s has an empty value", name=name)
                table.add(lines[name], "Values", problem, _("write the word between the commas"))


def _find_groups(
    table: Table,
    parsed: dict[str, Token],
    lists: dict[str, list[str]],
    rows: list[tuple[int, CaseValue]],
    *,
    use_texts: bool,
) -> dict[tuple[str, int], str]:
    by_template: dict[str, list[CaseValue]] = defaultdict(list)
    for _row, case in rows:
        by_template[case.template or ""].append(case)
    votes: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for cases in by_template.values():
        found = [token for token in TOKEN_LIKE.findall(cases[0].template_text) if token in parsed]
        if len(found) == 1:
            places = _places_of_words(cases, found[0], lists[found[0]], use_texts=use_texts)
            for case, place in zip(cases, places, strict=True):
                if place is not None:
                    votes[parsed[found[0]].kind, place][case.target] += 1
    for (kind, place), counter in votes.items():
        if len(counter) > 1:
            problem = _(
                "the cases made with %(kind)s number %(number)s name different groups: %(groups)s",
                kind=kind,
                number=place + 1,
                groups=[
                    ngettext("'%(group)s' %(count)s time", "'%(group)s' %(count)s times", count, group=target)
                    for target, count in counter.most_common(3)
                ],
            )
            table.warn(None, "Values", problem, _("keep the cases of each template in the order of the words"))
    return {place: counter.most_common(1)[0][0] for place, counter in votes.items()}


def _places_of_words(cases: list[CaseValue], token: str, values: list[str], *, use_texts: bool) -> list[int | None]:
    """Which word each case of a template was made with: told by its text, else by its place among all of them."""
    by_order: list[int | None] = list(range(len(values))) if len(cases) == len(values) else [None] * len(cases)
    if not use_texts:
        return by_order
    before, _token, after = cases[0].template_text.strip().partition(token)
    by_text = [_word_in(case.text.strip(), before, after, values) for case in cases]
    return by_order if None in by_text and None not in by_order else by_text


def _word_in(text: str, before: str, after: str, values: list[str]) -> int | None:
    tail = text[: len(text) - len(after)] if text.endswith(after) else text
    fitting = [place for place, value in enumerate(values) if tail.lower().endswith(value.lower())]
    return max(fitting, key=lambda place: len(values[place]), default=None) if len(tail) >= len(before) else None


def _build(table: Table, words: WordLists, parsed: dict[str, Token], groups: dict[tuple[str, int], str]) -> None:
    entries: dict[tuple[str, int], EntryValue] = {}
    for name, token in parsed.items():
        for position, text in enumerate(words.tokens[name]):
            place = (token.kind, position)
            if place not in entries:
                if place not in groups:
                    problem = _("no case tells which group '%(word)s' belongs to", word=text)
                    table.warn(None, "Values", problem, _("set the group in the lexicon after the import"))
                key = f"{token.kind}-{position + 1:02d}"
                entries[place] = EntryValue(key, LANGUAGE, token.kind, groups.get(place, ""), text, position)
            words.forms.append(
                FormValue(
                    entries[place].key,
                    token.features,
                    token.perturbation,
                    text,
                    token=name,
                    position=position,
                    language=LANGUAGE,
                )
            )
    words.entries.extend(entries.values())
