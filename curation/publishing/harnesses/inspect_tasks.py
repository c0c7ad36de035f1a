"""The task for inspect_ai: a file that runs from the folder, and `eval.yaml`, with which the hub serves a benchmark."""

from typing import Any

from curation.publishing.harnesses.task import KEPT, LABEL, TEXT, ReleaseTask
from curation.publishing.huggingface import with_label_names

FOLDER = "inspect_ai"
FILE = "release.py"
TASK = '''"""The cases of this release as a task for inspect_ai.

inspect eval harnesses/inspect_ai/release.py --model PROVIDER/MODEL [-T language=de]
"""

import json
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.scorer import accuracy, grouped, pattern, stderr
from inspect_ai.solver import generate, prompt_template

FOLDER = Path(__file__).resolve().parent.parent
ABOUT = json.loads((FOLDER / "task.json").read_text(encoding="utf-8"))
KEPT = ("case_id", "language", "functionality")


def samples(language):
    for code in [language] if language else ABOUT["languages"]:
        with (FOLDER / "cases" / f"{code}.jsonl").open(encoding="utf-8") as file:
            for case in map(json.loads, file):
                yield Sample(
                    id=case["case_id"],
                    input=case["test_case"],
                    target=case["label_gold"],
                    metadata={name: case[name] for name in KEPT},
                )


@task
def release(language: str = "") -> Task:
    before, after = (part.replace("{", "{{").replace("}", "}}") for part in ABOUT["question"].split("{text}"))
    return Task(
        name=ABOUT["task"],
        version=ABOUT["release"],
        dataset=MemoryDataset(list(samples(language)), name=ABOUT["release"]),
        solver=[prompt_template(before + "{prompt}" + after), generate()],
        scorer=pattern(ABOUT["pattern"]),
        metrics=[accuracy(), stderr(), grouped(accuracy(), "functionality", all=False)],
        config=GenerateConfig(temperature=0.0),
        metadata={"release": ABOUT["release"], "sha256": ABOUT["sha256"]},
    )
'''


def eval_yaml(task: ReleaseTask) -> str:
    """Return `eval.yaml` of the dataset folder: a task for all cases, and one per language where there are several."""
    import yaml

    parts = [(task.head.suite, with_label_names())]
    if len(task.languages) > 1:
        parts += [(f"{task.head.suite}_{language}", with_label_names(language)) for language in task.languages]
    values = {
        "name": f"{task.head.title} {task.head.version}",
        "description": f"{task.head.description} Release {task.head.reference}, sha256 {task.sha256}.".strip(),
        "evaluation_framework": "inspect-ai",
        "tasks": [_task(task, name, config) for name, config in parts],
    }
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=120)
    return text


def _task(task: ReleaseTask, name: str, config: str) -> dict[str, Any]:
    before, after = (part.replace("{", "{{").replace("}", "}}") for part in task.question.split("{text}"))
    return {
        "id": name,
        "config": config,
        "split": "test",
        "field_spec": {"input": TEXT, "target": LABEL, "metadata": list(KEPT)},
        "solvers": [
            {"name": "prompt_template", "args": {"template": f"{before}{{prompt}}{after}"}},
            {"name": "generate"},
        ],
        "scorers": [{"name": "pattern", "args": {"pattern": task.pattern}}],
    }
