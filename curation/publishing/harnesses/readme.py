"""How the task files of a release are run, for the person who opened its folder."""

from curation.publishing.harnesses.task import ReleaseTask

INTRODUCTION = """# Task files of {release}

Test a model on this release with the harness you already use. Everything needed is in this folder; no data is
downloaded. FOLDER stands for the folder of the release. Write no results into it: `verify_release` refuses files that
do not belong to the release.

## lm-evaluation-harness

    lm_eval --model hf --model_args pretrained=MODEL --include_path FOLDER/harnesses/lm_eval \\
        --tasks {task} --output_path logs --log_samples

`{task}` compares how likely each label is.
`{task}_generate` lets the model write its answer, for chat models that give no likelihoods: add `--apply_chat_template`.
{languages}

## inspect_ai

    inspect eval FOLDER/harnesses/inspect_ai/release.py --model PROVIDER/MODEL
"""
GUARDS = """
## guard-eval-harness

    geh run --config FOLDER/harnesses/geh.yaml

Name your model in `geh.yaml` first. A text is `unsafe` where its gold label is `{positive}`.
"""
BACK = """
## Results back into Touchstone

    python manage.py import_predictions {release} --model NAME --path LOG

LOG is the file `samples_*.jsonl` of lm-evaluation-harness, the `.eval` or JSON log of inspect_ai{guards}. The page *Results* takes the
same files.
"""
ONE_BY_ONE = "Each language also has tasks of its own: {tasks}.\n"


def readme(task: ReleaseTask) -> str:
    """Return the text, in English like all files that programs come with."""
    several = len(task.languages) > 1
    tasks = ", ".join(f"`{task.name_in(language)}`" for language in task.languages)
    values = {
        "release": task.head.reference,
        "task": task.name,
        "languages": ONE_BY_ONE.format(tasks=tasks) if several else "",
        "positive": task.head.labels[0],
        "guards": ", or `predictions.jsonl` of\nguard-eval-harness" if task.is_binary else "",
    }
    parts = [INTRODUCTION, GUARDS, BACK] if task.is_binary else [INTRODUCTION, BACK]
    return "".join(part.format(**values) for part in parts)
