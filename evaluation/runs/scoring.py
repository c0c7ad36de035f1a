"""Measuring a run and keeping the result; measuring finished runs again when the methods change."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from core.errors import BadInput
from core.text import _
from curation.catalogue.group_names import released_group_names
from curation.models import Release, ReleaseCase
from curation.publishing.groups import groups_of
from evaluation.metrics.calibration import THRESHOLD
from evaluation.metrics.columns import Row, said_by_annotators
from evaluation.metrics.report import mark_training, measure
from evaluation.metrics.slices import gold_counts
from evaluation.models import DetectionModel, EvaluationRun, Report


def rows_of(run: EvaluationRun) -> list[Row]:
    """Return one row per case of the release, with what the model said; unanswered where it said nothing."""
    return join_predictions(run, case_rows(run.release, run.languages))


def join_predictions(run: EvaluationRun, cases: list[tuple[int, dict[str, Any]]]) -> list[Row]:
    """As `rows_of`, on cases that several models share."""
    predictions = {
        case_id: (label, score)
        for case_id, label, score in run.predictions.values_list("release_case_id", "label", "score").iterator(
            chunk_size=5000
        )
    }
    nothing = (None, None)
    rows = []
    for case_id, row in cases:
        label, score = predictions.get(case_id, nothing)
        rows.append(Row(**row, predicted=label, score=score))
    return rows


def case_rows(release: Release, languages: Collection[str] = ()) -> list[tuple[int, dict[str, Any]]]:
    """Return the keys by which the cases of a release are sliced, shared by all models; of these languages only.

    A case without a template that has a group, written by hand or by a language model, is about that group.
    """
    names, positive = released_group_names(release), release.suite.positive_label
    found = []
    cases = ReleaseCase.objects.filter(release=release)
    values = (cases.filter(language__in=languages) if languages else cases).order_by("position").values_list(
        "id", "key", "label", "functionality", "functionality_class", "language", "targets", "direction", "focus_lemma",
        "origin",
        "labels_given", "template", "is_about_identity", "refers_to", "contrast_set", "perturbation_set",
    )  # fmt: skip
    for (case_id, key, label, functionality, functionality_class, language, targets, direction, focus, origin, labels,
         template, is_about_identity, refers_to, contrast_set, perturbation_set) in values.iterator(
        chunk_size=5000
    ):  # fmt: skip
        found.append(
            (
                case_id,
                {
                    "case": key, "gold": label, "functionality": functionality,
                    "functionality_class": functionality_class, "language": language,
                    "targets": groups_of(targets, language, names),
                    "is_identity_template": is_about_identity or not template,
                    "direction": direction, "focus_word": focus, "origin": origin,
                    **said_by_annotators(labels, gold=label, positive=positive),
                    "template": f"{language}:{template}" if template else None, "refers_to": refers_to or None,
                    "contrast_set": contrast_set, "perturbation_set": perturbation_set,
                },
            )
        )  # fmt: skip
    return found


def common_languages(runs: Iterable[EvaluationRun]) -> list[str]:
    """Return the languages that all these runs cover; empty for the whole release. Refuses runs that share none."""
    restricted = [set(run.languages) for run in runs if run.languages]
    if not restricted:
        return []
    if not (common := set.intersection(*restricted)):
        raise BadInput(_("These runs have no language in common, so they cannot be compared."))
    return sorted(common)


def score_run(run: EvaluationRun) -> Report:
    """Measure a run and keep the measures. Scoring again replaces them: they are computed, not decided."""
    suite = run.release.suite
    trained_on = run.model_version.model.trained_on or None
    labels = [str(label) for label in suite.labels]
    cases = case_rows(run.release, run.languages)
    rows = join_predictions(run, cases)
    threshold = threshold_of(run)
    values = measure(rows, labels=labels, positive=suite.positive_label, threshold=threshold, trained_on=trained_on)
    values["composition"] = gold_counts(row for _, row in cases)
    answers = run.predictions.aggregate(
        refusals=Count("pk", filter=Q(is_refusal=True)), errors=Count("pk", filter=~Q(error=""))
    )
    values["overall"] |= answers
    plain = json.loads(json.dumps(values, default=float))
    return Report.objects.update_or_create(run=run, defaults={"values": plain, "code_version": settings.VERSION})[0]


def threshold_of(run: EvaluationRun) -> float:
    """Return where the model's scores are cut; one half where the likelier of two labels wins."""
    cut = run.environment.get("threshold")
    return THRESHOLD if cut is None else float(cut)


def mark_languages(model: DetectionModel) -> None:
    """Say in the stored measures of a model which languages it was trained on, as it is known now."""
    for report in Report.objects.filter(run__model_version__model=model):
        mark_training(report.values["by_language"], model.trained_on or None)
        report.save(update_fields=["values"])


def rescore_runs(release: Release | None = None) -> Iterator[EvaluationRun]:
    """Measure every finished run anew, on one release or on all; give each back when its measures are stored."""
    runs = EvaluationRun.objects.measured().select_related("release__suite", "model_version__model")
    for run in (runs.filter(release=release) if release else runs).order_by("pk"):
        score_run(run)
        yield run
