"""How groups of annotators label a suite: only the answers that annotators agreed to link to their labels are read."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import F

from annotation.agreement.suite_report import SEED, labels_of
from annotation.labels.labelled_cases import campaigns_about
from annotation.measures.perspectives import compare_groups
from annotation.measures.votes import Vote
from annotation.models import Assignment, Campaign, LinkedAnswers
from annotation.people.models import ANSWERS_ABOUT_PEOPLE
from core.statistics.membership import DRAWS
from core.text import _, ngettext
from curation.models import Suite
from curation.publishing.demographics import SMALLEST_SHOWN

OTHER = "other answers"
NO_ANSWERS = _("No annotator has agreed to link an answer to this question to their labels.")
ONE_GROUP = ngettext(
    "There are no two groups with at least %(count)s annotator each, so there is nothing to compare.",
    "There are no two groups with at least %(count)s annotators each, so there is nothing to compare.",
    SMALLEST_SHOWN,
)


def suite_perspectives(
    suite: Suite, *, by: str, without: Collection[Campaign] = (), draws: int = DRAWS
) -> dict[str, Any]:
    """Return agreement, majority and the share of the positive label by annotators' answers to one question.

    A group below the smallest number shown is merged with the others like it; where that is still too small, it is
    left out. `reason` says why nothing is compared. `without` are campaigns whose results the reader must not see.
    """
    campaigns = [one for one in campaigns_about(suite) if one not in without]
    groups, reason = annotator_groups(campaigns, by)
    votes, templates = votes_of(campaigns, groups)
    labels = labels_of(suite, campaigns)
    return {
        "suite": suite.key,
        "by": by,
        "label": suite.positive_label,
        "smallest_group": SMALLEST_SHOWN,
        "reason": reason,
        "groups": compare_groups(
            votes, groups, labels=labels, positive=suite.positive_label, template_of=templates, seed=SEED, draws=draws
        )
        if not reason
        else {},
    }


def annotator_groups(campaigns: Collection[Campaign], by: str) -> tuple[dict[int, str], str]:
    """Return the group of each annotator who agreed, small ones merged; and why nothing can be compared, else ""."""
    answer_of = _answers(campaigns, by)
    groups = merge_small(answer_of)
    enough = len(set(groups.values())) > 1
    return groups, "" if enough else ONE_GROUP if answer_of else NO_ANSWERS


def group_in_words(by: str, group: str) -> str:
    """Return the name of a group as people read it; what annotators wrote themselves stays as it is."""
    return _("Other answers") if group == OTHER else ANSWERS_ABOUT_PEOPLE.get(by, {}).get(group, group)


def merge_small(answer_of: Mapping[int, str], *, smallest: int = SMALLEST_SHOWN) -> dict[int, str]:
    """Return the group of each annotator. Small groups become one; it is left out where it is still too small."""
    sizes = Counter(answer_of.values())
    merged = {who: answer if sizes[answer] >= smallest else OTHER for who, answer in answer_of.items()}
    sizes = Counter(merged.values())
    return {who: group for who, group in merged.items() if sizes[group] >= smallest}


def _answers(campaigns: Collection[Campaign], question: str) -> dict[int, str]:
    """Return each annotator's linked answer; the newest where several campaigns asked."""
    rows = LinkedAnswers.objects.filter(participation__campaign__in=campaigns).order_by("agreed_at", "id")
    found = rows.values_list("participation__annotator", f"answers__{question}")
    return {who: str(answer).strip() for who, answer in found if answer}


def votes_of(
    campaigns: Collection[Campaign], groups: Mapping[int, str]
) -> tuple[list[Vote[int]], dict[int, int | None]]:
    """Return the labels of these annotators in campaigns where they agreed, and the template of each case."""
    rows = Assignment.objects.filter(
        campaign__in=campaigns, label__isnull=False, item__case__isnull=False, annotator__in=groups,
        annotator__participations__campaign=F("campaign"), annotator__participations__linked_answers__isnull=False,
    ).order_by("id")  # fmt: skip
    votes: list[Vote[int]] = []
    templates: dict[int, int | None] = {}
    for case, template, annotator, label in rows.values_list(
        "item__case", "item__case__template", "annotator", "label"
    ).iterator(chunk_size=5000):
        if case is not None and annotator is not None:
            votes.append(Vote(case, annotator, label or ""))
            templates[case] = template
    return votes, templates
