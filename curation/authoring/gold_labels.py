"""The gold label of a template: that of its functionality, or its own where the functionality is mixed."""

from core.errors import BadInput
from core.text import _, catalogue_name
from curation.models import Functionality, Suite, Template, TestCase


def own_label(suite: Suite, functionality: Functionality, given: str) -> str:
    """Return the label that a template stores: the one given for a mixed functionality, "" for any other.

    Refuses a label that is not the suite's, and another label than that of a functionality which has one.
    """
    given = given.strip()
    if given and given not in suite.labels:
        raise BadInput(
            _(
                "'%(label)s' is not a label of '%(suite)s'. Use one of: %(labels)s.",
                label=given,
                suite=suite.name,
                labels=suite.labels,
            ),
            field="label_gold",
        )
    if not functionality.gold_label:
        return given
    if given and given != functionality.gold_label:
        raise BadInput(
            _(
                "The templates of '%(functionality)s' have the gold label '%(label)s'. Leave the gold label empty, or "
                "choose a mixed functionality.",
                functionality=catalogue_name(functionality.title),
                label=functionality.gold_label,
            ),
            field="label_gold",
        )
    return ""


def require_no_other_cases(template: Template, label: str) -> None:
    """Refuse to give a template another gold label than its cases have, also the retired ones: they can come back."""
    there = TestCase.objects.filter(template=template).exclude(gold_label=label).order_by()
    others = sorted(there.values_list("gold_label", flat=True).distinct())
    if others:
        raise BadInput(
            _(
                "The gold label of %(template)s cannot change: it has cases with the gold label %(labels)s. "
                "Write a new template for the other label.",
                template=template.key,
                labels=others,
            ),
            field="label_gold",
        )


def typed_label(functionality_key: str, given: str) -> str | None:
    """Return the label that cases would get from what is chosen in a form; "" for none, None where nothing is known."""
    functionality = Functionality.objects.filter(key=functionality_key).first() if functionality_key else None
    return functionality.gold_label or given if functionality else None
