"""The project states its licence and where to report a vulnerability, and says the same everywhere."""

import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_licence_file_is_the_one_the_package_names():
    for file in (ROOT / "pyproject.toml", ROOT / "clients" / "python" / "pyproject.toml"):
        assert tomllib.loads(file.read_text())["project"]["license"] == "Apache-2.0"
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_readme_links_to_licence_citation_and_policies():
    readme = (ROOT / "README.md").read_text()
    for name in ("LICENSE", "SECURITY.md", "CITATION.cff", "CODE_OF_CONDUCT.md"):
        assert f"({name})" in readme
        assert (ROOT / name).is_file()


def test_the_citation_names_the_licence_of_the_package():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["license"] == "Apache-2.0"
    assert citation["cff-version"] == "1.2.0"
    assert citation["title"]
    assert citation["authors"]
