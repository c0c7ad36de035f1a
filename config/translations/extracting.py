"""Collect the messages of templates, modules and scripts, and bring catalogues up to date. For development.

make messages
"""

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract, extract_javascript, extract_python
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from config.translations.compiling import LOCALE, STATUS, status_of
from core.text import CATALOGUE_CONTEXT
from evaluation.runners.preset_files import PRESETS, presets

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("accounts", "annotation", "config", "core", "curation", "evaluation", "generation", "ui")
KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
LITERAL = r"""(?:u?"(?:[^"\\\n]|\\.)*"|u?'(?:[^'\\\n]|\\.)*')"""
# What Django makes of a template's messages, between remains of the template that are no Python.
CALL = re.compile(rf"\b(?:_|n?p?gettext)\(\s*{LITERAL}(?:\s*,\s*(?:{LITERAL}|count))*\s*\)")
# Fields of the published catalogue that people read. A suite's own functionalities and groups are its own words.
PRESET_FIELDS = ("title", "hateful", "note")
CATALOGUE = {
    "functionalities": ("title", "definition"),
    "classes": ("title",),
    "groups": ("name", "characteristic"),
    "languages": ("name",),
}
# Where Babel's rule is not that of Django and Unicode.
PLURALS = {"ar": "(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5)"}
UNUSED = "POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Generated-By|Report-Msgid-Bugs-To"
DOMAINS = ("django", "djangojs")
Message = tuple[str | tuple[str, ...], str | None, str]  # id (singular and plural), context, file


def files_of(domain: str) -> Iterator[Path]:
    """Yield the files that may hold messages."""
    for app in APPS:
        base = ROOT / app
        if domain == "djangojs":
            yield from sorted((base / "static").rglob("*.js"))
            continue
        yield from sorted(path for path in base.rglob("*.py") if "migrations" not in path.parts)
        for ending in ("*.html", "*.txt"):
            yield from sorted((base / "templates").rglob(ending))


def messages_of(path: Path, domain: str) -> Iterator[Message]:
    """Yield the messages of one file."""
    name = path.relative_to(ROOT).as_posix()
    source = path.read_text(encoding="utf-8")
    if path.suffix in (".html", ".txt"):
        source = "\n".join(found[0] for found in CALL.finditer(templatize(source, origin=name)))
    method: Any = extract_javascript if domain == "djangojs" else extract_python
    found = extract(method, io.BytesIO(source.encode()), keywords=KEYWORDS, options={"encoding": "utf-8"})
    for _line, message, _comments, context in found:
        yield message, context, name


def catalogue_names() -> Iterator[Message]:
    """Yield what the published catalogue calls functionalities, their classes, groups and languages."""
    for name, fields in CATALOGUE.items():
        path = ROOT / "fixtures" / "catalogue" / f"{name}.json"
        for row in json.loads(path.read_text(encoding="utf-8"))[name]:
            for field in fields:
                if row.get(field):
                    yield row[field], CATALOGUE_CONTEXT, path.relative_to(ROOT).as_posix()


def preset_texts() -> Iterator[Message]:
    """Yield what people read about models that can be named."""
    for preset in presets():
        for field in PRESET_FIELDS:
            if text := getattr(preset, field):
                yield text, CATALOGUE_CONTEXT, (PRESETS / f"{preset.name}.yaml").relative_to(ROOT).as_posix()


def collect(domain: str) -> Catalog:
    """Return all messages of a domain, without translations."""
    catalogue = Catalog(project="Touchstone", charset="utf-8", fuzzy=False)
    if domain == "django":
        for message, context, name in (*catalogue_names(), *preset_texts()):
            catalogue.add(message, context=context, locations=[(name, 0)])
    for path in files_of(domain):
        for message, context, name in messages_of(path, domain):
            if (message[0] if isinstance(message, tuple) else message).strip():
                catalogue.add(message, context=context, locations=[(name, 0)])
    return catalogue


def path_of(language: str, domain: str) -> Path:
    return LOCALE / to_locale(language) / "LC_MESSAGES" / f"{domain}.po"


def load(language: str, domain: str) -> Catalog:
    """Return a language's catalogue; an empty one, drafted by a machine, where there is none yet."""
    path = path_of(language, domain)
    babel_name = to_locale(language)
    if not path.exists():
        fresh = Catalog(locale=babel_name, project="Touchstone", version="1", charset="utf-8", fuzzy=False)
        if language in PLURALS:
            vars(fresh)["_plural_expr"] = PLURALS[language]
        return fresh
    with path.open("rb") as file:
        return read_po(file, locale=babel_name)


def save(catalogue: Catalog, language: str, domain: str, *, status: str) -> None:
    """Write a catalogue in a stable order, so that a change of one message changes one place."""
    path = path_of(language, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalogue.header_comment = f"# {dict(settings.LANGUAGES)[language]}. docs/translating.md says how to correct it."
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1)
    catalogue.last_translator = catalogue.language_team = ""
    buffer = io.BytesIO()
    write_po(buffer, catalogue, width=0, sort_output=True, ignore_obsolete=True, include_lineno=False)
    text = buffer.getvalue().decode()
    text = re.sub(
        r'"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Generated-By|Report-Msgid-Bugs-To): .*\n',
        "",
        text,
    )
    text = text.replace('"MIME-Version', f'"{STATUS}: {status}\\n"\n"MIME-Version', 1)
    path.write_text(text, encoding="utf-8")


def update(languages: list[str]) -> dict[tuple[str, str], tuple[int, int]]:
    """Bring catalogues up to date; return (translated, all) by language and domain."""
    counts = {}
    for domain in DOMAINS:
        template = collect(domain)
        for language in languages:
            status = status_of(path_of(language, "django"))
            catalogue = load(language, domain)
            catalogue.update(template, no_fuzzy_matching=True)
            save(catalogue, language, domain, status=status)
            whole = [message for message in catalogue if message.id]
            counts[language, domain] = (sum(1 for message in whole if is_translated(message)), len(whole))
    return counts


def is_translated(message: Any) -> bool:
    strings = message.string if isinstance(message.string, list | tuple) else [message.string]
    return bool(strings) and all(strings)


def main() -> None:
    """Bring all catalogues up to date and say how complete each is."""
    languages = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
    for (language, domain), (done, total) in sorted(update(languages).items()):
        sys.stdout.write(f"{language:8} {domain:9} {done} of {total} translated\n")


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main()
