"""Reader of Multilingual HateCheck: one folder per language with templates, placeholders and finished cases."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from core.tables.problems import Problem
from core.text import _
from curation.formats.base import ReadOptions, SuiteFormat
from curation.formats.group_names import folded, warn_of_look_alikes
from curation.formats.mhc_cases import read_cases
from curation.formats.mhc_templates import read_templates
from curation.formats.mhc_words import read_words
from curation.formats.values import Place, SuiteValues
from curation.formats.writing_mhc import CASE_COLUMNS, write_mhc

Key = TypeVar("Key")
FOLDERS = {
    "arabic": "ar",
    "dutch": "nl",
    "french": "fr",
    "german": "de",
    "hindi": "hi",
    "italian": "it",
    "mandarin": "zh",
    "polish": "pl",
    "portuguese": "pt",
    "spanish": "es",
}
NAMES = {code: name for name, code in FOLDERS.items()}
CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")  # our exports name the folders of other languages by their code


def languages_in(folder: Path) -> dict[str, Path]:
    """The language folders under a folder of MHC, by our language code; a language's own folder gives just itself."""
    found = {_code_of(child): child for child in _template_folders(folder)}
    return {code: child for code, child in found.items() if code}


def _template_folders(folder: Path) -> list[Path]:
    """Return every folder that holds templates of a language: this one, or those in it."""
    if (folder / "templates.csv").exists():
        return [folder]
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    return [child for child in inside if (child / "templates.csv").exists()]


def _code_of(folder: Path) -> str:
    """Return the language a folder is named for, "" where the name is none."""
    name = folder.resolve().name
    return FOLDERS.get(name.lower()) or (name if CODE.fullmatch(name) else "")


def read_mhc(folder: Path, *, language: str, templates_only: bool = False) -> SuiteValues:
    """Everything in one language's folder. Never raises: faults are in `problems`.

    With `templates_only`, or where there is no final_cases.csv, there are templates and words but no cases.
    """
    values = SuiteValues()
    if not folder.is_dir():
        problem = _("there is no such folder")
        fix = _("name the folder of one language, which holds templates.csv")
        values.problems.append(Problem(folder.name, None, None, problem, fix))
        return values
    words = read_words(folder / "placeholders", language=language)
    templates = read_templates(folder / "templates.csv", words, language=language)
    values.entries.extend(words.entries)
    values.forms.extend(words.forms)
    values.templates.extend(templates.templates)
    values.template_places.update(templates.places)
    values.layouts.extend(words.layouts)
    values.problems.extend(words.problems)
    values.problems.extend(templates.problems)
    if not templates_only and (folder / "final_cases.csv").exists() and templates.is_readable:
        read_cases(folder / "final_cases.csv", values, known_templates=templates.known, language=language)
    return values


def read_all_languages(folder: Path, *, templates_only: bool = False) -> SuiteValues:
    """All languages under a folder of MHC together, with a warning for groups spelt differently between languages."""
    merged = SuiteValues()
    found = languages_in(folder)
    for other in _template_folders(folder):
        if not _code_of(other):
            problem = _("the folder name '%(name)s' is neither a language of MHC nor a language code", name=other.name)
            fix = _(
                "import the folder by itself and name its language (--language), or rename it to one of %(known)s, "
                "or to a code such as cs",
                known=sorted(FOLDERS),
            )
            merged.problems.append(Problem(other.name, None, None, problem, fix))
    if not found and not merged.problems:
        problem = _("it holds no folder with a templates.csv")
        fix = _("name the folder of one language, or the folder above with %(known)s", known=sorted(FOLDERS))
        merged.problems.append(Problem(folder.name, None, None, problem, fix))
    names: list[tuple[str, str, int | None]] = []
    for code, path in found.items():
        values = read_mhc(path, language=code, templates_only=templates_only)
        for name in ("entries", "forms", "templates", "cases", "labels", "layouts"):
            getattr(merged, name).extend(getattr(values, name))
        merged.problems.extend(replace(problem, file=f"{path.name}/{problem.file}") for problem in values.problems)
        merged.case_places.update(_inside(path, values.case_places))
        merged.template_places.update(_inside(path, values.template_places))
        named = {folded(entry.target): entry.target for entry in reversed(values.entries)}  # look-alikes: the first
        names.extend((name, f"{path.name}/placeholders", None) for name in reversed(named.values()))
    merged.problems.extend(warn_of_look_alikes(names, column="TARGET"))
    return merged


def _inside(folder: Path, places: Mapping[Key, Place]) -> dict[Key, Place]:
    return {key: (f"{folder.name}/{file}", row) for key, (file, row) in places.items()}


def _read(path: Path, options: ReadOptions) -> SuiteValues:
    language, templates_only = options.language, options.templates_only
    if language is None:
        return read_all_languages(path, templates_only=templates_only)
    # A folder of one language may have any name; one with the name of a language of MHC is that language.
    if (path / "templates.csv").exists() and path.resolve().name.lower() not in FOLDERS:
        return read_mhc(path, language=language, templates_only=templates_only)
    found = languages_in(path)
    if language not in found:
        known = [f"{code} ({folder.name})" for code, folder in found.items()]
        fix = (
            _("choose one of the languages in it: %(known)s", known=known)
            if known
            else _("name a folder with languages of MHC")
        )
        refused = _("'%(language)s' is not in this folder", language=language)
        return SuiteValues(problems=[Problem(path.name, None, None, refused, fix)])
    return read_mhc(found[language], language=language, templates_only=templates_only)


def _write(values: SuiteValues, suite: str) -> dict[str, bytes]:
    return {
        f"{NAMES.get(code, code)}/{path}": content
        for code in values.languages
        for path, content in write_mhc(values, language=code).items()
    }


MHC = SuiteFormat(
    name="mhc",
    title="Multilingual HateCheck",
    read=_read,
    write=_write,
    defaults={"raters": 3, "threshold": 2, "policy": "mark"},
    case_key=lambda language: NAMES.get(language, language) + "-{number}",
    pairs_by_word=False,
    release_columns=CASE_COLUMNS,
    release_meaning=_("The columns of Multilingual HateCheck"),
    release_sources={"mhc_case_id": "case_id"},
    release_lists_as_python=True,
)
