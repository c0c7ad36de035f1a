"""What the documents of a release are filled from: the facts noted when it was built, and people's prose."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.text import catalogue_name
from curation.catalogue.group_names import GROUPS
from curation.models import Release
from curation.publishing.labelling import Labelling
from curation.publishing.records import AgreementRecord, GuidelineRecord, ReleaseRecords, UnidentifiedLabels


def records_of(release: Release) -> ReleaseRecords:
    """Return the records behind data statement and data sheet."""
    return records_from(release.facts, release.prose)


def records_from(facts: Mapping[str, Any], prose: Mapping[str, str]) -> ReleaseRecords:
    """Return the same from plain facts, also before there is a release."""
    annotation: dict[str, Any] = facts.get("annotation", {})
    return ReleaseRecords(
        agreement=tuple(agreement_of(row) for row in annotation.get("agreement", ())),
        excluded_by_reason=facts.get("excluded_by_reason", {}),
        decision=_decision(facts.get("decision")),
        unlabelled=facts.get("unlabelled"),
        labelling=labelling_of(facts),
        annotators=annotation.get("annotators"),
        unidentified=_unidentified(annotation.get("unidentified")),
        campaigns=annotation.get("campaigns", 1),
        demographics=annotation.get("demographics", {}),
        languages=facts.get("languages", {}),
        functionalities=_functionalities(facts.get("functionalities", ())),
        groups=facts.get(GROUPS, {}),  # older releases count targets as they are spelt
        pay=annotation.get("pay", ""),
        wellbeing=annotation.get("wellbeing", ""),
        labelled_from=annotation.get("labelled_from", ""),
        labelled_until=annotation.get("labelled_until", ""),
        guidelines=tuple(
            GuidelineRecord(str(row["language"]), str(row["version"]), str(row.get("title", "")))
            for row in annotation.get("guidelines", ())
        ),
        published_despite=facts.get("published_despite"),
        prose=prose,
    )


def _functionalities(found: Sequence[Mapping[str, str]]) -> dict[str, Mapping[str, str]]:
    """Return them by key, with titles in the language of the document; none for releases of earlier versions."""
    named = ("title", "class")
    return {row["key"]: {**row, **{name: catalogue_name(row[name]) for name in named}} for row in found}


def _decision(found: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """None for releases of earlier versions, which did not say how they differ: their files stay as they were."""
    return found if found and "differs" in found else None


def _unidentified(found: Mapping[str, int] | None) -> UnidentifiedLabels | None:
    return UnidentifiedLabels(found["labels"], found["fewest"], found["most"]) if found else None


def labelling_of(facts: Mapping[str, Any]) -> Labelling | None:
    """Return what annotators said about the cases; None for a release that was built before it was counted."""
    counts: Mapping[str, int] | None = facts.get("labelling")
    return None if counts is None else Labelling(**counts)


def agreement_of(row: Mapping[str, Any]) -> AgreementRecord:
    """Return one line of agreement; members this version does not know are left out."""
    interval = row.get("fleiss_kappa_ci95")
    return AgreementRecord(
        part=str(row["part"]),
        cases=int(row["cases"]),
        raters=int(row["raters"]),
        fleiss_kappa=row.get("fleiss_kappa"),
        fleiss_kappa_ci95=(interval[0], interval[1]) if interval else None,
        krippendorff_alpha=row.get("krippendorff_alpha"),
        fewest_labels=row.get("fewest_labels"),
        most_labels=row.get("most_labels"),
    )
