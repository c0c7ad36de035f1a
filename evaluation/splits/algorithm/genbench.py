"""Splits as others read them: the authors' indices file, GenBench's JSONL, and a prefilled evaluation card."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from evaluation.splits.algorithm.values import Split


def indices_text(split: Split) -> str:
    """Two lines, `test: [...]` and `train: [...]`, with rows from 0."""
    return f"test: {list(split.test)}\ntrain: {list(split.train)}\n"


def json_lines(rows: Iterable[int], texts: Sequence[str], labels: Sequence[str]) -> str:
    """GenBench's form of one part: input, the position of the right answer, and the possible answers, a line each."""
    options = sorted(set(labels))
    place = {label: position for position, label in enumerate(options)}
    records = ({"input": texts[row], "target": place[labels[row]], "target_options": options} for row in rows)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def evaluation_card(split: Split, *, dataset: str, checksum: str, representation: str = "") -> str:
    """GenBench's evaluation card as Markdown, filled in as far as the split itself tells: a person should check it."""
    latent = split.method in ("subset_sum", "closest")
    shift = "covariate shift" if split.method != "random" else "no shift (random baseline)"
    lines = [
        f"# GenBench evaluation card: {dataset}, {split.method} split",
        "",
        "| axis | value |",
        "|---|---|",
        "| motivation | practical (how does a detector fare on posts unlike its training data) |",
        "| generalisation type | robustness |",
        f"| shift type | {shift} |",
        f"| shift source | {'partitioned natural data' if split.method != 'random' else 'none'} |",
        "| shift locus | finetune train-test |",
        "",
        f"Data: {dataset} (SHA-256 {checksum}); {len(split.train)} training, {len(split.test)} test and "
        f"{len(split.independent)} independent examples; test classes: "
        + ", ".join(f"{name} {count}" for name, count in split.target.items())
        + f"; seed {split.seed}.",
    ]
    if latent:
        how = "subset sum over whole clusters" if split.method == "subset_sum" else "neighbouring clusters"
        lines.append(
            f"Method: k-means (k = {split.k}) on {representation or 'latent vectors'}, {how}; {split.whole} test "
            f"examples came with whole clusters, {split.added} were added one by one."
        )
    return "\n".join([*lines, ""])


def write_split(
    split: Split, folder: str | Path, *, texts: Sequence[str], labels: Sequence[str], dataset: str, checksum: str,
    representation: str = "",
) -> list[Path]:  # fmt: skip
    """Everything a publication needs: indices.txt, one JSONL file per part, the card, and the facts as JSON."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    facts = {**split.described(), "dataset": dataset, "dataset_sha256": checksum, "representation": representation}
    contents = {
        "indices.txt": indices_text(split),
        "train.jsonl": json_lines(split.train, texts, labels),
        "test.jsonl": json_lines(split.test, texts, labels),
        "eval_card.md": evaluation_card(split, dataset=dataset, checksum=checksum, representation=representation),
        "split.json": json.dumps(facts, indent=2, sort_keys=True) + "\n",
    }
    if split.independent:
        contents["independent.jsonl"] = json_lines(split.independent, texts, labels)
        contents["independent_indices.txt"] = f"independent: {list(split.independent)}\n"
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in contents]
