"""Splits with a memory: requested, built in the background, kept with their rows, figures, files and picture."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from django.db import transaction
from django.urls import reverse

from accounts.models import Action, User
from accounts.services import audit
from curation.errors import BadInput, WrongState
from curation.permissions import require_maintainer
from curation.services.jobs import request_job
from evaluation.datasets.values import LabelledData
from evaluation.models import Dataset, Split
from evaluation.models.splits import SplitQuerySet
from evaluation.services import file_store, split_building
from evaluation.services.datasets import open_dataset
from evaluation.services.split_building import BuiltSplit, SplitOptions
from evaluation.services.split_vectors import Progress, check_vectors
from evaluation.splits import values

OPTIONS = tuple(field.name for field in fields(SplitOptions) if field.name not in ("method", "seed"))
COLOURS = ("part", "label")
NOT_HANDED_OUT = ("picture-part.svg", "picture-label.svg")


@transaction.atomic
def request_split(
    dataset: Dataset,
    *,
    method: str,
    seed: int,
    by: User | None,
    title: str = "",
    vectors_file: str = "",
    vectors_name: str = "",
    vectors_of: str = "",
    encoder: str = "",
    language_model: str = "",
    keywords: Sequence[str] = (),
    groups_column: str = "",
    sources_column: str = "",
    ring_now: bool = True,
    **options: Any,
) -> Split:
    """Queue the building of a split. Ready vectors are named below the uploads, or by the key of a split that has them.

    Refuses people who are not maintainers, unknown options, impossible shares, columns the data has not, and a latent
    split without vectors, with vectors from several places or with vectors that do not fit the data.
    """
    if by is not None:
        require_maintainer(by)
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise BadInput(f"A split has no setting '{unknown[0]}'. It has: {', '.join(OPTIONS)}.")
    chosen = SplitOptions(method=method, seed=seed, **options)  # type: ignore[arg-type]
    places = sum(bool(place) for place in (vectors_file, vectors_of, encoder))
    if chosen.needs_vectors and not places:
        raise BadInput(f"The {method} split needs vectors: give ready ones (.npy) or an encoder.")
    if chosen.needs_vectors and places > 1:
        raise BadInput("Vectors come from one place: a file, an earlier split, or an encoder. Leave the others empty.")
    if chosen.needs_vectors and not encoder and (chosen.fine_tune or chosen.reduce == "bottleneck"):
        raise BadInput("Ready vectors cannot be trained. Give an encoder, or leave fine-tuning out.")
    if chosen.needs_vectors and vectors_of:
        _stored_vectors(dataset, vectors_of)
        _require_unseen(dataset_splits(dataset).get(key=vectors_of), chosen)
    if chosen.needs_vectors and vectors_file:
        examples = sum(sum(found.values()) for found in dataset.counts.values())
        check_vectors(file_store.path_of(vectors_file), examples=examples, called=vectors_name)
    if columns := tuple(name for name in (groups_column, sources_column) if name):
        open_dataset(dataset, extra_columns=columns)  # refuses columns it does not have
    kept = {name: value for name, value in asdict(chosen).items() if name in OPTIONS}
    sources = {
        "vectors_file": vectors_file, "vectors_name": vectors_name, "vectors_of": vectors_of, "encoder": encoder,
        "language_model": language_model, "keywords": list(keywords), "groups_column": groups_column,
        "sources_column": sources_column,
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
    # Splits from before the independent part had a seed of its own drew it by theirs.
    chosen = {"independent_seed": split.seed} | {name: split.choices[name] for name in OPTIONS if name in split.choices}
    return SplitOptions(method=split.method, seed=split.seed, **chosen)  # type: ignore[arg-type]


def data_of(split: Split) -> LabelledData:
    """The rows that are split; the columns for groups and sources come along."""
    names = (split.choices.get("groups_column", ""), split.choices.get("sources_column", ""))
    return open_dataset(split.dataset, extra_columns=tuple(name for name in names if name))


def build_split(split: Split, *, progress: Progress | None = None) -> Split:
    """Make the split, measure it, write its files and pictures. Again, it gives the same rows.

    An attempt that was broken off goes on with what the encoder had computed by then.
    """
    data, options, choices = data_of(split), options_of(split), split.choices
    stored, earlier = choices.get("vectors_file", ""), choices.get("vectors_of", "")
    hiddens = file_store.path_of(stored) if stored and options.needs_vectors else None
    if earlier and options.needs_vectors:
        hiddens = _stored_vectors(split.dataset, earlier)
    work = file_store.root() / "splits" / f"{split.key}.work"
    built = split_building.build(
        data,
        options,
        hiddens=hiddens,
        encoder=choices.get("encoder", ""),
        language_model=choices.get("language_model", ""),
        work=work,
        progress=progress,
    )
    if stored and hiddens:  # the stored file is named by its checksum, which tells nobody anything
        name = choices.get("vectors_name") or "vectors"
        built = replace(built, representation=f"imported {name} {Path(stored).stem[:12]}")
    elif earlier and hiddens:
        known = dataset_splits(split.dataset).get(key=earlier).report["representation"]
        again = f", {options.reduce} {options.dimensions}" if options.reduce else ""
        built = replace(built, representation=known + again)
    if progress:
        progress(0, 1, "measuring what sets the parts apart")
    report = split_building.report_of(built, data, options)
    report["properties"] = split_building.explain(
        built.split,
        data,
        language=split.dataset.language,
        keywords=choices.get("keywords", ()),
        groups=choices.get("groups_column", ""),
        sources=choices.get("sources_column", ""),
    )
    report["topics"] = split_building.topics_of(built.split, data, language=split.dataset.language)
    folder = file_store.fresh_folder("splits", f"{split.key}.new")
    report["files"] = split_building.write_files(built, data, report, folder)
    report["checksums"] = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in report["files"]}
    sha256 = report["checksums"]["indices.txt"]
    if split.sha256 and split.sha256 != sha256:
        raise WrongState(split, now="built with other rows", wanted="built again")
    draw_pictures(built, data, folder, method=options.picture)
    kept = folder.with_name(split.key)
    shutil.rmtree(kept, ignore_errors=True)
    folder.rename(kept)
    with transaction.atomic():
        is_new = not split.sha256
        split.indices = {"test": list(built.split.test), "independent": list(built.split.independent)}
        split.report, split.sha256 = report, sha256
        split.save(update_fields=["indices", "report", "sha256"])
        if is_new:
            audit.record(split.created_by, Action.SPLIT_BUILT, split, method=split.method, sha256=sha256)
    shutil.rmtree(work, ignore_errors=True)
    return split


def dataset_splits(dataset: Dataset) -> SplitQuerySet:
    """Built splits of the data set that keep vectors, which another split can be made from."""
    return Split.objects.built().without_rows().filter(dataset=dataset, method__in=split_building.LATENT)


def _stored_vectors(dataset: Dataset, key: str) -> Path:
    split = dataset_splits(dataset).filter(key=key).first()
    path = folder_of(split) / "vectors.npy" if split else None
    if path is None or not path.is_file():
        raise BadInput(f"No split '{key}' of this data set keeps vectors. Choose one made from vectors, or encode.")
    return path


def _require_unseen(earlier: Split, wanted: SplitOptions) -> None:
    """Refuses vectors that were trained on examples which are to be set aside now."""
    made = options_of(earlier)
    is_trained = made.fine_tune or made.reduce == "bottleneck"
    same = (made.independent_share, made.independent_seed) == (wanted.independent_share, wanted.independent_seed)
    if is_trained and wanted.independent_share and not same:
        raise BadInput(
            f"The vectors of “{earlier}” were trained on examples that would be set aside here. Give the same "
            f"independent share and seed ({made.independent_share}, {made.independent_seed}), or make vectors anew."
        )


def draw_pictures(built: BuiltSplit, data: LabelledData, folder: Path, *, method: str = "pca") -> list[str]:
    """One SVG coloured by part and one by label, where there are vectors to draw; their names."""
    if built.vectors is None or min(built.vectors.shape) < 2:
        return []
    from evaluation.split_charts import draw_points
    from evaluation.splits.picture import picture_points

    plane: Literal["pca", "umap"] = "umap" if method == "umap" else "pca"
    points = picture_points(built.vectors, data.labels, built.split, method=plane, seed=built.split.seed)
    for colour in COLOURS:
        (folder / f"picture-{colour}.svg").write_text(draw_points(points, colour=colour), encoding="utf-8")
    return [f"picture-{colour}.svg" for colour in COLOURS]


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
