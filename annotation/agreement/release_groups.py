"""Labels of groups of annotators on a release, for those who compare models with them."""

from collections.abc import Hashable

from accounts.models import User
from annotation.agreement.perspectives import annotator_groups, group_in_words, votes_of
from annotation.labels.labelled_cases import campaigns_about
from annotation.permissions import find_suite, hidden_from
from curation.models import Release, ReleaseCase, TestCase
from curation.publishing.demographics import SMALLEST_SHOWN
from curation.releases.group_labels import GroupLabel, GroupLabels


def labels_by_group(release: Release, *, by: str, viewer: User | None) -> GroupLabels:
    """Return the labels of annotators who agreed to link their answers, on cases whose text the release holds.

    Annotators become numbers. Campaigns whose results the viewer must not see are left out, and a viewer outside the
    workshop is refused.
    """
    if viewer is not None:
        find_suite(viewer, release.suite.key)
    hidden = set(hidden_from(viewer)) if viewer else set()
    campaigns = [one for one in campaigns_about(release.suite) if one not in hidden]
    groups, reason = annotator_groups(campaigns, by)
    if reason:
        return GroupLabels(reason=reason, smallest=SMALLEST_SHOWN)
    texts = dict(ReleaseCase.objects.filter(release=release).values_list("key", "text"))
    cases = TestCase.objects.of(release.suite).values_list("id", "key", "text")
    released = {pk: key for pk, key, text in cases if texts.get(key) == text}
    places: dict[Hashable, int] = {annotator: place for place, annotator in enumerate(groups)}
    votes, _templates = votes_of(campaigns, groups)
    return GroupLabels(
        smallest=SMALLEST_SHOWN,
        group_of=list(groups.values()),
        titles={group: group_in_words(by, group) for group in groups.values()},
        labels=[
            GroupLabel(released[vote.case], places[vote.annotator], vote.label)
            for vote in votes
            if vote.case in released
        ],
    )
