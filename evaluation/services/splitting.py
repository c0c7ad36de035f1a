"""Splits with a memory: requested, built in the background, kept with their rows, figures, files and picture."""

from __future__ import annotations

import hashlib
import zipfile
from dataclasses import asdict, fields, replace
from io import BytesIO
from pathlib import Path
from typing import Any

from django.db import transaction
from django.urls import reverse

from accounts.models import Action, User
from accounts.services import audit
from curation.errors import BadInput, WrongState
from curation.permissions import require_maintainer
from curation.services.jobs import request_job
from evaluation.datasets.values import LabelledData
from evaluation.models import Dataset, Split
from evaluation.services import file_store, split_building
from evaluation.services.datasets import open_dataset
from evaluation.services.split_building import BuiltSplit, Progress, SplitOptions
from evaluation.splits import values

OPTIONS = tuple(field.name for field in fields(SplitOptions) if field.name not in ("method", "seed"))
COLOURS = ("part", "label")
NOT_HANDED_OUT = ("vectors.json", "picture-part.svg", "picture-label.svg")


@transaction.atomic
def request_split(
    dataset: Dataset,
    *,
    method: str,
    seed: int,
    by: User | None,
    title: str = "",
    vectors_file: str = "",
    encoder: str = "",
    language_model: str = "",
    groups_column: str = "",
    sources_column: str = "",
    ring_now: bool = True,
    **options: Any,
) -> Split:
    """Queue the building of a split. Ready vectors are named below the uploads.

    Refuses people who are not maintainers, unknown options, impossible shares, and a latent split without vectors.
    """
    if by is not None:
        require_maintainer(by)
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise BadInput(f"A split has no setting '{unknown[0]}'. It has: {', '.join(OPTIONS)}.")
    chosen = SplitOptions(method=method, seed=seed, **options)  # type: ignore[arg-type]
    if chosen.needs_vectors and not (vectors_file or encoder):
        raise BadInput(f"The {method} split needs vectors: give ready ones (.npy) or an encoder.")
    kept = {name: value for name, value in asdict(chosen).items() if name in OPTIONS}
    sources = {
        "vectors_file": vectors_file, "encoder": encoder, "language_model": language_model,
        "groups_column": groups_column, "sources_column": sources_column,
    }  # fmt: skip
    split = Split.objects.create(
        dataset=dataset,
        title=(title.strip() or f"{dataset}: {method}, seed {seed}")[:160],
        method=method,
        seed=seed,
        choices={**kept, **sources},
        created_by=by,
    )
    split.job = request_job(
        "evaluation.build_split",
        {"split": split.key},
        title=f"Build the split “{split.title}”",
        by=by,
        result_url=reverse("evaluation:split", args=[split.key]),
        ring_now=ring_now,
    )
    split.save(update_fields=["job"])
    return split


def options_of(split: Split) -> SplitOptions:
    """The options the split was asked for with."""
    chosen = {name: split.choices[name] for name in OPTIONS if name in split.choices}
    return SplitOptions(method=split.method, seed=split.seed, **chosen)  # type: ignore[arg-type]


def data_of(split: Split) -> LabelledData:
    """The rows that are split; the columns for groups and sources come along."""
    names = (split.choices.get("groups_column", ""), split.choices.get("sources_column", ""))
    return open_dataset(split.dataset, extra_columns=tuple(name for name in names if name))


def build_split(split: Split, *, progress: Progress | None = None) -> Split:
    """Make the split, measure it, write its files and pictures. Again, it gives the same rows."""
    data, options, choices = data_of(split), options_of(split), split.choices
    stored = choices.get("vectors_file")
    built = split_building.build(
        data,
        options,
        hiddens=file_store.path_of(stored) if stored else None,
        encoder=choices.get("encoder", ""),
        language_model=choices.get("language_model", ""),
        progress=progress,
    )
    if stored:  # the stored file is named by its checksum, which tells nobody anything
        built = replace(built, representation=f"imported vectors {Path(stored).stem[:12]}")
    if progress:
        progress(0, 1, "measuring what sets the parts apart")
    report = split_building.report_of(built, data, options)
    report["properties"] = split_building.explain(
        built.split,
        data,
        language=split.dataset.language,
        groups=choices.get("groups_column", ""),
        sources=choices.get("sources_column", ""),
    )
    report["topics"] = split_building.topics_of(built.split, data, language=split.dataset.language)
    folder = file_store.fresh_folder("splits", split.key)
    report["files"] = split_building.write_files(built, data, report, folder)
    sha256 = hashlib.sha256((folder / "indices.txt").read_bytes()).hexdigest()
    if split.sha256 and split.sha256 != sha256:
        raise WrongState(split, now="built with other rows", wanted="built again")
    draw_pictures(built, data, folder)
    with transaction.atomic():
        is_new = not split.sha256
        split.indices = {"test": list(built.split.test), "independent": list(built.split.independent)}
        split.report, split.sha256 = report, sha256
        split.save(update_fields=["indices", "report", "sha256"])
        if is_new:
            audit.record(split.created_by, Action.SPLIT_BUILT, split, method=split.method, sha256=sha256)
    return split


def draw_pictures(built: BuiltSplit, data: LabelledData, folder: Path) -> None:
    """One SVG coloured by part and one by label, where there are vectors to draw."""
    if built.vectors is None or min(built.vectors.shape) < 2:
        return
    from evaluation.split_charts import draw_points
    from evaluation.splits.picture import picture_points

    points = picture_points(built.vectors, data.labels, built.split, method="pca", seed=built.split.seed)
    for colour in COLOURS:
        (folder / f"picture-{colour}.svg").write_text(draw_points(points, colour=colour), encoding="utf-8")


def folder_of(split: Split) -> Path:
    """Where the files of a built split are. Refuses one that is not built yet."""
    if not split.is_built:
        raise WrongState(split, now="not built yet", wanted="used")
    return file_store.path_of(f"splits/{split.key}")


def picture_of(split: Split, colour: str) -> Path | None:
    """The drawing of a split; None for baselines, which have no vectors."""
    path = folder_of(split) / f"picture-{colour}.svg"
    return path if colour in COLOURS and path.is_file() else None


def archive_of(split: Split) -> bytes:
    """Everything a publication needs as one zip archive, the same bytes every time."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder_of(split).iterdir()):
            if path.name not in NOT_HANDED_OUT:
                archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return content.getvalue()


def rows_of(split: Split, examples: int) -> values.Split:
    """The stored rows as the value the algorithms know."""
    test, independent = split.indices["test"], split.indices["independent"]
    taken = {*test, *independent}
    return values.Split(
        method=split.method,  # type: ignore[arg-type]
        seed=split.seed,
        train=tuple(row for row in range(examples) if row not in taken),
        test=tuple(test),
        independent=tuple(independent),
        target=split.report["class_counts"],
        k=split.report["k"],
    )
