"""The published suites and the demo travel as bundles, byte for byte, with and without what annotators said."""

import pytest

from config.demo import load_demo
from curation.bundles.services import import_bundle
from curation.cases.generating import generate_cases
from curation.catalogue.loading import load_catalogue
from curation.formats.mhc import NAMES
from curation.formats.registry import read_suite
from curation.importing.services import import_values
from curation.models import Suite
from tests.curation.bundles.round_trip import bundle_of_a_lost_suite, bytes_there_and_back

pytestmark = pytest.mark.django_db


def imported(format_name, path, language=None):
    def make() -> Suite:
        import_values("mild", read_suite(format_name, path, language=language), format_name=format_name)
        return Suite.objects.get(key="mild")

    return make


@pytest.mark.parametrize("with_labels", [False, True])
def test_hatecheck_travels_byte_for_byte(shared_data, tmp_path, with_labels):
    first, second = bytes_there_and_back(
        imported("hatecheck", shared_data / "hatecheck"), tmp_path, with_labels=with_labels
    )
    assert first == second


@pytest.mark.parametrize("code", sorted(NAMES))
def test_each_language_of_mhc_travels_byte_for_byte(shared_data, tmp_path, code):
    make = imported("mhc", shared_data / "mhc" / NAMES[code], code)
    first, second = bytes_there_and_back(make, tmp_path, with_labels=True)
    assert first == second


def test_the_demo_travels_byte_for_byte(tmp_path):
    def make() -> Suite:
        load_catalogue()
        load_demo()
        suite = Suite.objects.get(key="demo")
        suite.key = "mild"
        return suite

    first, second = bytes_there_and_back(make, tmp_path, with_labels=True)
    assert first == second


def test_hatecheck_from_a_bundle_is_generated_without_a_change(shared_data, tmp_path):
    make = imported("hatecheck", shared_data / "hatecheck")
    import_bundle(bundle_of_a_lost_suite(make, tmp_path / "x.zip"), suite="mild")
    made = generate_cases(Suite.objects.get(key="mild"))
    assert (made.generated, made.unchanged) == (0, 3901)
