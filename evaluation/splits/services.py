"""Splits with a memory: requested, built in the background, kept with their rows, figures, files and picture."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_maintainer
from core.text import _, keep, recall
from evaluation import file_store
from evaluation.artefacts.errors import Unusable
from evaluation.artefacts.services import folder_of, give_job
from evaluation.datasets.files.values import LabelledData
from evaluation.datasets.services import open_dataset
from evaluation.models import Dataset, Split
from evaluation.splits import building as split_building
from evaluation.splits.algorithm import values
from evaluation.splits.building import BuiltSplit
from evaluation.splits.models import SplitQuerySet
from evaluation.splits.options import LATENT, SplitOptions, SplitRecipe
from evaluation.splits.vectors import Progress, check_vectors

OPTIONS = tuple(name for name in SplitRecipe.model_fields if name not in ("method", "seed"))
SOURCES = ("vectors_of", "encoder", "language_model", "keywords", "groups_column", "sources_column")
COLOURS = ("part", "label")


@transaction.atomic
def request_split(dataset: Dataset, options: SplitOptions, *, by: User | None, ring_now: bool = True) -> Split:
    """Queue the building of a split.

    Refuses people who are not maintainers, columns the data has not, and vectors that do not fit the data.
    """
    if by is not None:
        require_maintainer(by)
    vectors_file = ""
    if options.needs_vectors and options.vectors_of:
        _stored_vectors(dataset, options.vectors_of)
        _require_unseen(dataset_splits(dataset).get(key=options.vectors_of), options)
    if options.needs_vectors and options.vectors:
        vectors_file = _keep_vectors(options.vectors)
        examples = sum(sum(found.values()) for found in dataset.counts.values())
        check_vectors(file_store.path_of(vectors_file), examples=examples, called=options.vectors.name)
    columns = tuple(name for name in (options.groups_column, options.sources_column) if name)
    if columns:
        open_dataset(dataset, extra_columns=columns)  # refuses columns it does not have
    split = Split.objects.create(
        dataset=dataset,
        title=(options.title.strip() or f"{dataset}: {options.method}, seed {options.seed}")[:160],
        method=options.method,
        seed=options.seed,
        choices={
            **{name: value for name, value in options.plain().items() if name in (*OPTIONS, *SOURCES)},
            "vectors_file": vectors_file,
            "vectors_name": options.vectors.name if vectors_file else "",
        },
        created_by=by,
    )
    job = _("Build the split “%(title)s”", title=split.title)
    give_job(split, "evaluation.build_split", title=job, by=by, ring_now=ring_now)
    return split


def options_of(split: Split) -> SplitRecipe:
    """Return the options the split was asked for with."""
    # Splits from before the independent part had a seed of its own drew it by theirs.
    chosen = {"independent_seed": split.seed} | {name: split.choices[name] for name in OPTIONS if name in split.choices}
    return SplitRecipe(**{"method": split.method, "seed": split.seed, **chosen})


def data_of(split: Split) -> LabelledData:
    """Return the rows that are split; the columns for groups and sources come along."""
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
    if stored and hiddens:  # the stored file is named by its checksum, which tells readers nothing
        name = choices.get("vectors_name") or "vectors"
        imported = _("imported %(file)s %(checksum)s", file=name, checksum=Path(stored).stem[:12])
        built = replace(built, representation=imported)
    elif earlier and hiddens:
        known = recall(dataset_splits(split.dataset).get(key=earlier).report["representation"])
        again = f"{options.reduce} {options.dimensions}" if options.reduce else ""
        told = _("%(vectors)s, %(reduction)s", vectors=known, reduction=again) if again else known
        built = replace(built, representation=told)
    if progress:
        progress(0, 1, _("measuring how the parts differ"))
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
        sentence = _(
            "Building “%(title)s” again gives other rows than before: its data, its vectors or the software changed. "
            "Build a new split.",
            title=split.title,
        )
        raise Unusable(sentence, now="built with other rows", wanted="built again")
    draw_pictures(built, data, folder, method=options.picture)
    kept = folder.with_name(split.key)
    shutil.rmtree(kept, ignore_errors=True)
    folder.rename(kept)
    with transaction.atomic():
        is_new = not split.sha256
        split.indices = {"test": list(built.split.test), "independent": list(built.split.independent)}
        split.report, split.sha256 = keep(report), sha256
        split.save(update_fields=["indices", "report", "sha256"])
        if is_new:
            audit.record(split.created_by, Action.SPLIT_BUILT, split, method=split.method, sha256=sha256)
    shutil.rmtree(work, ignore_errors=True)
    return split


def dataset_splits(dataset: Dataset) -> SplitQuerySet:
    """Return built splits of the data set that keep vectors, which another split can be made from."""
    return Split.objects.built().without_rows().filter(dataset=dataset, method__in=LATENT)


def _stored_vectors(dataset: Dataset, key: str) -> Path:
    split = dataset_splits(dataset).filter(key=key).first()
    path = folder_of(split) / "vectors.npy" if split else None
    if path is None or not path.is_file():
        raise BadInput(
            _(
                "There are no vectors of a split '%(key)s' of this data set. Choose a split made from vectors, or give "
                "an encoder.",
                key=key,
            )
        )
    return path


def _keep_vectors(file: Path | UploadedFile[Any]) -> str:
    """Store ready vectors; of a file on this machine with the note beside it, which says whose vectors they are."""
    if not isinstance(file, Path):
        return file_store.keep_file(file, "vectors")[0]
    if not file.is_file():
        raise BadInput(_("The file %(file)s does not exist. Check the path and the name.", file=str(file)))
    stored = file_store.keep_file(file, "vectors")[0]
    note = file.with_suffix(".json")
    if note.is_file():
        shutil.copyfile(note, file_store.path_of(stored).with_suffix(".json"))
    return stored


def _require_unseen(earlier: Split, wanted: SplitRecipe) -> None:
    """Refuses vectors that were trained on examples which are to be set aside now."""
    made = options_of(earlier)
    is_trained = made.fine_tune or made.reduce == "bottleneck"
    same = (made.independent_share, made.independent_seed) == (wanted.independent_share, wanted.independent_seed)
    if is_trained and wanted.independent_share and not same:
        raise BadInput(
            _(
                "The vectors of “%(split)s” were trained on examples that would be set aside here. Give the same "
                "independent share (%(share)s) and seed (%(seed)s), or make new vectors.",
                split=earlier.title,
                share=made.independent_share,
                seed=str(made.independent_seed),
            )
        )


def draw_pictures(built: BuiltSplit, data: LabelledData, folder: Path, *, method: str = "pca") -> list[str]:
    """Draw one SVG coloured by part and one by label, where there are vectors to draw. Return their names."""
    if built.vectors is None or min(built.vectors.shape) < 2 or method == "none":
        return []
    from evaluation.splits.algorithm.picture import picture_points
    from evaluation.splits.charts import draw_points

    plane: Literal["pca", "umap"] = "umap" if method == "umap" else "pca"
    points = picture_points(built.vectors, data.labels, built.split, method=plane, seed=built.split.seed)
    for colour in COLOURS:
        (folder / f"picture-{colour}.svg").write_text(draw_points(points, colour=colour), encoding="utf-8")
    return [f"picture-{colour}.svg" for colour in COLOURS]


def picture_of(split: Split, colour: str) -> Path | None:
    """Return the drawing of a split; None for baselines, which have no vectors."""
    path = folder_of(split) / f"picture-{colour}.svg"
    return path if colour in COLOURS and path.is_file() else None


def rows_of(split: Split, examples: int) -> values.Split:
    """Return the stored rows as the value the algorithms know."""
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
