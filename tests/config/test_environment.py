"""Reading settings from environment variables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import environment as env
from config.environment import WrongSetting


def test_a_variable_comes_from_the_environment_or_from_a_file(monkeypatch, tmp_path):
    monkeypatch.setenv("COLOUR", "blue")
    assert env.text("COLOUR") == "blue"
    file = tmp_path / "colour"
    file.write_text("green\n")
    monkeypatch.setenv("COLOUR_FILE", str(file))
    assert env.text("COLOUR") == "green"


def test_a_missing_variable_is_named_unless_there_is_a_default(monkeypatch):
    monkeypatch.delenv("COLOUR", raising=False)
    assert env.text("COLOUR", "red") == "red"
    with pytest.raises(WrongSetting, match=r"COLOUR is not set\. Set it, or COLOUR_FILE"):
        env.text("COLOUR")


def test_a_file_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("COLOUR_FILE", "/nowhere")
    with pytest.raises(WrongSetting, match="COLOUR_FILE points to /nowhere, which cannot be read"):
        env.text("COLOUR")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1", True),
        ("TRUE", True),
        ("on", True),
        ("yes", True),
        ("0", False),
        ("no", False),
        ("Off", False),
        ("", False),
    ],
)
def test_flags(monkeypatch, value, expected):
    monkeypatch.setenv("SHINY", value)
    assert env.flag("SHINY", not expected) is expected


def test_a_flag_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv("SHINY", "maybe")
    with pytest.raises(WrongSetting, match=r"SHINY is 'maybe'\. Use true or false\."):
        env.flag("SHINY", True)


@pytest.mark.parametrize(
    ("value", "says"), [("x", "whole number"), ("1.5", "whole number"), ("0", "from 1 to 9"), ("10", "from 1 to 9")]
)
def test_numbers_have_bounds(monkeypatch, value, says):
    monkeypatch.setenv("SIZE", value)
    with pytest.raises(WrongSetting, match=f"SIZE is .*{says}"):
        env.number("SIZE", 3, least=1, most=9)


def test_a_choice_lists_what_is_possible(monkeypatch):
    monkeypatch.setenv("MODE", "c")
    with pytest.raises(WrongSetting, match=r"MODE is 'c'\. Use one of: a, b\."):
        env.choice("MODE", "a", ("a", "b"))


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1)))
def test_words_come_back_as_they_were_joined(parts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOSTS", " , ".join(parts) + ",")
        assert env.words("HOSTS") == parts


def test_an_address_with_an_unknown_scheme_is_refused_without_its_password(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "oracle://me:secret@host/db")
    with pytest.raises(WrongSetting) as refused:
        env.url("DATABASE_URL", None, {"postgres", "sqlite"})
    assert "secret" not in str(refused.value)
    assert "Start it with one of: postgres, sqlite." in str(refused.value)


@given(st.text(st.characters(categories=["L", "N"]), min_size=1))
def test_a_password_is_never_printed(password):
    assert env.hide_password(f"redis://me:{password}@host/0") == "redis://me:***@host/0"


def test_a_folder_is_made_and_one_that_cannot_be_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("PLACE", str(tmp_path / "a b" / "c"))
    assert env.folder("PLACE", tmp_path).is_dir()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLACE", str(tmp_path / "file"))
    with pytest.raises(WrongSetting, match=r"PLACE is '.*file', which cannot be a folder"):
        env.folder("PLACE", tmp_path)


def test_the_local_secret_is_made_once_for_its_owner_only(tmp_path):
    first = env.local_secret(tmp_path / "new")
    assert env.local_secret(tmp_path / "new") == first
    assert len(first) >= 50
    assert (tmp_path / "new" / "secret-key").stat().st_mode & 0o777 == 0o600


def test_a_broken_local_secret_says_what_to_do(tmp_path):
    (tmp_path / "secret-key").write_text("short")
    with pytest.raises(WrongSetting, match=r"too short\. Delete the file"):
        env.local_secret(tmp_path)
