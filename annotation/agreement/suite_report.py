"""How much annotators agree on a suite: all labels of all its campaigns, overall and by any key."""

from collections.abc import Collection, Sequence
from typing import Any, Literal, get_args

from annotation.labels.labelled_cases import (
    WHY_NO_PEOPLE,
    LabelledCases,
    annotators_of_cases,
    campaigns_about,
    groups_of_cases,
    has_unidentified,
    read_labelled,
)
from annotation.measures.intervals import DRAWS
from annotation.measures.summary import summarise_agreement
from annotation.measures.votes import VoteTable, below_threshold, split_table
from annotation.models import Campaign
from core.text import _
from curation.models import Suite

By = Literal["functionality", "language", "group", "annotator"]
KEYS: tuple[By, ...] = get_args(By)
SEED = 1  # of the bootstrap: the same labels always give the same interval
FLEISS = _("Fleiss' kappa")
UNEQUAL = _("Fleiss' kappa generalised to unequal numbers of labels per case (Gwet 2014)")


def suite_agreement(
    suite: Suite, *, by: By | None = None, draws: int = DRAWS, without: Collection[Campaign] = ()
) -> dict[str, Any]:
    """Agreement on a suite as plain values: {suite, cases, raters, fleiss_kappa, ..., by}.

    An undefined measure is None and its reason stands beside it. `raters` is None while cases have different numbers of
    labels; then kappa is the generalised one and `fewest_labels`, `most_labels` say how far they differ. `by_reason`
    says why labels are missing in `by`. `without` are campaigns whose results the reader must not see.
    """
    return agreement_on(suite, [one for one in campaigns_about(suite) if one not in without], by=by, draws=draws)


def agreement_on(
    suite: Suite, campaigns: Sequence[Campaign], *, by: By | None = None, draws: int = DRAWS
) -> dict[str, Any]:
    """The same for some of its campaigns, oldest first."""
    labelled = read_labelled(campaigns, labels_of(suite, campaigns), least=suite.threshold)
    parts = {} if by is None else parts_by(by, campaigns, labelled)
    rules = {"threshold": suite.threshold, "raters": suite.raters, "draws": draws}
    return {
        "suite": suite.key,
        **summary_json(labelled.table, labelled, **rules),
        "threshold": suite.threshold,
        "campaigns": [campaign.key for campaign in campaigns],
        "seed": SEED,
        "by": {key: summary_json(part, labelled, **rules) for key, part in sorted(parts.items())},
        "by_reason": WHY_NO_PEOPLE if by == "annotator" and has_unidentified(campaigns) else "",
    }


def labels_of(suite: Suite, campaigns: Sequence[Campaign]) -> list[str]:
    """The suite's labels, and after them those that only an older campaign asked for."""
    return list(dict.fromkeys([*suite.labels, *(label for campaign in campaigns for label in campaign.labels)]))


def parts_by(by: By, campaigns: Sequence[Campaign], labelled: LabelledCases) -> dict[str, VoteTable[int]]:
    """One table per functionality, language, group, or annotator (of the cases they labelled)."""
    groups: dict[int, tuple[str, ...]]
    if by == "group":
        groups = groups_of_cases(labelled)
    elif by == "annotator":
        groups = annotators_of_cases(campaigns, labelled)
    else:
        groups = {case: (getattr(facts, by),) for case, facts in labelled.facts.items()}
    return split_table(labelled.table, groups)


def summary_json(
    table: VoteTable[int], labelled: LabelledCases, *, threshold: int, raters: int = 0, draws: int = DRAWS
) -> dict[str, Any]:
    """The measures of some of the cases, their name, and how far the numbers of labels differ.

    Below the threshold counts what the newest complete round says; None where the question knows no right label.
    `raters` is how many labels a case of the suite should have.
    """
    summary = summarise_agreement(table, template_of=labelled.templates, seed=SEED, draws=draws)
    below = None
    if all(labelled.facts[case].gold for case in table.cases):
        wanted = set(table.cases)
        standing = labelled.standing.only(case in wanted for case in labelled.standing.cases)
        below = len(below_threshold(standing, labelled.gold, at_least=threshold, wanted=raters))
    given = table.counts.sum(axis=1)
    return {
        **summary,
        "below_threshold": below,
        "measure": FLEISS if summary["raters"] is not None else UNEQUAL,
        "labels": int(given.sum()),
        "fewest_labels": int(given.min()) if len(given) else None,
        "most_labels": int(given.max()) if len(given) else None,
    }
