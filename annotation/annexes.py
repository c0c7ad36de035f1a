"""What annotation adds to an exported release: every label, also of cases left out, and what annotators were told."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils import timezone

from annotation.campaigns.models import Role
from annotation.labelling.models import AnnotationQuerySet, Kind
from annotation.labels.labelled_cases import UNIDENTIFIED
from annotation.models import Annotation, Campaign, Guideline
from curation.models import Release
from curation.publishing.annexes import Annex, AnnexDocument, AnnexTable
from curation.publishing.values import ReleaseHead

LABELS = (
    ("case_id", "the case, also where it was left out of the release"),
    (
        "annotator",
        "pseudonym of the person, the same in the whole table; empty where the source does not name the person",
    ),
    ("label", "the label the person gave"),
    ("is_unrealistic", "whether the person called the text unrealistic"),
    ("campaign", "key of the campaign"),
)


def label_annexes(head: ReleaseHead) -> Iterator[Annex]:
    """Labels of campaigns that were closed when the release was built, as they stood then.

    Comments and times stay in the workshop: free text and hours of work can lead to a person.
    """
    release = Release.objects.by_key(head.reference).first()
    if release is None:
        return
    moment = release.built_at or timezone.now()
    if _labels_at(release, moment).exists():
        yield AnnexTable("labels", "The labels people gave, one row each", LABELS, _rows(release, moment))
    guidelines = Guideline.objects.filter(
        campaigns__in=Campaign.objects.filter(suite=release.suite_id).counting_at(moment)
    )
    for guideline in guidelines.select_related("language").distinct().order_by("language__code", "version"):
        name = f"guidelines/{guideline.language.code}-{guideline.version}.md"
        yield AnnexDocument(name, guideline.title, guideline.text.rstrip() + "\n")


def _labels_at(release: Release, moment: datetime) -> AnnotationQuerySet:
    return Annotation.objects.newest(until=moment).filter(
        kind=Kind.LABEL,
        assignment__item__role=Role.LABEL,
        assignment__item__case__isnull=False,
        assignment__campaign__in=Campaign.objects.filter(suite=release.suite_id).counting_at(moment),
    )


def _rows(release: Release, moment: datetime) -> Iterator[Sequence[str]]:
    rows = (
        _labels_at(release, moment)
        .order_by("assignment__item__case__language__code", "assignment__item__case__position", "assignment__campaign",
                  "assignment__slot")
        .values_list("assignment__item__case__key", "annotator__pseudonym", "annotator__is_identified", "label",
                     "is_unrealistic", "assignment__campaign__key")
    )  # fmt: skip
    # Releases of earlier versions named places in a list as if they were people, and stay as they are.
    names_places = not release.facts.get("annotation", {}).get(UNIDENTIFIED)
    for case, annotator, is_identified, label, is_unrealistic, campaign in rows.iterator(chunk_size=5000):
        named = annotator if is_identified or names_places else ""
        yield case, named, label, "True" if is_unrealistic else "False", campaign
