"""Say of every case that is there already whether it is about an identity."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import Any

from django.db import migrations

from curation.morphology.placeholders import has_identity

AT_ONCE = 5_000
GENDERED = ("gender_male", "gender_female")


def fill_cases(apps: Any, schema_editor: Any) -> None:
    """From the approved texts of their templates; misspelt versions follow the template they respell."""
    template, case = apps.get_model("curation", "Template"), apps.get_model("curation", "TestCase")
    rows = template.objects.filter(versions__state="approved").values_list(
        "id", "versions__variants__text", *(f"extra__{column}" for column in GENDERED)
    )
    about: set[int] = set()
    for number, *texts in rows.iterator(chunk_size=AT_ONCE):
        if number not in about and any(has_identity(text) for text in texts if text):
            about.add(number)
    places = template.objects.values_list("id", "suite_id", "language_id", "key").iterator(chunk_size=AT_ONCE)
    about_by_key = {tuple(place) for number, *place in places if number in about}
    respelt = template.objects.filter(relation="perturbs", versions__isnull=True)
    for number, *place in respelt.values_list("id", "suite_id", "language_id", "refers_to").iterator(
        chunk_size=AT_ONCE
    ):
        if tuple(place) in about_by_key:
            about.add(number)
    for some in _lots(sorted(about)):
        case.objects.filter(template__in=some).update(is_about_identity=True)


def fill_released_cases(apps: Any, schema_editor: Any) -> None:
    """From what was published with each case alone, because templates may have changed since."""
    release, case = apps.get_model("curation", "Release"), apps.get_model("curation", "ReleaseCase")
    tell = lru_cache(maxsize=50_000)(has_identity)
    for number in release.objects.values_list("id", flat=True):
        about: dict[str, int] = {}
        respelt: list[tuple[int, str]] = []
        rows = case.objects.filter(release=number).values_list(
            "id", "key", "template_text", "extra", "refers_to", "provenance"
        )
        for case_id, key, text, extra, refers_to, provenance in rows.iterator(chunk_size=AT_ONCE):
            if any(tell(one) for one in (text, *(extra.get(column, "") for column in GENDERED)) if one):
                about[key] = case_id
            elif '"perturbation"' in provenance:
                respelt.append((case_id, refers_to))
        ids = [*about.values(), *(case_id for case_id, original in respelt if original in about)]
        for some in _lots(ids):
            case.objects.filter(pk__in=some).update(is_about_identity=True)


def _lots(ids: Iterable[int]) -> Iterable[list[int]]:
    waiting = iter(ids)
    while some := list(islice(waiting, AT_ONCE)):
        yield some


class Migration(migrations.Migration):
    dependencies = [("curation", "0006_cases_about_an_identity")]

    operations = [
        migrations.RunPython(fill_cases, migrations.RunPython.noop),
        migrations.RunPython(fill_released_cases, migrations.RunPython.noop),
    ]
