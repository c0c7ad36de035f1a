"""Tasks for lm-evaluation-harness: choose the likeliest label, or write one."""

from collections.abc import Mapping
from typing import Any

from curation.publishing.harnesses.task import FOLDER, LABEL, TEXT, ReleaseTask

TASKS = "lm_eval"
GENERATE = "_generate"
MOST_TOKENS = 64


def lm_eval_files(task: ReleaseTask) -> Mapping[str, str]:
    """Return the files by name: two for all cases, and two for those of each language where there are several."""
    parts = {task.name: list(task.languages)}
    if len(task.languages) > 1:
        parts |= {task.name_in(language): [language] for language in task.languages}
    files = {}
    for name, languages in parts.items():
        for ending, how in (("", _choosing(task)), (GENERATE, _writing(task))):
            files[f"{name}{ending}.yaml"] = _task(task, name + ending, languages, how)
    return files


def _task(task: ReleaseTask, name: str, languages: list[str], how: dict[str, Any]) -> str:
    """Return one task. Its paths are seen from the folder of the release.

    A function that loads the cases would find them from anywhere, but Python would leave a compiled copy of it behind:
    a file that does not belong to the release.
    """
    import yaml

    files = [f"{FOLDER}/{task.cases_in(language)}" for language in languages]
    values = {
        "task": name,
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": files}},
        "test_split": "test",
        "doc_to_text": _jinja(task.question),
        "doc_to_target": f"{{{{{LABEL}}}}}",
        **how,
        "metadata": {"version": task.head.version, "release": task.head.reference, "sha256": task.sha256},
    }
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=120)
    return text


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
