"""Writes the task files of all harnesses beside an exported release."""

import json
from collections.abc import Iterable
from pathlib import Path

from curation.publishing.blocks import Block
from curation.publishing.harnesses.cases import write_cases
from curation.publishing.harnesses.guard_config import FILE as GUARD_FILE
from curation.publishing.harnesses.guard_config import guard_config
from curation.publishing.harnesses.inspect_tasks import FILE as INSPECT_FILE
from curation.publishing.harnesses.inspect_tasks import FOLDER as INSPECT
from curation.publishing.harnesses.inspect_tasks import TASK, eval_yaml
from curation.publishing.harnesses.lm_eval_tasks import TASKS as LM_EVAL
from curation.publishing.harnesses.lm_eval_tasks import lm_eval_files
from curation.publishing.harnesses.readme import readme
from curation.publishing.harnesses.task import CASES, FOLDER, ReleaseTask
from curation.publishing.huggingface import FOLDER as HUGGING_FACE
from curation.publishing.values import ReleaseHead


def write_harnesses(release: Path, head: ReleaseHead, blocks: Iterable[Block], *, sha256: str) -> None:
    """Write the folder `harnesses`, and `eval.yaml` where there is a folder for the Hugging Face hub."""
    folder = release / FOLDER
    languages = write_cases(folder / CASES, blocks, head.labels)
    task = ReleaseTask(head, languages, sha256)
    files = {
        "README.md": readme(task),
        "task.json": json.dumps(task.as_json(), ensure_ascii=False, indent=2) + "\n",
        f"{INSPECT}/{INSPECT_FILE}": TASK,
        **{f"{LM_EVAL}/{name}": text for name, text in lm_eval_files(task).items()},
    }
    if task.is_binary:
        files[GUARD_FILE] = guard_config(task)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    if (release / HUGGING_FACE).is_dir():
        (release / HUGGING_FACE / "eval.yaml").write_bytes(eval_yaml(task).encode())
