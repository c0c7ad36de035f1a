"""One latent split of a labelled file, written as indices, JSONL in GenBench's form, evaluation card and report."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from curation.commands import DomainCommand, describe_problem
from evaluation.services import split_building, split_files
from evaluation.services.labelled_files import read_file
from evaluation.services.split_building import INDEPENDENT_SEED, METHODS, PICTURES, SplitOptions
from evaluation.services.split_vectors import REDUCTIONS
from evaluation.services.splitting import draw_pictures

NAMES = (
    "method", "share", "independent_share", "independent_seed", "seed", "k_min", "k_max", "initialisations", "pooling",
    "fine_tune", "reduce", "dimensions", "epochs", "learning_rate", "max_length",
)  # fmt: skip


class Command(DomainCommand):
    help = (
        "Split a data set so that the test set lies where the model has not been trained. Interrupted, the same "
        "command goes on with what the encoder had learnt and computed."
    )

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--data", required=True, metavar="FILE")
        parser.add_argument("--method", required=True, choices=METHODS)
        vectors = parser.add_mutually_exclusive_group()
        vectors.add_argument("--hiddens", metavar="FILE.npy", help="ready vectors, one row per example")
        vectors.add_argument("--encoder", default="", metavar="SPEC", help="a folder or hub id that makes the vectors")
        parser.add_argument("--out", required=True, metavar="DIR")
        parser.add_argument("--text-column")
        parser.add_argument("--label-column")
        parser.add_argument("--target-column", default="", help="groups per example, for --explain")
        parser.add_argument("--source-column", default="", help="where an example comes from, for --explain")
        parser.add_argument("--share", type=float, default=0.1, help="of the examples that go into the test set")
        parser.add_argument("--independent-share", type=float, default=0.0, help="set aside at random before")
        parser.add_argument("--independent-seed", type=int, default=INDEPENDENT_SEED, help="one for all you compare")
        parser.add_argument("--seed", type=int, default=42)
        parser.add_argument("--k-min", type=int, default=3)
        parser.add_argument("--k-max", type=int, default=50)
        parser.add_argument("--initialisations", type=int, default=10)
        parser.add_argument("--pooling", choices=["cls", "mean"], default="cls")
        parser.add_argument("--fine-tune", action="store_true", help="train the encoder on the labels first")
        parser.add_argument("--reduce", choices=list(REDUCTIONS), default="", help="bottleneck: trained with --encoder")
        parser.add_argument("--dimensions", type=int, default=50, help="after --reduce; 10, 50 or 200 in the paper")
        parser.add_argument("--epochs", type=int, default=3, help="of --fine-tune and --reduce bottleneck")
        parser.add_argument("--learning-rate", type=float, default=5e-5)
        parser.add_argument("--max-length", type=int, default=128, help="tokens of a text the encoder reads")
        parser.add_argument("--language-model", default="", metavar="SPEC", help="for likelihood; default: word pairs")
        parser.add_argument("--language", default="en", metavar="CODE", help="of the texts, for --explain")
        parser.add_argument("--explain", action="store_true", help="measure what sets the parts apart")
        parser.add_argument("--keywords", nargs="+", default=[], metavar="WORD", help="for --explain")
        parser.add_argument("--picture", choices=PICTURES, help="draw the examples in the plane")
        parser.add_argument("--store", action="store_true", help="keep data and split on the platform, for experiments")
        parser.add_argument("--title", default="", help="of the stored data set")
        parser.add_argument("--release", default="", metavar="KEY", help="store the split and publish KEY@VERSION")
        parser.add_argument("--release-version", default="1.0.0", metavar="VERSION")
        parser.add_argument("--licence", default="", help="of the released texts")
        parser.add_argument("--candidate", action="store_true", help="build the release, leave publishing to people")

    def perform(self, **options: Any) -> dict[str, Any]:
        chosen = SplitOptions(**{name: options[name] for name in NAMES}, picture=options["picture"] or "pca")
        if options["store"] or options["release"]:
            return self._stored(chosen, options)
        extra = tuple(name for name in (options["target_column"], options["source_column"]) if name)
        data, reading = read_file(
            options["data"],
            text_column=options["text_column"],
            label_column=options["label_column"],
            extra_columns=extra,
        )
        out = Path(options["out"])
        work = out.with_name(f"{out.name}.work")
        built = split_building.build(
            data,
            chosen,
            hiddens=options["hiddens"],
            encoder=options["encoder"],
            language_model=options["language_model"],
            work=work,
            progress=self.show_progress,
        )
        report = {**split_building.report_of(built, data, chosen), "columns": dict(reading.columns)}
        if options["explain"]:
            report["properties"] = split_building.explain(
                built.split,
                data,
                language=options["language"],
                keywords=options["keywords"],
                groups=options["target_column"],
                sources=options["source_column"],
            )
        files = split_building.write_files(built, data, report, out, keep_vectors=not options["hiddens"])
        if options["picture"]:
            files += draw_pictures(built, data, out, method=options["picture"])
        shutil.rmtree(work, ignore_errors=True)
        return {**report, "out": options["out"], "files": files}

    def _stored(self, chosen: SplitOptions, options: dict[str, Any]) -> dict[str, Any]:
        """The same split as a row on the platform, and as a release if one is wanted."""
        split = split_files.store_split(
            Path(options["data"]),
            title=options["title"],
            language=options["language"],
            text_column=options["text_column"] or "",
            label_column=options["label_column"] or "",
            hiddens=Path(options["hiddens"]) if options["hiddens"] else None,
            progress=self.show_progress,
            groups_column=options["target_column"],
            sources_column=options["source_column"],
            **{name: options[name] for name in ("encoder", "language_model", "keywords")},
            **asdict(chosen),
        )
        split_files.copy_files(split, Path(options["out"]))
        result = {**split.report, "split": split.key, "dataset_key": split.dataset.key, "out": options["out"]}
        if options["release"]:
            release = split_files.publish_split(
                split,
                key=options["release"],
                version=options["release_version"],
                licence=options["licence"],
                candidate=options["candidate"],
                progress=self.show_progress,
            )
            result["release"] = {"key": release.key, "state": release.state, "sha256": release.sha256}
        return result

    def describe(self, result: dict[str, Any]) -> str:
        counts = ", ".join(f"{name} {count:,}" for name, count in result["class_counts"].items())
        lines = [
            f"{result['method']} split of {result['dataset']}, seed {result['seed']}",
            f"train {result['train']:,}, test {result['test']:,} ({counts}), independent {result['independent']:,}",
        ]
        if result["k"] is not None:
            lines.append(
                f"k = {result['k']}: {result['from_whole_clusters']:,} test examples from whole clusters, "
                f"{result['added_singly']:,} added one by one"
                + (f", at most {gap} more were possible" if (gap := result["optimality_gap"]) else "")
            )
        lines += [describe_problem(problem) for problem in result["problems"]]
        if "split" in result:
            lines.append(f"stored as {result['split']}")
        if "release" in result:
            lines.append("{key} ({state}), sha256 {sha256}".format(**result["release"]))
        return "\n".join([*lines, f"written to {result['out']}: {', '.join(result['files'])}"])
