"""Without a database the figures are those of the server, on the demo's release in three languages.

The last digits of sums, and which of two equal gaps is called the largest, depend on the order of the cases, which an
export does not keep: they are compared on HateCheck (tests/acceptance), whose order is that of its ids.
"""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from config.demo import load_demo
from curation.catalogue.loading import load_catalogue
from curation.models import ReleaseCase
from tests.evaluation.factories import allow_models
from tests.touchstone.releases import small_cases
from touchstone import compare, evaluate, load_release

pytestmark = pytest.mark.django_db
MODELS = ("by_word", "always_hateful")
BY_ORDER = {"largest"}


def plain(values):
    """Return lists of cases in one order and sums of floating point to twelve digits, without what ties decide."""
    if isinstance(values, dict):
        return {key: plain(value) for key, value in values.items() if key not in BY_ORDER}
    if isinstance(values, list):
        return (
            sorted(map(plain, values), key=str) if values and isinstance(values[0], str) else list(map(plain, values))
        )
    return float(f"{values:.12g}") if isinstance(values, float) else values


def differences(one, other, path=""):
    """Return what differs, by its path."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = {*one, *other}
        found = [differences(one.get(key), other.get(key), f"{path}/{key}") for key in keys]
        return {place: pair for each in found for place, pair in each.items()}
    return {} if one == other else {path: (one, other)}


def spec(name: str) -> str:
    return f"python:tests.evaluation.factories:{name}"


def run(*arguments: object) -> dict:
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())


@pytest.fixture
def exported(settings, tmp_path, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_VAR", str(tmp_path / "var"))
    settings.VAR = tmp_path
    allow_models(settings)
    load_catalogue()
    load_demo()
    run("export_release", "demo@0.1.0", "--out", tmp_path / "demo", "--format", "huggingface")
    return tmp_path / "demo"


def test_every_measure_is_that_of_the_server(exported):
    release = load_release(exported)
    assert release.notes == ()
    flags = dict(ReleaseCase.objects.values_list("key", "is_about_identity"))
    assert {row["case"]: row["is_identity_template"] for row in release.rows()} == flags
    assert set(flags.values()) == {True, False}
    for name in MODELS:
        on_server = run("evaluate", "demo@0.1.0", "--model", spec(name))["models"][f"tests.evaluation.factories:{name}"]
        on_server.pop("run")
        assert differences(plain(evaluate(release, spec(name)).measures), plain(on_server)) == {}


def test_the_comparison_is_that_of_the_server(exported, tmp_path):
    for name in MODELS:
        run("evaluate", "demo@0.1.0", "--model", spec(name), "--name", name)
    out = StringIO()
    files = ["--max-drop", "0.05", "--markdown", str(tmp_path / "comment.md"), "--junit", str(tmp_path / "junit.xml")]
    with pytest.raises(CommandError, match="The model got worse"):
        call_command("compare", "demo@0.1.0", *MODELS, "--json", *files, stdout=out, stderr=StringIO())
    release = load_release(exported)
    ours = compare(*(evaluate(release, spec(name), name=name) for name in MODELS), max_drop=0.05)
    assert plain(json.loads(out.getvalue())) == plain(ours.as_json())
    assert sorted((tmp_path / "junit.xml").read_text().split("\n")) == sorted(ours.as_junit().split("\n"))
    assert (tmp_path / "comment.md").read_text().splitlines()[:4] == ours.as_markdown().splitlines()[:4]


def test_compare_refuses_what_it_cannot_compare(exported):
    for name in MODELS:
        run("evaluate", "demo@0.1.0", "--model", spec(name), "--name", name)
    for arguments, sentence in (
        (["by_word", "by_word"], "A model against itself says nothing"),
        (["by_word", "nothing"], "There is no result of 'nothing'"),
        (["by_word", "always_hateful", "--max-drop", "2"], "--max-drop: Use at least 0 and at most 1"),
    ):
        with pytest.raises(CommandError, match=sentence):
            run("compare", "demo@0.1.0", *arguments)


def test_groups_that_only_the_instance_names_are_told(exported):
    file = exported / "statistics.json"
    counts = json.loads(file.read_text())
    assert counts["by_group"]
    from touchstone.releases import Release, _unknown_groups

    release = Release("x@1", ("hateful", "non-hateful"), tuple(small_cases()))
    assert "names some groups differently" in next(_unknown_groups(release, file))
