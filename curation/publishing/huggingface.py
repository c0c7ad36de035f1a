"""A dataset folder as the Hugging Face hub has it: one Parquet file per language and a card with a YAML header.

`datasets.load_dataset(folder)` gives all languages, `load_dataset(folder, "de")` one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curation.publishing.citation import cite_as
from curation.publishing.markdown import table
from curation.publishing.statement import text_facts
from curation.publishing.statistics import Statistics
from curation.publishing.values import FrozenCase, ReleaseHead
from curation.publishing.writers.csv_files import file_stem
from curation.publishing.writers.parquet import ParquetWriter

FOLDER = "huggingface"
SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)


class HuggingFaceWriter:
    """Writes `data/<language>/test.parquet`; the card is written at the end by `write_card`."""

    def __init__(self, folder: Path) -> None:
        self._data = folder / "data"
        self._data.mkdir(parents=True)
        self._writers: dict[str, ParquetWriter] = {}

    def write(self, case: FrozenCase, sha256: str) -> None:
        writer = self._writers.get(case.language)
        if writer is None:
            path = self._data / file_stem(case) / "test.parquet"
            path.parent.mkdir()
            writer = self._writers[case.language] = ParquetWriter(path)
        writer.write(case, sha256)

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()


def _size(cases: int) -> str:
    return next((name for limit, name in SIZES if cases < limit), "10M<n<100M")


def _header(head: ReleaseHead, statistics: Statistics) -> dict[str, Any]:
    languages = sorted(statistics.by_language)
    configs: list[dict[str, Any]] = [
        {"config_name": "default", "data_files": [{"split": "test", "path": "data/*/test.parquet"}], "default": True}
    ]
    configs += [
        {"config_name": code, "data_files": [{"split": "test", "path": f"data/{code}/test.parquet"}]}
        for code in languages
    ]
    return {
        "pretty_name": f"{head.title} {head.version}",
        # the hub knows primary language subtags only
        "language": sorted({code.split("-")[0] for code in languages}),
        "license": head.licence.lower() or "unknown",
        "task_categories": ["text-classification"],
        "task_ids": ["hate-speech-detection"],
        "multilinguality": ["multilingual" if len(languages) > 1 else "monolingual"],
        "size_categories": [_size(statistics.cases)],
        "tags": [*head.keywords, "not-for-all-audiences"],
        "configs": configs,
    }


def write_card(folder: Path, head: ReleaseHead, statistics: Statistics, *, sha256: str) -> None:
    """Write README.md, the dataset card."""
    import yaml

    header = yaml.safe_dump(_header(head, statistics), sort_keys=False, allow_unicode=True, width=120)
    parts = [
        f"# {head.title} {head.version}",
        f"> **Content warning.** {head.warning}",
        head.description,
        f"Release `{head.reference}`, {statistics.cases:,} cases, SHA-256 `{sha256}`. For testing, not for training.",
        "## Composition",
        table(("language", "cases"), sorted(statistics.by_language.items())),
        table(("functionality", "cases"), sorted(statistics.by_functionality.items())),
        text_facts(statistics),
        "## Citation",
        cite_as(head),
    ]
    text = f"---\n{header}---\n\n" + "\n\n".join(part for part in parts if part) + "\n"
    (folder / "README.md").write_bytes(text.encode("utf-8"))
