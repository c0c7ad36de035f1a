"""What was imported comes back: through the database, byte for byte."""

import pytest

from curation.exporting.suites import archive_of, files_of
from curation.formats.registry import read_suite
from curation.importing.services import import_values
from curation.models import Suite

pytestmark = pytest.mark.django_db


def test_hatecheck_comes_back_from_the_database_byte_for_byte(shared_data):
    folder = shared_data / "hatecheck"
    import_values("hc", read_suite("hatecheck", folder), format_name="hatecheck")
    files = files_of(Suite.objects.get(key="hc"), "hatecheck")
    assert set(files) == {"all_cases.csv", "all_annotations.csv", "template_placeholders.csv"}
    for name, content in files.items():
        assert content == (folder / name).read_bytes(), name


@pytest.mark.parametrize(("code", "name"), [("fr", "french"), ("de", "german")])
def test_a_language_of_mhc_comes_back_from_the_database_byte_for_byte(shared_data, code, name):
    folder = shared_data / "mhc" / name
    import_values("m", read_suite("mhc", folder, language=code), format_name="mhc")
    files = files_of(Suite.objects.get(key="m"), "mhc")
    originals = {f"{name}/{path.relative_to(folder)}": path for path in folder.rglob("*.csv")}
    assert set(files) == set(originals)
    for path, content in files.items():
        assert content == originals[path].read_bytes(), path


def test_the_same_suite_gives_the_same_archive(shared_data):
    import_values(
        "hc", read_suite("hatecheck", shared_data / "hatecheck", templates_only=True), format_name="hatecheck"
    )
    suite = Suite.objects.get(key="hc")
    assert archive_of(suite, "hatecheck") == archive_of(suite, "hatecheck")
