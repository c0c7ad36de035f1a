"""The project states its licence and where to report a vulnerability, and says the same everywhere."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_licence_file_is_the_one_the_package_names():
    for file in (ROOT / "pyproject.toml", ROOT / "clients" / "python" / "pyproject.toml"):
        assert tomllib.loads(file.read_text())["project"]["license"] == "Apache-2.0"
    text = (ROOT / "LICENSE").read_text()
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_readme_links_to_licence_and_security_policy():
    readme = (ROOT / "README.md").read_text()
    for name in ("LICENSE", "SECURITY.md"):
        assert f"({name})" in readme
        assert (ROOT / name).is_file()
