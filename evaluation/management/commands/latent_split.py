"""One latent split of a labelled file, written as indices, JSONL in GenBench's form, evaluation card and report."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from curation.commands import DomainCommand
from evaluation.services import split_building
from evaluation.services.labelled_files import read_file
from evaluation.services.split_building import METHODS, SplitOptions


class Command(DomainCommand):
    help = "Split a data set so that the test set lies where the model has not been trained."

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
        parser.add_argument("--seed", type=int, default=42)
        parser.add_argument("--k-min", type=int, default=3)
        parser.add_argument("--k-max", type=int, default=50)
        parser.add_argument("--initialisations", type=int, default=10)
        parser.add_argument("--pooling", choices=["cls", "mean"], default="cls")
        parser.add_argument("--reduce", choices=["umap", "pca"], default="")
        parser.add_argument("--dimensions", type=int, default=50, help="after --reduce")
        parser.add_argument("--max-length", type=int, default=128, help="tokens of a text the encoder reads")
        parser.add_argument("--language-model", default="", metavar="SPEC", help="for likelihood; default: word pairs")
        parser.add_argument("--language", default="en", metavar="CODE", help="of the texts, for --explain")
        parser.add_argument("--explain", action="store_true", help="measure what sets the parts apart")

    def perform(self, **options: Any) -> dict[str, Any]:
        names = ("method", "share", "independent_share", "seed", "k_min", "k_max", "initialisations", "pooling")
        chosen = SplitOptions(**{name: options[name] for name in (*names, "reduce", "dimensions", "max_length")})
        extra = tuple(name for name in (options["target_column"], options["source_column"]) if name)
        data, reading = read_file(
            options["data"],
            text_column=options["text_column"],
            label_column=options["label_column"],
            extra_columns=extra,
        )
        built = split_building.build(
            data,
            chosen,
            hiddens=options["hiddens"],
            encoder=options["encoder"],
            language_model=options["language_model"],
            progress=self.show_progress,
        )
        report = {**split_building.report_of(built, data, chosen), "columns": dict(reading.columns)}
        if options["explain"]:
            report["properties"] = split_building.explain(
                built.split,
                data,
                language=options["language"],
                groups=options["target_column"],
                sources=options["source_column"],
            )
        files = split_building.write_files(
            built, data, report, Path(options["out"]), keep_vectors=not options["hiddens"]
        )
        return {**report, "out": options["out"], "files": files}

    def describe(self, result: dict[str, Any]) -> str:
        counts = ", ".join(f"{name} {count:,}" for name, count in result["class_counts"].items())
        lines = [
            f"{result['method']} split of {result['dataset']}, seed {result['seed']}",
            f"train {result['train']:,}, test {result['test']:,} ({counts}), independent {result['independent']:,}",
        ]
        if result["k"] is not None:
            lines.append(
                f"k = {result['k']}: {result['from_whole_clusters']:,} test examples from whole clusters, "
                f"{result['added_singly']:,} added one by one, at most {result['optimality_gap']} more were possible"
            )
        return "\n".join([*lines, f"written to {result['out']}: {', '.join(result['files'])}"])
