"""Import a suite: everything or nothing. A second import of the same file changes nothing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.tables.problems import Problem
from core.text import _, ngettext
from curation.catalogue import loading as catalogue
from curation.catalogue.suites import checked_labels, require_suite_key
from curation.formats.columns import LABELS
from curation.formats.registry import format_of, read_suite
from curation.formats.values import SuiteValues
from curation.importing import label_intake
from curation.importing.cases import store_cases
from curation.importing.checks import problems_beside
from curation.importing.templates import store_templates
from curation.importing.words import store_words
from curation.lexicon.services import LONGEST_FORM, LONGEST_LEMMA
from curation.models import Functionality, FunctionalityClass, Language, Suite
from curation.releases.following import follow_decision


@dataclass(slots=True)
class PartChange:
    """What importing a bundle does to one of its parts. `examples` are keys of rows that differ from what is here."""

    part: str
    title: str
    added: int = 0
    unchanged: int = 0
    conflicts: int = 0
    replaced: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ImportReport:
    """What a file holds and what importing it did (or, on a dry run, would do)."""

    suite: str
    languages: list[str]
    functionalities: int
    entries: int
    forms: int
    templates: int
    cases: int
    annotations: int
    problems: list[Problem] = field(default_factory=list)
    new: dict[str, int] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)
    parts: list[PartChange] = field(default_factory=list)  # of a bundle
    dry_run: bool = False

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def refuse_errors(problems: Sequence[Problem]) -> None:
    """Refuse problems of which any is an error, and name all of them."""
    errors = [problem for problem in problems if problem.is_error]
    if not errors:
        return
    said = {"place": errors[0].place, "problem": errors[0].problem, "fix": errors[0].fix}
    more = len(errors) - 1
    title = (
        ngettext(
            "Nothing was imported. %(place)s: %(problem)s; %(fix)s. (%(count)s more)",
            "Nothing was imported. %(place)s: %(problem)s; %(fix)s. (%(count)s more)",
            more,
            **said,
        )
        if more
        else _("Nothing was imported. %(place)s: %(problem)s; %(fix)s.", **said)
    )
    raise BadInput(title, problems=[asdict(problem) for problem in problems])


def _refuse_long_words(values: SuiteValues) -> None:
    """Refuse words and forms that are too long: columns of word files have any name, so their reader sets no limit."""
    if word := _first_longer(LONGEST_LEMMA, (entry.lemma for entry in values.entries)):
        raise BadInput(
            ngettext(
                "Nothing was imported. The word '%(start)s…' has %(count)s character; at most %(most)s are allowed.",
                "Nothing was imported. The word '%(start)s…' has %(count)s characters; at most %(most)s are allowed.",
                len(word),
                start=word[:60],
                most=LONGEST_LEMMA,
            )
        )
    if form := _first_longer(LONGEST_FORM, (form.text for form in values.forms)):
        raise BadInput(
            ngettext(
                "Nothing was imported. The form '%(start)s…' has %(count)s character; at most %(most)s are allowed.",
                "Nothing was imported. The form '%(start)s…' has %(count)s characters; at most %(most)s are allowed.",
                len(form),
                start=form[:60],
                most=LONGEST_FORM,
            )
        )


def _first_longer(longest: int, texts: Iterable[str]) -> str:
    return next((text for text in texts if len(text) > longest), "")


def labels_for(key: str, labels: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the labels that cases of a suite can have: its own, or for a new suite those given or the usual ones.

    Refuses other labels than the suite has, and fewer than two.
    """
    known = Suite.objects.filter(key=key).values_list("labels", flat=True).first()
    if not labels:
        return tuple(known or LABELS)
    if known is not None and tuple(known) != tuple(labels):
        raise BadInput(
            _(
                "The suite '%(suite)s' has the labels %(labels)s. Leave the labels empty, or use another suite.",
                suite=key,
                labels=list(known),
            )
        )
    return tuple(checked_labels(labels))


def import_file(
    path: Path,
    *,
    suite: str,
    format: str,
    language: str | None = None,
    sheet: str = "",
    labels: Sequence[str] = (),
    templates_only: bool = False,
    dry_run: bool = False,
    by: User | None = None,
) -> ImportReport:
    """Read a file or folder and bring what it holds into a suite. Refuses what `import_values` refuses."""
    known = labels_for(suite, labels)
    values = read_suite(
        format, path, language=language, templates_only=templates_only, labels=known, sheet=sheet
    )  # fmt: skip
    return import_values(suite, values, format_name=format, labels=known, by=by, dry_run=dry_run)


def import_values(
    key: str,
    values: SuiteValues,
    *,
    format_name: str,
    name: str = "",
    labels: Sequence[str] = LABELS,
    by: User | None = None,
    dry_run: bool = False,
) -> ImportReport:
    """Bring what a reader found into the suite of that key. A new suite is created with these labels.

    Refuses values with errors, also those that show only beside the catalogue and the suite, and values without
    anything in them; then nothing is changed.
    """
    require_suite_key(key)
    refuse_errors(values.problems)
    if not (values.cases or values.templates or values.entries):
        raise BadInput(
            _("Nothing was imported. The file has no cases and no templates; check that it is the right file.")
        )
    _refuse_long_words(values)
    with transaction.atomic():
        catalogue.load_catalogue()
        values.problems.extend(problems_beside(Suite.objects.filter(key=key).first(), values))
        refuse_errors(values.problems)
        report = _store(key, values, format_name=format_name, name=name, labels=labels, by=by)
        report.dry_run = dry_run
        if dry_run:
            transaction.set_rollback(True)
    return report


def _store(
    key: str, values: SuiteValues, *, format_name: str, name: str, labels: Sequence[str], by: User | None
) -> ImportReport:
    facts = {"name": name or key, "format": format_name, "labels": list(labels), "created_by": by}
    suite, is_new = Suite.objects.get_or_create(key=key, defaults={**facts, **format_of(format_name).defaults})
    languages = _languages(values)
    functionalities = _functionalities(values, suite)
    suite.languages.add(*languages.values())
    _keep_layouts(suite, values)
    words = store_words(suite, values, languages)
    templates = store_templates(suite, values, languages, functionalities, by=by)
    cases = store_cases(suite, values, languages, functionalities, by=by)
    taken_in = label_intake.take_in(suite, values.labels, case_ids=cases.ids, by=by) if values.labels else 0
    new = {
        "suites": int(is_new), "entries": words.new_entries, "forms": words.new_forms, "templates": templates.new,
        "cases": cases.new, "annotations": taken_in,
    }  # fmt: skip
    changed = {"forms": words.changed_forms, "templates": templates.changed}
    if any(new.values()) or any(changed.values()):
        follow_decision(suite, by=by)
        audit.record(by, Action.SUITE_IMPORTED, suite, format=format_name, new=new, changed=changed)
    return ImportReport(
        suite=suite.key,
        languages=sorted(languages),
        functionalities=len({key for key, label in _labelled(values)}),
        entries=len(values.entries),
        forms=len(values.forms),
        templates=len(values.templates),
        cases=len(values.cases),
        annotations=len(values.labels),
        problems=values.problems,
        new=new,
        changed=changed,
    )


def _languages(values: SuiteValues) -> dict[str, Language]:
    wanted = {entry.language for entry in values.entries}
    wanted |= {template.language for template in values.templates} | {case.language for case in values.cases}
    return {language.code: language for language in Language.objects.filter(code__in=wanted)}


def _functionalities(values: SuiteValues, suite: Suite) -> dict[str, Functionality]:
    """Return the functionalities named in the file. New ones get the label that all their rows share, or are mixed."""
    labels: dict[str, str] = {}
    for key, label in _labelled(values):
        labels[key] = label if labels.get(key, label) == label else ""
    for label in sorted({label for key, label in _labelled(values)} - set(suite.labels)):
        suite.labels = [*suite.labels, label]
        suite.save(update_fields=["labels"])
    found = {item.key: item for item in Functionality.objects.filter(key__in=labels)}
    for key in sorted(set(labels) - set(found)):
        other, _is_new = FunctionalityClass.objects.get_or_create(
            key="other", defaults={"title": "Other", "position": 999}
        )
        found[key] = Functionality.objects.create(
            key=key, functionality_class=other, title=key.replace("_", " "), gold_label=labels[key], position=1000
        )
    return found


def _labelled(values: SuiteValues) -> Iterator[tuple[str, str]]:
    yield from ((template.functionality, template.label) for template in values.templates)
    yield from ((case.functionality, case.label) for case in values.cases)


def _keep_layouts(suite: Suite, values: SuiteValues) -> None:
    if not values.layouts:
        return
    fresh = {layout.language for layout in values.layouts}
    kept = [layout for layout in suite.layouts if layout["language"] not in fresh]
    layouts = [*kept, *(asdict(layout) for layout in values.layouts)]
    if layouts != suite.layouts:
        suite.layouts = layouts
        suite.save(update_fields=["layouts"])
