"""How the task files of a release are run, for the person who opened its folder."""

from curation.publishing.harnesses.task import ReleaseTask

INTRODUCTION = """# Task files of {release}

Test a model on this release with the harness you already use. No data is downloaded. Run the commands in the folder
of the release, and write results elsewhere: `verify_release` reports files that do not belong to the release.

## lm-evaluation-harness

    lm_eval --model hf --model_args pretrained=MODEL --include_path harnesses/lm_eval \\
        --tasks {task} --output_path ../logs --log_samples

`{task}` compares how likely each label is.
`{task}_generate` lets the model write its answer, for chat models that give no likelihoods: add
`--apply_chat_template`.{languages}

## inspect_ai

    inspect eval harnesses/inspect_ai/release.py --model PROVIDER/MODEL --log-dir ../logs
"""
GUARDS = """
## guard-eval-harness

    geh run --config harnesses/geh.yaml

Name your model in `geh.yaml` first. A text is `unsafe` where its gold label is `{positive}`.
"""
BACK = """
## Results back into Touchstone

    python manage.py import_predictions {release} --model NAME --path LOG

LOG is one of these; the page *Results* takes them too:

- `samples_*.jsonl` of lm-evaluation-harness, of one task;
- the `.eval` or JSON log of inspect_ai;
{guards}"""
OF_GUARDS = "- `predictions.jsonl` of guard-eval-harness; those of several languages in one file.\n"
ONE_BY_ONE = "\n\nEach language has tasks of its own too: {tasks}."


def readme(task: ReleaseTask) -> str:
    """Return the text, in English like all files that programs come with."""
    several = len(task.languages) > 1
    tasks = ", ".join(f"`{task.name_in(language)}`" for language in task.languages)
    values = {
        "release": task.head.reference,
        "task": task.name,
        "languages": ONE_BY_ONE.format(tasks=tasks) if several else "",
        "positive": task.head.labels[0],
        "guards": OF_GUARDS if task.is_binary else "",
    }
    parts = [INTRODUCTION, GUARDS, BACK] if task.is_binary else [INTRODUCTION, BACK]
    return "".join(part.format(**values) for part in parts)
