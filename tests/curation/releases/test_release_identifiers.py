"""The DOI of a release comes after its freezing, and is kept beside it."""

import pytest

from accounts.errors import NotAllowed
from core.errors import BadInput, WrongState
from curation.models import ReleaseIdentifier
from curation.releases.export import export_release
from curation.releases.services import record_doi
from curation.releases.verifying import verify_release
from tests.curation.releases.factories import make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db
DOI = "10.5281/zenodo.1234567"


@pytest.fixture
def published(mira):
    return make_release(make_suite(by=mira), by=mira)


@pytest.mark.parametrize("written", [DOI, f" https://doi.org/{DOI} ", f"doi:{DOI}", f"http://dx.doi.org/{DOI}"])
def test_a_doi_is_recorded_however_it_is_written(published, mira, written):
    assert record_doi(published, written, by=mira) == DOI
    assert published.doi == DOI


def test_a_correction_is_a_further_record_and_the_newest_counts(published, mira):
    for doi in (DOI, DOI, "10.5281/zenodo.7654321"):
        record_doi(published, doi, by=mira)
    assert published.doi == "10.5281/zenodo.7654321"
    assert ReleaseIdentifier.objects.count() == 2


def test_the_release_and_its_files_stay_as_they_were(published, mira, tmp_path):
    export_release(published, tmp_path / "before", formats=["csv"])
    record_doi(published, DOI, by=mira)
    export_release(published, tmp_path / "after", formats=["csv"])
    assert verify_release(published).is_intact
    files = sorted(path.relative_to(tmp_path / "before") for path in (tmp_path / "before").rglob("*") if path.is_file())
    assert files
    for file in files:
        assert (tmp_path / "before" / file).read_bytes() == (tmp_path / "after" / file).read_bytes()


@pytest.mark.parametrize(
    "written", ["", "zenodo.1234567", "10.5281", "10.5281/a b", "10.5281/a}b", "10.5281/" + "x" * 200]
)
def test_what_is_no_doi_is_refused(published, mira, written):
    with pytest.raises(BadInput, match=r"is not a DOI\. Write for example"):
        record_doi(published, written, by=mira)


def test_only_a_maintainer_records_it_and_only_of_a_published_release(published, mira, emil):
    with pytest.raises(NotAllowed):
        record_doi(published, DOI, by=emil)
    with pytest.raises(WrongState):
        record_doi(make_candidate(published.suite, "1.1.0", by=mira), DOI, by=mira)
