"""The recipe "Add a runner" of docs/architecture.md, followed with a toy: one class, one registration."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.core.management import load_command_class
from django.urls import reverse

from core.inference.errors import SpecError
from core.models import Job
from evaluation.registry.forms import RegisterForm
from evaluation.registry.models import ModelVersion
from evaluation.registry.services import load, pin_spec, register_model, settle_spec
from evaluation.runners import RunnerSettings, load_runner, parse_spec
from evaluation.runners.answers import Answer, Runner
from evaluation.runners.environment import digest, record
from evaluation.runners.kinds import Example, RunnerKind
from evaluation.runners.loading import RUNNERS, runner_kinds, usages
from evaluation.runs import predicting
from evaluation.runs.services import start_run
from tests.curation.releases.factories import make_release, make_suite

ARCHITECTURE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"


class LengthRunner(RunnerKind):
    """Finds long texts hateful."""

    kind = "length"
    syntax = "length:FOLDER"
    source = "folder"
    is_local = True
    options = frozenset({"threshold"})
    examples = (Example("Long texts are hateful", "length:/some/folder", "threshold: 20"),)

    def __init__(self, name: str, *, settings: RunnerSettings, threshold: float = 10) -> None:
        self._name, self._settings, self._threshold = name, settings, threshold

    def predict(self, texts: Sequence[str], *, progress=None, should_stop=None) -> list[Answer]:
        return [Answer(label=self._settings.label_if(len(text) >= self._threshold)) for text in texts]

    @property
    def fingerprint(self) -> str:
        return digest(["length", self._threshold, self._settings.labels])

    def describe(self) -> dict[str, object]:
        return record(self._settings, kind="length", fingerprint=self.fingerprint, model=self._name)


@pytest.fixture
def registered(monkeypatch):
    """The second step of the recipe, and all there is: the class in the list."""
    monkeypatch.setattr("evaluation.runners.loading.RUNNERS", [*RUNNERS, LengthRunner])


def test_the_recipe_names_the_places_and_attributes_there_are():
    recipe = ARCHITECTURE.read_text(encoding="utf-8").partition("### Add a runner")[2]
    recipe = re.split(r"\n##+ ", recipe)[0]
    assert {"evaluation/runners/kinds.py", "evaluation/runners/loading.py"} <= set(re.findall(r"[\w/]+\.py", recipe))
    for path in re.findall(r"`([\w/]+\.py)`", recipe):
        assert (ARCHITECTURE.parents[1] / path).is_file(), path
    told = set(re.findall(r"`(\w+)`", recipe))
    assert told >= {name for name in RunnerKind.__annotations__ if name not in ("asks_language",)}
    assert told >= {name for name in vars(Runner) if not name.startswith("_")}


def test_the_help_of_the_command_tells_about_every_kind(registered):
    parser = load_command_class("evaluation", "evaluate").create_parser("manage.py", "evaluate")
    assert "length:FOLDER" in " ".join(parser.format_help().split())


@pytest.mark.usefixtures("registered")
def test_one_registration_is_enough_to_load_and_run_it():
    runner = load_runner({"kind": "length", "model": "x", "threshold": 4}, settings=RunnerSettings())
    assert isinstance(runner, Runner)
    assert [answer.label for answer in runner.predict(["long enough", "no"])] == ["hateful", "non-hateful"]


@pytest.mark.usefixtures("registered")
def test_one_registration_makes_unknown_options_and_kinds_tell_about_it():
    with pytest.raises(SpecError, match=r"length: has no option 'dtype'\. It knows: threshold"):
        load_runner({"kind": "length", "model": "x", "dtype": "fp32"}, settings=RunnerSettings())
    with pytest.raises(SpecError, match=r"length:FOLDER"):
        parse_spec("nothing:here")


@pytest.mark.usefixtures("registered")
def test_one_registration_makes_a_relative_folder_absolute_for_workers(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    assert settle_spec("length:mine") == f"length:{tmp_path / 'mine'}"
    assert pin_spec("length:mine", {"kind": "length", "revision": "abc"}) == "length:mine"


@pytest.mark.usefixtures("registered")
@pytest.mark.django_db
def test_one_registration_puts_it_on_the_page(client, mira):
    client.force_login(mira)
    page = client.get(reverse("evaluation:model-new")).content.decode()
    assert "Long texts are hateful" in page
    assert "length:/some/folder" in page


@pytest.mark.usefixtures("registered")
@pytest.mark.django_db
def test_one_registration_lets_several_workers_share_a_run_and_costs_nothing(mira, settings, tmp_path):
    settings.VAR = tmp_path
    release = make_release(make_suite(by=mira), cascade="none", by=mira)
    settings.EVALUATION_HELPERS = 2
    version = register_model("Length", "length:x", load("length:x"), by=None)
    assert not version.is_paid
    assert version not in ModelVersion.objects.paid()
    run = start_run(release, version, by=mira)
    predicting.call_helpers(run, 5)
    assert Job.objects.filter(kind=predicting.HELP).count() == 2


@pytest.mark.django_db
def test_the_form_tells_how_every_kind_is_written():
    assert usages() in str(RegisterForm().fields["spec"].help_text)
    assert all(runner.syntax.startswith(kind) for kind, runner in runner_kinds().items())
