"""One latent split of a labelled file, written as indices, JSONL in GenBench's form, evaluation card and report."""

import shutil
from pathlib import Path
from typing import Any

from core.commands import DomainCommand, describe_problem
from core.text import recall
from evaluation.datasets.labelled_files import read_file
from evaluation.splits import building as split_building
from evaluation.splits import files as split_files
from evaluation.splits.options import SplitOptions
from evaluation.splits.services import draw_pictures


class Command(DomainCommand):
    help = (
        "Split a data set so that the test set lies where the model has not been trained. Interrupted, the same "
        "command continues with what the encoder had learnt and computed."
    )
    options = SplitOptions

    def perform(self, chosen: SplitOptions) -> dict[str, Any]:
        if chosen.store or chosen.release:
            return self._stored(chosen)
        data, reading = read_file(
            chosen.data,
            text_column=chosen.text_column or None,
            label_column=chosen.label_column or None,
            extra_columns=tuple(name for name in (chosen.groups_column, chosen.sources_column) if name),
        )
        out: Path = chosen.out
        work = out.with_name(f"{out.name}.work")
        built = split_building.build(
            data,
            chosen,
            hiddens=chosen.vectors,
            encoder=chosen.encoder,
            language_model=chosen.language_model,
            work=work,
            progress=self.show_progress,
        )
        report = {**split_building.report_of(built, data, chosen), "columns": dict(reading.columns)}
        if chosen.explain:
            report["properties"] = split_building.explain(
                built.split,
                data,
                language=chosen.language,
                keywords=chosen.keywords,
                groups=chosen.groups_column,
                sources=chosen.sources_column,
            )
        files = split_building.write_files(built, data, report, out, keep_vectors=not chosen.vectors)
        files += draw_pictures(built, data, out, method=chosen.picture)
        shutil.rmtree(work, ignore_errors=True)
        return {**report, "out": str(out), "files": files}

    def _stored(self, chosen: SplitOptions) -> dict[str, Any]:
        """The same split as a row on the platform, and as a release if one is wanted."""
        split = split_files.store_split(chosen, progress=self.show_progress)
        split_files.copy_files(split, chosen.out)
        result = {**recall(split.report), "split": split.key, "dataset_key": split.dataset.key, "out": str(chosen.out)}
        if chosen.release:
            release = split_files.publish_split(split, chosen, progress=self.show_progress)
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
