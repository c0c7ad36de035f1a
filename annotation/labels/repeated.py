"""Newer exports of a study of which an older one was imported."""

from collections import defaultdict

from annotation.labels.files import GivenLabel, LabelFile
from annotation.labels.imported import PLATFORM, external_id
from annotation.models import Assignment, Campaign
from core.errors import BadInput
from core.text import ngettext
from curation.models import Suite

Told = tuple[str, str, str, object]  # case, person, label, and the time where the file says it


def refuse_half_known(suite: Suite, found: LabelFile, *, name: str) -> None:
    """Refuse a file of an annotation tool that holds labels of an earlier import and others: they would count twice.

    The same file again is not refused, and neither are new answers of the same people.
    """
    given = {_told(suite, label) for label in found.labels if label.is_identified}
    has_times = any(time is not None for *_case, time in given)
    for title, there in _imported(suite, {person for _case, person, *_label in given}, has_times=has_times).items():
        if (shared := len(given & there)) and given != there:
            raise BadInput(
                ngettext(
                    "Nothing was imported: %(count)s label of %(file)s came with an earlier import, “%(campaign)s”. "
                    "Take that import back on its page, then import this file.",
                    "Nothing was imported: %(count)s labels of %(file)s came with an earlier import, “%(campaign)s”. "
                    "Take that import back on its page, then import this file.",
                    shared,
                    file=name,
                    campaign=title,
                )
            )


def _told(suite: Suite, label: GivenLabel) -> Told:
    return label.case, external_id(suite, label.annotator, is_identified=True), label.label, label.time


def _imported(suite: Suite, people: set[str], *, has_times: bool) -> dict[str, set[Told]]:
    """Return the labels of these people that were imported before, by the title of their campaign."""
    rows = Assignment.objects.filter(
        campaign__suite=suite, annotator__platform=PLATFORM, annotator__external_id__in=people, label__isnull=False
    ).exclude(campaign__in=Campaign.objects.taken_back())
    told = rows.values_list("campaign__title", "item__case__key", "annotator__external_id", "label", "done_at")
    found: defaultdict[str, set[Told]] = defaultdict(set)
    for title, case, person, label, time in told.iterator(chunk_size=5000):
        found[title].add((case, person, label or "", time if has_times else None))
    return found
