"""A run of guard-eval-harness (`geh`): guard models say of each text whether it is unsafe."""

from typing import Any

from curation.publishing.harnesses.task import CASES, KEPT, POSITIVE, TEXT, ReleaseTask

FILE = "geh.yaml"


def guard_config(task: ReleaseTask) -> str:
    """Return the run, with the mock model until another one is named. Only for two labels; paths are seen from the file."""
    import yaml

    values: dict[str, Any] = {
        "version": 1,
        "run_name": f"{task.head.suite}-{task.head.version}",
        "model": {"adapter": "mock"},
        "datasets": [
            {
                "name": task.name,
                "adapter": "local_jsonl",
                "path": CASES,
                "id_field": "case_id",
                "messages_field": None,
                "prompt_field": TEXT,
                "label_field": POSITIVE,
                "metadata_fields": [name for name in KEPT if name != "case_id"],
                "version": task.head.version,
            }
        ],
        "output": {"run_dir": f"../../{task.head.suite}-{task.head.version}-geh"},
        "metadata": {"release": task.head.reference, "sha256": task.sha256},
    }
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=120)
    return f"# Put your model in the place of the mock model, which answers with the gold label.\n{text}"
