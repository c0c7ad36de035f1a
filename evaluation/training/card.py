"""The model card that is written beside the weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def write_card(
    *,
    name: str,
    encoder: str,
    data_name: str,
    classes: Sequence[str],
    metrics: Mapping[str, Any],
    facts: Mapping[str, Any],
) -> str:
    """A card in Markdown: what it is, how it was made, how well it does, what it is not for."""
    test, trial = metrics["test"], metrics["trial"]
    by_class = "\n".join(f"| {label} | {value:.3f} |" for label, value in test["f1_by_class"].items())
    counts = ", ".join(f"{part} {count}" for part, count in metrics["rows"].items())
    cleaning = ", ".join(step for step, is_on in facts["cleaning"].items() if is_on) or "none"
    return f"""---
library_name: transformers
pipeline_tag: text-classification
---
# {name}

A classifier with the classes {", ".join(f"`{label}`" for label in classes)}, fine-tuned from `{encoder}`
on {data_name or "labelled rows"}.

## Held-out scores

{test["n"]} rows that neither training nor the choice of settings has seen: micro F1 **{test["micro_f1"]:.3f}**,
macro F1 **{test["macro_f1"]:.3f}**, accuracy {test["accuracy"]:.3f}.

| class | F1 |
|---|---|
{by_class}

## Training

- Rows: {counts} ({"as published" if facts["published_split"] else f"stratified, split seed {facts['split_seed']}"})
- AdamW, learning rate {trial["learning_rate"]:g}, batch size {trial["batch_size"]}, seed {trial["seed"]},
  best of {trial["epochs"]} epochs: {metrics["best_epoch"]}
- Loss: cross-entropy, {"weighted by inverse class frequency" if facts["class_weights"] else "unweighted"}
- Cleaning before tokenising: {cleaning}
- Trials compared on the validation part: {len(metrics["trials"])}

## Limits

A high held-out score says that the model knows its own data set, not that it knows hate speech. Look at its results on
a functional test suite before relying on it, and do not let it decide about people without a human.
"""
