"""Writing a suite in a published format: what was imported comes back as it was, what was added joins it."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from django.db.models import Exists, OuterRef, Q

from core.errors import BadInput, sentence_of
from core.text import _
from curation.authoring.models import Relation, TemplateQuerySet, VersionState
from curation.fields import IMPORTED, details_of
from curation.formats.plain import PLAIN
from curation.formats.registry import FORMATS, written_formats
from curation.formats.values import (
    CaseValue,
    EntryValue,
    FormValue,
    LayoutValue,
    SuiteValues,
    TemplateValue,
    VariantValue,
    case_value,
)
from curation.importing import label_intake
from curation.models import Form, LexiconEntry, Suite, Template, TemplateVariant, TestCase

FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)  # the same files give the same archive


def values_of(suite: Suite) -> SuiteValues:
    """Return everything of a suite that a published format can hold; seven queries."""
    return SuiteValues(
        entries=list(_entries(suite)),
        forms=list(_forms(suite)),
        templates=list(_templates(suite)),
        cases=list(_cases(suite)),
        labels=label_intake.give_back(suite),
        layouts=[_layout(layout) for layout in suite.layouts],
        languages=tuple(suite.languages.order_by("code").values_list("code", flat=True)),
    )


def files_of(suite: Suite, format_name: str) -> dict[str, bytes]:
    """Return the suite's files in a format, by path. Refuses a format we do not write, and what it cannot hold."""
    known = FORMATS.get(format_name)
    if known is None or known.write is None:
        raise BadInput(
            _("There is no format '%(format)s'. Known: %(known)s.", format=format_name, known=written_formats())
        )
    try:
        return known.write(values_of(suite), suite.key)
    except ValueError as error:
        why = sentence_of(error)
        raise BadInput(_("The suite does not fit this format: %(why)s. Download the CSV instead.", why=why)) from error


def export_suite(suite: Suite, format_name: str, out: Path) -> list[str]:
    """Write the files below a folder; returns their paths."""
    files = files_of(suite, format_name)
    for path, content in files.items():
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return sorted(files)


def archive_of(suite: Suite, format_name: str) -> bytes:
    """Return the files as one zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files_of(suite, format_name).items()):
            archive.writestr(zipfile.ZipInfo(path, FIRST_DAY_OF_ZIP), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def usual_format(suite: Suite) -> str:
    """Return the format a suite came in, or CSV where it came in none or in one we do not write."""
    return suite.format if suite.format in written_formats() else PLAIN.name


def named_archive(suite: Suite, format_name: str) -> tuple[str, bytes]:
    """Return an archive with the name it is saved under, in the format asked for or the one the suite came in."""
    chosen = format_name or usual_format(suite)
    return f"{suite.key}-{chosen}.zip", archive_of(suite, chosen)


def _entries(suite: Suite) -> Iterator[EntryValue]:
    for entry in LexiconEntry.objects.of(suite).select_related("language", "target").in_order():
        yield EntryValue(
            entry.key,
            entry.language.code,
            entry.kind,
            entry.target.name if entry.target else "",
            entry.lemma,
            entry.position,
            entry.inherent,
            tuple(sorted(entry.properties.items())),
        )


def _forms(suite: Suite) -> Iterator[FormValue]:
    rows = Form.objects.usable().filter(entry__suite=suite).order_by("id")
    for key, code, features, perturbation, text, token, position in rows.values_list(
        "entry__key", "entry__language__code", "features", "perturbation", "text", "token", "position"
    ):
        yield FormValue(key, features, perturbation, text, token=token, position=position or 0, language=code)


def _templates(suite: Suite) -> Iterator[TemplateValue]:
    variants: dict[int, list[VariantValue]] = {}
    approved = TemplateVariant.objects.filter(
        version__template__suite=suite, version__state=VersionState.APPROVED
    ).order_by("position", "id")
    defaults: dict[int, str] = {}
    for template_id, given, features, text, position in approved.values_list(
        "version__template_id", "version__defaults", "features", "text", "position"
    ):
        variants.setdefault(template_id, []).append(VariantValue(features, text, position))
        defaults[template_id] = given
    for template in _with_content(suite).select_related("language", "functionality", "target").in_order():
        yield TemplateValue(
            key=template.key,
            language=template.language.code,
            functionality=template.functionality.key,
            variants=tuple(variants.get(template.pk, ())),
            label=template.gold_label or template.functionality.gold_label,
            position=template.position,
            refers_to=template.refers_to or None,
            defaults=defaults.get(template.pk, ""),
            **details_of(template),
            target=template.target.name if template.target else "",
            source_text=template.source_text,
            drafts=tuple(sorted(template.drafts.items())),
            extra=tuple(template.extra.items()),
        )


def _with_content(suite: Suite) -> TemplateQuerySet:
    """Return the templates that hold a text or a case: those of perturbed cases may have neither."""
    cases = TestCase.objects.in_use().filter(template=OuterRef("pk"))
    stands_for_cases = Q(relation=Relation.PERTURBS, versions=None)
    return Template.objects.of(suite).exclude(stands_for_cases & ~Exists(cases))


def _cases(suite: Suite) -> Iterator[CaseValue]:
    names, lookups = zip(*((field.value, field.lookup) for field in IMPORTED), strict=True)
    rows = TestCase.objects.of(suite).in_use().in_order().values_list("extra", *lookups)
    for extra, *texts in rows.iterator(chunk_size=2000):
        yield case_value(dict(zip(names, texts, strict=True)), extra=(extra or {}).items())


def _layout(stored: dict[str, object]) -> LayoutValue:
    blanks = stored["blanks"]
    columns = stored["columns"]
    assert isinstance(blanks, list)
    assert isinstance(columns, list)
    return LayoutValue(
        file=str(stored["file"]),
        language=str(stored["language"]),
        columns=tuple(columns),
        blanks=tuple((row, column, cell) for row, column, cell in blanks),
        newline=str(stored["newline"]),
        ends_with_newline=bool(stored["ends_with_newline"]),
    )
