"""From a labelled data set to one latent split on disk, with the report that scripts rely on. No database needed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from core.errors import BadInput, sentence_of
from core.text import _, in_english
from evaluation.datasets.files.values import LabelledData
from evaluation.registry.services import runner_settings
from evaluation.runners import InferenceError
from evaluation.splits.algorithm.values import Split
from evaluation.splits.options import SplitRecipe
from evaluation.splits.vectors import Progress, describe_vectors, make_vectors, read_vectors, reduced

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEYWORDS_PER_LABEL = 10
NOT_ALWAYS = ("independent.jsonl", "independent_indices.txt", "picture-part.svg", "picture-label.svg")


@dataclass(frozen=True, slots=True)
class BuiltSplit:
    """A split, the vectors it was made from (None for the baselines), and what it can be traced to."""

    split: Split
    vectors: NDArray[np.float32] | None
    representation: str
    problems: list[dict[str, Any]] = field(default_factory=list)


def build(
    data: LabelledData,
    options: SplitRecipe,
    *,
    hiddens: str | Path | None = None,
    encoder: str = "",
    language_model: str = "",
    work: Path | None = None,
    progress: Progress | None = None,
) -> BuiltSplit:
    """One checked split. Latent methods take ready vectors or an encoder; likelihood takes a language model or none.

    `work` is where an encoder keeps what it has computed, so that a broken attempt is not made again from the start.
    """
    vectors: NDArray[np.float32] | None = None
    likelihoods = None
    problems: list[dict[str, Any]] = []
    representation = ""
    if options.needs_vectors:
        if hiddens:
            found, problems = read_vectors(hiddens, data)
            vectors = reduced(found, options, progress)
            representation = Path(hiddens).name
        else:
            vectors = make_vectors(data, encoder, options, progress, work=work)
            representation = describe_vectors(encoder, options)
    elif options.method == "likelihood":
        likelihoods = _likelihoods(data, language_model, progress)
        representation = Path(language_model.removeprefix("hf:")).name or _("word pairs of the data")
    from evaluation.splits.algorithm.building import build_splits

    try:
        splits = build_splits(
            data.labels,
            methods=[options.method],
            vectors=cast("NDArray[np.floating] | None", vectors),
            likelihoods=likelihoods,
            share=options.share,
            independent_share=options.independent_share,
            independent_seed=options.independent_seed,
            seed=options.seed,
            ks=range(options.k_min, options.k_max + 1),
            initialisations=options.initialisations,
            progress=(lambda step, done, total: progress(done, total, step)) if progress else None,
        )
    except ValueError as error:
        raise BadInput(_("The split cannot be made. %(reason)s", reason=sentence_of(error))) from error
    return BuiltSplit(splits[options.method], vectors, representation, problems)


def _likelihoods(data: LabelledData, language_model: str, progress: Progress | None) -> list[float]:
    if not language_model:
        from evaluation.splits.algorithm.baselines import bigram_scores

        return bigram_scores(data.texts)
    from evaluation.splits.algorithm.likelihood import language_model_scores

    try:
        return language_model_scores(
            data.texts,
            model=language_model.removeprefix("hf:"),
            settings=runner_settings(),
            progress=(lambda done, total: progress(done, total, _("likelihoods"))) if progress else None,
        )
    except (InferenceError, ValueError) as error:
        raise BadInput(_("The language model cannot be used. %(reason)s", reason=sentence_of(error))) from error


def report_of(built: BuiltSplit, data: LabelledData, options: SplitRecipe) -> dict[str, Any]:
    """Return the figures of a split as plain values; counts of examples, not the examples."""
    split = built.split
    return {
        "method": split.method,
        "k": split.k,
        "seed": split.seed,
        "test": len(split.test),
        "train": len(split.train),
        "independent": len(split.independent),
        "class_counts": _counts(data, split.test),
        "train_class_counts": _counts(data, split.train),
        "independent_class_counts": _counts(data, split.independent),
        "from_whole_clusters": split.whole if options.needs_vectors else None,
        "added_singly": split.added if options.needs_vectors else None,
        "optimality_gap": split.gap if options.needs_vectors else None,
        "clusters": list(split.clusters),
        "missing_by_k": {str(k): missing for k, missing in sorted(split.by_k.items())},
        "share": options.share,
        "independent_share": options.independent_share,
        "independent_seed": options.independent_seed,
        "k_range": [options.k_min, options.k_max] if options.needs_vectors else None,
        "representation": built.representation,
        "dimensions": None if built.vectors is None else int(built.vectors.shape[1]),
        "dataset": data.source,
        "dataset_sha256": data.checksum,
        "problems": built.problems,
    }


def explain(
    split: Split,
    data: LabelledData,
    *,
    language: str,
    keywords: Sequence[str] = (),
    groups: str = "",
    sources: str = "",
) -> dict[str, Any]:
    """Surface properties of the parts: overlap, length, rare words, keywords, groups and sources from extra columns.

    Without keywords, the words that tell each label from the others are taken.
    """
    from evaluation.splits.algorithm.explain import describe_split

    return asdict(
        describe_split(
            split,
            data.texts,
            language=language or "en",
            keywords=keywords or telling_words(data, language=language),
            groups=data.extra.get(groups),
            sources=data.extra.get(sources),
        )
    )


def telling_words(data: LabelledData, *, language: str) -> list[str]:
    """Return the words that set each label apart from the others, by class-based TF-IDF."""
    from evaluation.splits.algorithm.surface import find_topics

    topics = find_topics(data.texts, data.labels, language=language or "en", words=KEYWORDS_PER_LABEL)
    return sorted({word for topic in topics for word, __ in topic.words})


def topics_of(split: Split, data: LabelledData, *, language: str) -> dict[str, list[str]]:
    """Return the words that set each part apart from the others, by class-based TF-IDF."""
    from evaluation.splits.algorithm.surface import find_topics

    part_of = {row: part for part in ("train", "test", "independent") for row in getattr(split, part)}
    found = find_topics(data.texts, [part_of[row] for row in range(len(data))], language=language or "en")
    return {topic.name: [word for word, __ in topic.words] for topic in found}


def write_files(
    built: BuiltSplit, data: LabelledData, report: Mapping[str, Any], folder: str | Path, *, keep_vectors: bool = True
) -> list[str]:
    """indices.txt, a JSONL file per part, the evaluation card, split.json, report.json, and the vectors if wanted."""
    from evaluation.splits.algorithm.genbench import write_split
    from evaluation.splits.algorithm.vector_files import save_vectors

    folder = Path(folder)
    for name in NOT_ALWAYS:  # what an earlier split left would be taken for a part of this one
        (folder / name).unlink(missing_ok=True)
    with in_english():  # others read the files with programs
        paths = write_split(
            built.split,
            folder,
            texts=data.texts,
            labels=data.labels,
            dataset=data.source,
            checksum=data.checksum,
            representation=built.representation,
        )
    if built.vectors is not None and keep_vectors:
        facts = {"representation": built.representation}
        paths.append(save_vectors(folder / "vectors.npy", built.vectors, checksum=data.checksum, facts=facts))
    content = json.dumps(dict(report), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    (folder / "report.json").write_text(content, encoding="utf-8", newline="\n")
    return [*(path.name for path in paths), "report.json"]


def _counts(data: LabelledData, rows: tuple[int, ...]) -> dict[str, int]:
    return dict(sorted(Counter(data.labels[row] for row in rows).items()))
