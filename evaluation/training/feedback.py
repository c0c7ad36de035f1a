"""From results back to training: material from failing functionalities, inoculation, and a check for leaked cases."""

import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from accounts.models import User
from core.errors import BadInput
from core.jobs.services import request_job
from core.models import Job
from core.permissions import require_maintainer
from core.tables.writing import csv_bytes
from core.text import _, ngettext
from curation.finding import find_release
from curation.models import Functionality, Release, ReleaseCase
from evaluation.artefacts.errors import Unusable
from evaluation.datasets.files.values import LabelledData
from evaluation.datasets.labelled_files import find_abusive
from evaluation.datasets.services import Mapped, import_dataset
from evaluation.models import Dataset, EvaluationRun
from evaluation.registry.services import LABELS
from evaluation.runs.models import RunState
from evaluation.training.algorithm.contamination import find_leaks
from evaluation.training.algorithm.material import MaterialCase, divide
from evaluation.training.algorithm.rows import LabelledRow, rows_of, split_rows
from evaluation.training.algorithm.settings import trainer_title
from evaluation.training.charts import draw_curve
from evaluation.training.options import ContaminationOptions, InoculationOptions, MaterialOptions
from evaluation.training.services import Progress, find_datasets, train_into

CHECK, INOCULATE = "evaluation.check_contamination", "evaluation.inoculate"
SHOWN_LEAKS = 50
COLUMNS = ("case_id", "text", "label", "split", "functionality", "template")
Rows = Sequence[LabelledRow]


def failing_functionalities(run: EvaluationRun, below: float) -> list[str]:
    """Return the functionalities with a lower accuracy, the worst first. Refuses a run without results."""
    if run.state != RunState.DONE:
        sentence = _(
            "%(run)s has no results to make training material from. Its state is: %(state)s.",
            run=str(run),
            state=run.get_state_display(),
        )
        raise Unusable(sentence, now=run.state, wanted="used for training material")
    measured = run.report.values["by_functionality"]
    accuracy = {key: found["accuracy"] for key, found in measured.items() if found["accuracy"] is not None}
    return sorted((key for key, share in accuracy.items() if share < below), key=lambda key: (accuracy[key], key))


def material_of(run: EvaluationRun, options: MaterialOptions) -> list[tuple[str, ...]]:
    """Return the material as rows of COLUMNS: what may be trained on, and held-out templates to test with.

    Refuses a run that fails nowhere, and functionalities whose templates cannot be divided.
    """
    failing = list(options.functionalities) or failing_functionalities(run, options.below)
    if not failing:
        raise BadInput(
            _(
                "No functionality fails: %(run)s has an accuracy of at least %(below)s on each of them.",
                run=str(run),
                below=_("%(number)s%%", number=round(options.below * 100)),
            )
        )
    fields = ("key", "text", "label", "functionality", "language", "template", "refers_to", "refers_to_template")
    cases = []
    for row in run.cases().filter(functionality__in=failing).order_by("position").values_list(*fields):
        key, text, label, functionality, language, template, refers_to, refers_to_template = row
        # Templates of two languages share their numbers in MHC.
        own, other = (f"{language}:{name}" if name else "" for name in (template, refers_to_template))
        cases.append(MaterialCase(key, text, label, functionality, own, refers_to, other))
    parts = divide(cases, held_out=options.held_out, seed=options.seed)
    if not parts["train"]:
        titles = dict(Functionality.objects.filter(key__in=failing).values_list("key", "title"))
        raise BadInput(
            _(
                "All cases of these functionalities refer to each other, so none can be trained on while others are "
                "held out: %(functionalities)s.",
                functionalities=[titles.get(key, key) for key in failing],
            )
        )
    positive = run.release.suite.positive_label
    return [
        (case.key, case.text, LABELS[case.label != positive], part, case.functionality, case.template)
        for part, members in parts.items()
        for case in members
    ]


def store_material(run: EvaluationRun, options: MaterialOptions, *, by: User | None) -> Dataset:
    """Keep training material of a run as a data set: its test part are held-out templates."""
    if by is not None:
        require_maintainer(by)
    rows = material_of(run, options)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"material-{run.key}.csv"
        path.write_bytes(csv_bytes([COLUMNS, *rows]))
        languages = set(run.cases().values_list("language", flat=True))
        title = options.title.strip() or f"What {run.model_version.model} fails on in {run.release.key}"
        mapped = Mapped(id_column="case_id", extra_columns=("functionality", "template"))
        language = languages.pop() if len(languages) == 1 else ""
        return import_dataset(path, title=title, by=by, language=language, mapped=mapped)


def request_check(dataset: Dataset, options: ContaminationOptions, *, by: User) -> Job:
    """Queue the comparison of a data set with releases. Refuses a release there is not."""
    require_maintainer(by)
    releases = [one.key for one in releases_of(options.releases)]
    payload = {"dataset": dataset.key, "releases": releases, "similarity": options.similarity}
    url = dataset.get_absolute_url()
    return request_job(
        CHECK, payload, title=_("Look for test cases in %(dataset)s", dataset=dataset.title), by=by, result_url=url
    )


def releases_of(keys: Sequence[str]) -> list[Release]:
    """Return these releases, or every published one."""
    return [find_release(key) for key in keys] or list(Release.objects.published().select_related("suite"))


def check_contamination(
    data: LabelledData, releases: Sequence[Release], *, similarity: float, progress: Progress | None = None
) -> dict[str, Any]:
    """Return how many cases of each release the rows hold, word for word or nearly, with the first of them."""
    found: dict[str, Any] = {}
    rows = list(zip(data.rows, data.texts, strict=True))
    for place, release in enumerate(releases):
        if progress:
            progress(place, len(releases), release.key)
        known = ReleaseCase.objects.filter(release=release).values_list("key", "text", "functionality")
        cases = {key: (text, functionality) for key, text, functionality in known.iterator(chunk_size=5000)}
        leaks = find_leaks(rows, {key: text for key, (text, _) in cases.items()}, similarity=similarity)
        exact = {leak.case for leak in leaks if leak.is_exact}
        found[release.key] = {
            "cases": len(cases),
            "exact": len(exact),
            "near": len({leak.case for leak in leaks} - exact),
            "rows": len({leak.row for leak in leaks}),
            "functionalities": sorted({cases[leak.case][1] for leak in leaks}),
            "leaks": [
                {"row": leak.row, "case": leak.case, "similarity": leak.similarity, "exact": leak.is_exact}
                for leak in leaks[:SHOWN_LEAKS]
            ],
        }
    return {"data": data.source, "rows": len(data), "similarity": similarity, "releases": found}


def request_inoculation(material: Dataset, options: InoculationOptions, *, by: User) -> Job:
    """Queue trainings on a data set with more and more of the material added. Refuses material without a test part."""
    require_maintainer(by)
    [base] = find_datasets([options.dataset], by=by)
    if not {"train", "test"} <= set(material.counts):
        raise BadInput(
            _(
                "%(material)s has no training part and test part. Make the material from a run, which tells its "
                "templates apart.",
                material=material.title,
            )
        )
    payload = {"material": material.key, "dataset": base.key, "options": options.plain()}
    url = material.get_absolute_url()
    return request_job(
        INOCULATE, payload, title=_("Inoculate with %(material)s", material=material.title), by=by, result_url=url
    )


def inoculate(
    material: LabelledData,
    base: LabelledData,
    options: InoculationOptions,
    *,
    progress: Callable[[int, int | None, str], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> dict[str, Any]:
    """Return accuracy on held-out templates and on the test part of the data against the number of added examples.

    Of the material the same examples come first with every number, in an order that the seed decides.
    """
    positive = find_abusive(base.labels, options.positive)
    known = [replace(row, label=LABELS[row.label not in positive]) for row in _with_parts(rows_of(base))]
    added, held_out = (rows_of(material.part(part)) for part in ("train", "test"))
    sizes = sorted({min(size, len(added)) for size in options.sizes})
    plan = [(size, seed) for size in sizes for seed in options.seeds]
    found: dict[int, dict[str, list[float]]] = {size: {"held_out": [], "test": []} for size in sizes}
    for place, (size, seed) in enumerate(plan):
        if progress:
            step = ngettext(
                "%(count)s example, seed %(seed)s", "%(count)s examples, seed %(seed)s", size, seed=str(seed)
            )
            progress(place, len(plan), step)
        order = random.Random(seed).sample(added, len(added))[:size]
        with tempfile.TemporaryDirectory() as folder:
            metrics = train_into(
                Path(folder) / "model",
                [*known, *(replace(row, split="train", source="") for row in order)],
                trainer=options.trainer,
                tuning=options.tuning(seed),
                data_name=base.source,
                positive=LABELS[0],
                test_sets={"held out": held_out},
                should_stop=should_stop,
            )
        found[size]["held_out"].append(metrics["tests"]["held out"]["accuracy"])
        found[size]["test"].append(metrics["test"]["accuracy"])
    return {
        "trainer": options.trainer,
        "seeds": list(options.seeds),
        "material": len(added),
        "held_out": len(held_out),
        "curve": [
            {"added": size, **{name: _spread(values) for name, values in measured.items()}}
            for size, measured in found.items()
        ],
    }


def results_on(dataset: Dataset) -> dict[str, Any]:
    """Return the newest check of a data set, and its inoculations, the newest first; jobs keep them."""
    checks = Job.objects.filter(kind=CHECK, payload__dataset=dataset.key).order_by("-pk")
    curves = Job.objects.filter(kind=INOCULATE, payload__material=dataset.key).order_by("-pk")
    told = [(job, job.payload["options"]["trainer"], job.payload["dataset"]) for job in curves[:10]]
    titles = dict(Dataset.objects.filter(key__in=[key for __, __, key in told]).values_list("key", "title"))
    inoculations = [
        (job, trainer_title(trainer), titles.get(key, key), draw_curve(job.result["curve"]) if job.result else None)
        for job, trainer, key in told
    ]
    return {"check": checks.first(), "inoculations": inoculations}


def _with_parts(rows: Rows) -> list[LabelledRow]:
    """Return the rows with their parts; drawn 80/10/10 where the data names none."""
    if {row.split for row in rows} >= {"train", "test"}:
        return list(rows)
    split = split_rows(rows, seed=0)
    part_of = {place: part for part in ("train", "test") for place in getattr(split, part)}
    return [replace(row, split=part_of.get(place, "dev"), source="") for place, row in enumerate(rows)]


def _spread(values: Sequence[float]) -> dict[str, float | None]:
    return {"mean": fmean(values), "sd": stdev(values) if len(values) > 1 else None}
