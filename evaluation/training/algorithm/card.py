"""The model card that is written beside the weights."""

from collections.abc import Mapping, Sequence
from typing import Any

LIMITS = """## Limits

A high held-out score says that the model knows its own data set, not that it knows hate speech. Look at its results on
a functional test suite before relying on it, and do not let it decide about people without a human.
"""


def write_card(
    *,
    name: str,
    encoder: str,
    data_name: str,
    classes: Sequence[str],
    metrics: Mapping[str, Any],
    facts: Mapping[str, Any],
) -> str:
    """Return a card in Markdown: what it is, how it was made, how well it does, what it is not for."""
    trial = metrics["trial"]
    counts = ", ".join(f"{part} {count}" for part, count in metrics["rows"].items())
    return f"""---
library_name: transformers
pipeline_tag: text-classification
---
# {name}

A classifier with the classes {_named(classes)}, fine-tuned from `{encoder}`
on {data_name or "labelled rows"}.

{_scores(metrics["test"])}{_further(metrics["tests"])}
## Training

- Rows: {counts} ({"as published" if facts["published_split"] else f"stratified, split seed {facts['split_seed']}"})
- AdamW, learning rate {trial["learning_rate"]:g}, batch size {trial["batch_size"]}, seed {trial["seed"]},
  best of {trial["epochs"]} epochs: {metrics["best_epoch"]}
- Loss: cross-entropy, {"weighted by inverse class frequency" if facts["class_weights"] else "unweighted"}
- Cleaning before tokenising: {_steps(facts["cleaning"])}
- Trials compared on the validation part by {metrics["selected_by"].replace("_", " ")}: {len(metrics["trials"])}

{LIMITS}"""


def write_linear_card(*, name: str, metrics: Mapping[str, Any], cleaning: Mapping[str, bool]) -> str:
    """Return the same for the linear baseline."""
    parts = "as published" if metrics["published_split"] else f"stratified, seed {metrics['seed']}"
    return f"""# {name}

A linear classifier ({metrics["kind"]}) with the classes {_named(metrics["classes"])}, trained on
{metrics["data"] or "labelled rows"}: {metrics["rows"]} rows, {parts}, classes weighted by inverse frequency.
Cleaning: {_steps(cleaning)}.

{_scores(metrics["test"])}{_further(metrics["tests"])}
{LIMITS}"""


def _further(tests: Mapping[str, Any]) -> str:
    lines = [f"| {name} | {one['n']} | {one['macro_f1']:.3f} | {one['accuracy']:.3f} |" for name, one in tests.items()]
    head = ["", "| test set | rows | macro F1 | accuracy |", "|---|---|---|---|"]
    return "\n".join([*head, *lines, ""]) if lines else ""


def _scores(test: Mapping[str, Any]) -> str:
    by_class = "\n".join(f"| {label} | {value:.3f} |" for label, value in test["f1_by_class"].items())
    return f"""## Held-out scores

{test["n"]} rows that neither training nor the choice of settings has seen: micro F1 **{test["micro_f1"]:.3f}**,
macro F1 **{test["macro_f1"]:.3f}**, accuracy {test["accuracy"]:.3f}.

| class | F1 |
|---|---|
{by_class}
"""


def _named(classes: Sequence[str]) -> str:
    return ", ".join(f"`{label}`" for label in classes)


def _steps(cleaning: Mapping[str, bool]) -> str:
    return ", ".join(step for step, is_on in cleaning.items() if is_on) or "none"
