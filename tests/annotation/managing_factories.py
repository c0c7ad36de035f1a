"""What tests about managing stand on: a small suite whose cases have labels of three people, some of them disputed."""

from collections.abc import Mapping, Sequence

from annotation.labels.files import GivenLabel, LabelFile
from annotation.labels.storing import store_labels
from annotation.models import Campaign
from curation.models import Suite, TestCase

PEOPLE = ("one", "two", "three")


def gold_votes(suite: Suite) -> dict[str, list[str]]:
    """Everybody gives every case its gold label."""
    cases = TestCase.objects.of(suite).in_order().values_list("key", "functionality__gold_label")
    return {key: [gold] * len(PEOPLE) for key, gold in cases}


def label_cases(suite: Suite, votes: Mapping[str, Sequence[str]], *, title: str = "Labels") -> Campaign:
    """A closed campaign with these labels and the verdicts they make."""
    found = LabelFile(
        "long", [GivenLabel(case, PEOPLE[n], label) for case, given in votes.items() for n, label in enumerate(given)]
    )
    cases = dict(TestCase.objects.of(suite).values_list("key", "id"))
    return store_labels(suite, found, case_ids=cases, by=None, title=title)[0]


def disputed_campaign(suite: Suite, *keys: str) -> Campaign:
    """Everybody agrees with gold, but on these cases two of three do not."""
    votes = gold_votes(suite)
    for key in keys:
        gold = votes[key][0]
        other = "non-hateful" if gold == "hateful" else "hateful"
        votes[key] = [other, gold, other]
    return label_cases(suite, votes)
