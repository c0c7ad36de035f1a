"""A dataset folder as the Hugging Face hub has it: one Parquet file per language and a card with a YAML header.

`datasets.load_dataset(folder)` gives all languages, `load_dataset(folder, "de")` one.
"""

from pathlib import Path
from typing import Any

from core.text import _, ngettext
from curation.fields import FIELDS, REQUIRED, Field, Kind
from curation.publishing.blocks import Block
from curation.publishing.citation import cite_as
from curation.publishing.datasheet import NO_LICENCE
from curation.publishing.licences import for_the_hub
from curation.publishing.markdown import paragraphs, table
from curation.publishing.records import ReleaseRecords
from curation.publishing.statement import functionality_table, labelling_facts, text_facts
from curation.publishing.statistics import Statistics
from curation.publishing.values import ReleaseHead
from curation.publishing.writers.csv_files import file_stem
from curation.publishing.writers.parquet import ParquetWriter

FOLDER = "huggingface"
LABEL_NAMES = "label_names"
SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)


def with_label_names(language: str = "") -> str:
    """Return the configuration that has gold labels as texts, as harnesses compare them; otherwise they are classes."""
    return f"{LABEL_NAMES}_{language}" if language else LABEL_NAMES


class HuggingFaceWriter:
    """Writes `data/<language>/test.parquet`; the card is written at the end by `write_card`."""

    def __init__(self, folder: Path, fields: tuple[Field, ...]) -> None:
        self._fields = fields
        self._data = folder / "data"
        self._data.mkdir(parents=True)
        self._writers: dict[str, ParquetWriter] = {}

    def write(self, block: Block) -> None:
        for language, part in block.by_language():
            writer = self._writers.get(language)
            if writer is None:
                path = self._data / file_stem(language, part) / "test.parquet"
                path.parent.mkdir()
                writer = self._writers[language] = ParquetWriter(path, self._fields)
            writer.write(part)

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()


def _size(cases: int) -> str:
    return next((name for limit, name in SIZES if cases < limit), "10M<n<100M")


def _header(head: ReleaseHead, statistics: Statistics, *, sha256: str) -> dict[str, Any]:
    languages = sorted(statistics.by_language)

    def config(name: str, path: str) -> dict[str, Any]:
        # `datasets` keeps what it loaded under a hash of these members, not of the files. Without the checksum among
        # them it would hand out another release that was loaded from a folder of the same name before.
        return {
            "config_name": name,
            "description": f"{head.reference}, sha256 {sha256}",
            "data_files": [{"split": "test", "path": path}],
        }

    features = _features(head, statistics)
    configs = [config("default", "data/*/test.parquet") | {"default": True}]
    configs += [config(code, f"data/{code}/test.parquet") for code in languages]
    named = [config(with_label_names(), "data/*/test.parquet")]
    named += [config(with_label_names(code), f"data/{code}/test.parquet") for code in languages]
    return {
        "pretty_name": f"{head.title} {head.version}",
        # the hub knows primary language subtags only
        "language": sorted({code.split("-")[0] for code in languages}),
        **for_the_hub(head.licence),
        "task_categories": ["text-classification"],
        "task_ids": ["hate-speech-detection"],
        "multilinguality": ["multilingual" if len(languages) > 1 else "monolingual"],
        "size_categories": [_size(statistics.cases)],
        "tags": [*head.keywords, "not-for-all-audiences"],
        **_gate(head),
        "configs": configs + named,
        "dataset_info": [
            *({"config_name": one["config_name"], "features": features} for one in configs),
            *({"config_name": one["config_name"], "features": _texts(features)} for one in named),
        ],
    }


def _features(head: ReleaseHead, statistics: Statistics) -> list[dict[str, Any]]:
    """Return what `datasets` makes of the columns: gold labels become classes, which Parquet holds as texts."""
    fields = FIELDS if statistics.contrast_sets or statistics.by_perturbation_set else REQUIRED
    labels = [*head.labels, *sorted(set(statistics.by_label) - set(head.labels))]
    names = {str(place): label for place, label in enumerate(labels)}
    kinds: dict[str, dict[str, Any]] = {
        "label_gold": {"dtype": {"class_label": {"names": names}}},
        **{field.column: {"sequence": "string"} for field in fields if field.kind is Kind.LABELS},
        **{field.column: {"dtype": "bool"} for field in fields if field.kind is Kind.FLAG},
    }
    columns = [*(field.column for field in fields), "sha256"]
    return [{"name": column, **kinds.get(column, {"dtype": "string"})} for column in columns]


def _texts(features: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the features with gold labels as texts."""
    return [one | {"dtype": "string"} if one["name"] == "label_gold" else one for one in features]


def _gate(head: ReleaseHead) -> dict[str, str]:
    """Return what the hub asks people to accept before they get the files."""
    return {"extra_gated_prompt": head.gate} if head.gate else {}


def dataset_card(head: ReleaseHead, statistics: Statistics, records: ReleaseRecords, *, sha256: str) -> str:
    """Return the dataset card: a header that the hub reads, in English, and a text for people."""
    import yaml

    header = yaml.safe_dump(_header(head, statistics, sha256=sha256), sort_keys=False, allow_unicode=True, width=120)
    warning, composition, citation = _("Content warning."), _("Composition"), _("Citation")
    parts = [
        f"# {head.title} {head.version}",
        f"> **{warning}** {head.warning}",
        head.description,
        _("Licence: %(licence)s.", licence=head.licence or NO_LICENCE),
        ngettext(
            "Release `%(release)s`, %(count)s cases, SHA-256 `%(sha256)s`. For testing, not for training.",
            "Release `%(release)s`, %(count)s cases, SHA-256 `%(sha256)s`. For testing, not for training.",
            statistics.cases,
            release=head.reference,
            sha256=sha256,
        ),
        labelling_facts(head, records),
        f"## {composition}",
        table((_("language"), _("cases")), sorted(statistics.by_language.items())),
        functionality_table(statistics, records),
        text_facts(statistics),
        f"## {citation}",
        cite_as(head),
    ]
    return f"---\n{header}---\n\n{paragraphs(parts)}\n"


def write_card(
    folder: Path, head: ReleaseHead, statistics: Statistics, records: ReleaseRecords, *, sha256: str
) -> None:
    """Write README.md, the dataset card."""
    text = dataset_card(head, statistics, records, sha256=sha256)
    (folder / "README.md").write_bytes(text.encode("utf-8"))
