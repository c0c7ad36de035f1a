"""Names of pages are written alike everywhere: with hyphens."""

from annotation.urls import urlpatterns


def test_names_of_pages_have_hyphens():
    assert [pattern.name for pattern in urlpatterns if "_" in str(pattern.name)] == []
