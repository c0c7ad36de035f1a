"""Every way to load a model refuses the same: folders not permitted, the hub where it is off, pickled weights."""

import ast
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from core.errors import DomainError
from core.inference.chat import ChatRequest
from core.inference.errors import InferenceError
from core.jobs import services as jobs
from core.models import Job
from curation.models import Suite
from evaluation.registry import services as registry
from evaluation.registry.options import RegisterOptions
from evaluation.registry.trying import request_registration
from evaluation.splits import experiments
from evaluation.splits.options import ExperimentOptions
from generation.checks.validating import check_run, request_check
from generation.diversity.options import DiversityOptions
from generation.diversity.services import compare_sets, request_comparison
from generation.prompts.services import current_prompt
from generation.prompts.trials import request_trial
from generation.runs.expanding import expand_templates
from generation.runs.options import ExpansionOptions, RunOptions
from generation.runs.planning import find_functionality, make_plan
from generation.runs.providers import open_provider, read_uploaded_provider
from tests.evaluation.attacks.factories import as_csv, make_split
from tests.generation import factories as ground

ROOT = Path(__file__).resolve().parents[3]


class Place:
    """Where the paths are walked: a suite with a run, a data set and somebody who may do all this."""

    def __init__(self, suite: Suite, folder: Path, mira: object) -> None:
        self.suite, self.folder, self.mira = suite, folder, mira
        self.english = suite.languages.get(code="en")
        self.data = folder / "posts.csv"
        self.data.write_bytes(as_csv())

    def written_run(self):
        with ground.running_server() as server:
            return ground.finished_run(self.suite, server, wanted=2, per_request=2)

    def local_provider(self, model: str) -> str:
        return json.dumps({"kind": "local", "model": model})


def refused(work: Callable[[], object]) -> str:
    with pytest.raises((DomainError, InferenceError, CommandError)) as caught:
        work()
    return str(caught.value)


def failed(job: Job) -> str:
    jobs.perform(job.key, worker="test")
    job.refresh_from_db()
    assert job.state == "failed"
    return f"{job.reason} {job.error}"


def evaluate_with(kind: str) -> Callable[[str, Place], str]:
    return lambda model, place: refused(lambda: registry.load(f"{kind}:{model}"))


def described_in_a_file(model: str, place: Place) -> str:
    (place.folder / "model.yaml").write_text(json.dumps({"model": model}))
    permitted = registry.runner_settings().model_roots
    if permitted is not None:
        permitted[0].mkdir(exist_ok=True)
        shutil.move(place.folder / "model.yaml", permitted[0] / "model.yaml")
        return refused(lambda: registry.load(f"hf:{permitted[0] / 'model.yaml'}"))
    return refused(lambda: registry.load(f"hf:{place.folder / 'model.yaml'}"))


def register_by_a_job(model: str, place: Place) -> str:
    return failed(request_registration(RegisterOptions(name="Mine", spec=f"hf:{model}"), by=place.mira))


def try_on_a_page(model: str, place: Place) -> str:
    return registry.try_model(f"hf:{model}").problem or ""


def finetune_by_command(model: str, place: Place) -> str:
    arguments = ["--data", str(place.data), "--encoder", model, "--out", str(place.folder / "out")]
    return refused(lambda: call_command("finetune", *arguments))


def experiment_by_job(model: str, place: Place) -> str:
    options = ExperimentOptions(trainer=f"hf:{model}", seeds=[1])
    return refused(
        lambda: experiments.run_experiment(
            experiments.request_experiment([make_split(place.mira)], options, by=place.mira)
        )
    )


def split_by_command(*more: str) -> Callable[[str, Place], str]:
    def walk(model: str, place: Place) -> str:
        given = [part.replace("MODEL", model) for part in more]
        arguments = ["--data", str(place.data), "--out", str(place.folder / "split"), *given]
        return refused(lambda: call_command("latent_split", *arguments))

    return walk


def attack_by_command(model: str, place: Place) -> str:
    call_command("attack", "build", "--data", str(place.data), "--out", str(place.folder / "sets"), "--json")
    arguments = ["run", "--sets", str(place.folder / "sets"), "--model", f"hf:{model}"]
    return refused(lambda: call_command("attack", *arguments, "--out", str(place.folder / "answers")))


def check_hypotheses(model: str, place: Place) -> str:
    run = place.written_run()
    run.nli_model = model
    return refused(lambda: check_run(run))


def check_hypotheses_by_job(model: str, place: Place) -> str:
    return failed(request_check(place.written_run(), model=model, by=place.mira))


def comparison(model: str, place: Place) -> DiversityOptions:
    key = place.suite.key
    return DiversityOptions(first_suite=key, first_origin=None, second_suite=key, second_origin=None, repeats=2,
                            perplexity_model=model)  # fmt: skip


def measure_perplexity(model: str, place: Place) -> str:
    return refused(lambda: compare_sets(comparison(model, place)))


def measure_perplexity_by_job(model: str, place: Place) -> str:
    return failed(request_comparison(comparison(model, place), by=place.mira))


def ask_a_local_provider(model: str, place: Place) -> str:
    provider = open_provider(read_uploaded_provider(place.local_provider(model)))
    return refused(lambda: provider.ask(ChatRequest("Write.", "You write.")))


def write_by_a_local_provider(model: str, place: Place) -> str:
    config = read_uploaded_provider(place.local_provider(model))
    options = RunOptions(suite=place.suite.key, functionality="ident_pos_nh", groups=("women",), wanted=2)
    plan = make_plan(place.suite, options, provider=config)
    return ground.perform(ground.start_run(plan, by=place.mira)).stopped_because


def write_by_command(model: str, place: Place) -> str:
    (place.folder / "provider.yaml").write_text(place.local_provider(model))
    arguments = [place.suite.key, "--functionality", "ident_pos_nh", "--group", "women", "--n", "2"]
    return refused(lambda: call_command("generate_llm", *arguments, "--provider", str(place.folder / "provider.yaml")))


def try_prompts(model: str, place: Place) -> str:
    prompt = current_prompt(find_functionality("ident_pos_nh"), place.english)
    (target,) = ground.find_targets(place.english, ["women"])
    config = read_uploaded_provider(place.local_provider(model))
    return failed(request_trial([prompt], suite=place.suite, target=target, provider=config, count=2, by=place.mira))


PATHS = {
    "evaluate hf": evaluate_with("hf"),
    "evaluate nli": evaluate_with("nli"),
    "evaluate a description": described_in_a_file,
    "register by a job": register_by_a_job,
    "try on a page": try_on_a_page,
    "finetune": finetune_by_command,
    "experiment": experiment_by_job,
    "split by an encoder": split_by_command("--method", "closest", "--encoder", "MODEL"),
    "split by a bottleneck": split_by_command("--method", "closest", "--encoder", "MODEL", "--fine-tune"),
    "split by likelihood": split_by_command("--method", "likelihood", "--language-model", "MODEL"),
    "attack": attack_by_command,
    "check hypotheses": check_hypotheses,
    "check hypotheses by a job": check_hypotheses_by_job,
    "perplexity": measure_perplexity,
    "perplexity by a job": measure_perplexity_by_job,
    "ask a local provider": ask_a_local_provider,
    "write by a local provider": write_by_a_local_provider,
    "write by command": write_by_command,
    "try prompts": try_prompts,
}


@pytest.fixture
def place(settings, tmp_path, mira) -> Place:
    settings.MEDIA_ROOT = tmp_path / "uploads"
    suite = ground.make_suite()
    ground.add_template(suite)
    expand_templates(ExpansionOptions(suite=suite.key, language="en"), by=None)
    return Place(suite, tmp_path, mira)


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_loaded_from_elsewhere(path, place, settings, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "model.safetensors").write_bytes(b"")
    settings.MODEL_FOLDERS, settings.MODEL_HUB = [str(tmp_path / "models")], False
    walk = PATHS[path]
    assert f"models may not be read from {elsewhere.resolve()}" in walk(str(elsewhere), place)
    assert "downloads from the model hub are switched off" in walk("owner/model", place)


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_pickled_weights_are_refused(path, place, tmp_path):
    pickled = tmp_path / "pickled"
    pickled.mkdir()
    (pickled / "config.json").write_text('{"model_type": "bert"}')
    (pickled / "pytorch_model.bin").write_bytes(b"\x80\x04\x95")
    assert "has no *.safetensors file" in PATHS[path](str(pickled), place)


@pytest.mark.django_db
def test_the_linear_baseline_is_read_from_permitted_folders_only(settings, tmp_path):
    settings.MODEL_FOLDERS = [str(tmp_path / "models")]
    assert "models may not be read from" in refused(lambda: registry.load(f"linear:{tmp_path / 'elsewhere'}"))


LOADERS = {"from_pretrained", "snapshot_download", "hf_hub_download", "load_file", "safe_open"}
MODULES_THAT_LOAD = {("torch", "load"), ("joblib", "load"), ("pickle", "load"), ("pickle", "loads"), ("dill", "load")}
# What these read was written by the product itself, into its own folder, a moment before.
OWN_FILES = {("evaluation/training/algorithm/checkpoints.py", "load_file")}


def loaders_in(source: str) -> set[str]:
    """Return the calls and imports of a module that read a model or a pickle."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if node.attr in LOADERS or (owner, node.attr) in MODULES_THAT_LOAD:
                found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name in LOADERS or (node.module or "", alias.name) in MODULES_THAT_LOAD:
                    found.add(alias.name)
                if (node.module or "") == "transformers" and alias.name == "pipeline":
                    found.add("pipeline")
    return found


def test_models_are_loaded_in_core_inference_alone():
    """A new loader elsewhere would not know what the installation allows: use core.inference.loading."""
    found = {
        (str(path.relative_to(ROOT)), name)
        for app in ("accounts", "annotation", "config", "core", "curation", "evaluation", "generation", "ui")
        for path in (ROOT / app).rglob("*.py")
        if not path.is_relative_to(ROOT / "core" / "inference")
        for name in loaders_in(path.read_text(encoding="utf-8"))
    }
    assert found <= OWN_FILES


@pytest.mark.parametrize(
    "line",
    [
        "from transformers import AutoModel\nAutoModel.from_pretrained('x')",
        "import torch\ntorch.load('x')",
        "from huggingface_hub import snapshot_download",
        "from transformers import pipeline",
        "import pickle\npickle.loads(b'')",
    ],
)
def test_the_search_finds_a_loader(line):
    assert loaders_in(line)
