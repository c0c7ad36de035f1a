"""A run of guard-eval-harness (`geh`): guard models say of each text whether it is unsafe."""

from typing import Any

from curation.publishing.harnesses.task import KEPT, POSITIVE, TEXT, ReleaseTask

FILE = "geh.yaml"


def guard_config(task: ReleaseTask) -> str:
    """Return the run, with the mock model until another one is named. Only for two labels.

    Paths are seen from the file.
    """
    import yaml

    values: dict[str, Any] = {
        "version": 1,
        "run_name": f"{task.head.suite}-{task.head.version}",
        "model": {"adapter": "mock"},
        "datasets": [_data_set(task, language) for language in task.languages],
        "output": {"run_dir": f"../../{task.head.suite}-{task.head.version}-geh"},
        "metadata": {"release": task.head.reference, "sha256": task.sha256},
    }
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=120)
    return f"# Put your model in the place of the mock model, which answers with the gold label.\n{text}"


def _data_set(task: ReleaseTask, language: str) -> dict[str, Any]:
    return {
        "name": task.name_in(language),
        "adapter": "local_jsonl",
        "path": task.cases_in(language),
        "id_field": "case_id",
        "messages_field": None,
        "prompt_field": TEXT,
        "label_field": POSITIVE,
        "metadata_fields": [name for name in KEPT if name != "case_id"],
        "version": task.head.version,
    }
