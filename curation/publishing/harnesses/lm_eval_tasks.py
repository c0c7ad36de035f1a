"""Tasks for lm-evaluation-harness: choose the likeliest label, or write one."""

from collections.abc import Mapping
from typing import Any

from curation.publishing.harnesses.task import LABEL, TEXT, ReleaseTask

FOLDER = "lm_eval"
LOADER = '''"""Loads the cases beside this folder: all, or those in one language."""

import json
from pathlib import Path

from datasets import Dataset

CASES = Path(__file__).resolve().parent.parent / "cases.jsonl"


def load(language="", **_):
    with CASES.open(encoding="utf-8") as file:
        cases = [case for case in map(json.loads, file) if not language or case["language"] == language]
    return {"test": Dataset.from_list(cases)}
'''
GENERATE = "_generate"
MOST_TOKENS = 64


def lm_eval_files(task: ReleaseTask) -> Mapping[str, str]:
    """Return the files by name: the loader, and two YAML files for all cases and for those of each language."""
    parts = {task.name: ""}
    if len(task.languages) > 1:
        parts |= {task.name_in(language): language for language in task.languages}
    files = {"cases.py": LOADER}
    for name, language in parts.items():
        for ending, how in (("", _choosing(task)), (GENERATE, _writing(task))):
            files[f"{name}{ending}.yaml"] = _task(task, name + ending, language, how)
    return files


def _task(task: ReleaseTask, name: str, language: str, how: dict[str, Any]) -> str:
    import yaml

    values = {
        "task": name,
        "dataset_kwargs": {"language": language},
        "test_split": "test",
        "doc_to_text": _jinja(task.question),
        "doc_to_target": f"{{{{{LABEL}}}}}",
        **how,
        "metadata": {"version": task.head.version, "release": task.head.reference, "sha256": task.sha256},
    }
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=120)
    return f"{text}custom_dataset: !function cases.load\n"


def _choosing(task: ReleaseTask) -> dict[str, Any]:
    metric = {"metric": "acc", "aggregation": "mean", "higher_is_better": True}
    return {"output_type": "multiple_choice", "doc_to_choice": list(task.head.labels), "metric_list": [metric]}


def _writing(task: ReleaseTask) -> dict[str, Any]:
    metric = {"metric": "exact_match", "aggregation": "mean", "higher_is_better": True, "ignore_case": True}
    found = {"function": "regex", "regex_pattern": task.pattern, "group_select": 0, "fallback": "[no label]"}
    return {
        "output_type": "generate_until",
        "generation_kwargs": {"until": [], "max_gen_toks": MOST_TOKENS, "do_sample": False, "temperature": 0.0},
        "filter_list": [{"name": "label", "filter": [found, {"function": "take_first"}]}],
        "metric_list": [metric],
    }


def _jinja(question: str) -> str:
    """Return the question as a Jinja template that shows braces of labels as they are."""
    before, after = question.split("{text}")
    return f"{_literal(before)}{{{{{TEXT}}}}}{_literal(after)}"


def _literal(text: str) -> str:
    return f"{{% raw %}}{text}{{% endraw %}}" if "{" in text else text

