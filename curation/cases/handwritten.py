"""Cases that are written by hand, without placeholders."""

from typing import Unpack

from django.db import IntegrityError, transaction

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, DomainError, WrongState
from core.permissions import require_author
from core.states import move
from core.text import _, catalogue_name
from curation.authoring.case_changes import realised_by
from curation.cases.adding import KNOWN, SaidOfCase, add_case, case_facts
from curation.cases.models import CaseState, Origin
from curation.catalogue.suites import require_known_label
from curation.models import Functionality, Language, Suite, TargetGroup, TestCase
from curation.releases.following import follow_decision
from curation.states import CASE_MOVES


class NotByHand(WrongState):
    """The case was not written by hand."""

    def __init__(self, title: str, case: TestCase, *, wanted: str) -> None:
        DomainError.__init__(self, title, now=case.origin, wanted=wanted)


def write_case(
    suite: Suite,
    language: Language,
    functionality: Functionality,
    *,
    by: User,
    text: str,
    target: TargetGroup | None = None,
    **said: Unpack[SaidOfCase],
) -> TestCase:
    """Add a case written by hand; its author is kept.

    Refuses what `add_case` refuses, a language the suite does not have, and a functionality that does not fit it.
    """
    require_author(by, language.code)
    if not suite.languages.filter(pk=language.pk).exists():
        raise BadInput(
            _(
                "'%(suite)s' has no cases in %(language)s. Add the language to the suite first.",
                suite=str(suite),
                language=catalogue_name(str(language)),
            )
        )
    require_known_label(suite, functionality)
    return add_case(suite, language, functionality, by=by, text=text, target=target, origin=Origin.HAND, **said)


@transaction.atomic
def edit_case(
    case: TestCase, *, by: User, text: str, target: TargetGroup | None, **said: Unpack[SaidOfCase]
) -> TestCase:
    """Change a case written by hand; what is not given stays.

    Refuses cases of other origins, retired ones, and another text or gold label for one that has been labelled: its
    labels belong to what it was.
    """
    require_author(by, case.language.code)
    if case.origin != Origin.HAND:
        sentence = _("Case %(case)s was not written by hand, so it cannot be edited.", case=case.key)
        raise NotByHand(sentence, case, wanted="changed")
    if case.state == CaseState.RETIRED:
        raise WrongState(case, now=case.state, wanted=_("edited"))
    said = {"label": case.gold_label, "refers_to": case.refers_to, **said}
    place = case.suite, case.language, case.functionality
    facts = case_facts(*place, text=text, target=target, own_key=case.key, **said)
    if (facts["text"], facts["gold_label"]) != (case.text, case.gold_label) and case.verdicts.exists():
        raise BadInput(
            _(
                "Case %(case)s has labels, so its text and gold label cannot change. Retire it and write a new case.",
                case=case.key,
            )
        )
    try:
        with transaction.atomic():
            TestCase.objects.filter(pk=case.pk).update(**facts)
    except IntegrityError as error:
        raise BadInput(KNOWN) from error
    case.refresh_from_db()
    audit.record(by, Action.CASE_CHANGED, case, suite=case.suite.key, edited=True)
    return case


def is_retired_by_hand(case: TestCase) -> bool:
    """Tell whether a person may retire a case: written by hand, or imported with a text its template does not give.

    Other cases go when their template or its words change.
    """
    if case.origin == Origin.HAND:
        return True
    if case.origin != Origin.IMPORT:
        return False
    version = case.template.versions.approved().first() if case.template else None
    return version is None or case.identity_hash not in realised_by(version)


@transaction.atomic
def retire_case(case: TestCase, *, by: User, reason: str) -> TestCase:
    """Retire a case that no template gives; it stays readable.

    Refuses without a reason, or if others refer to it.
    """
    require_author(by, case.language.code)
    if not is_retired_by_hand(case):
        sentence = _(
            "Case %(case)s comes from a template, so it cannot be retired by hand. Change the template instead.",
            case=case.key,
        )
        raise NotByHand(sentence, case, wanted="retired")
    if not reason.strip():
        raise BadInput(_("Give a reason for retiring the case. The reason is kept."))
    if other := TestCase.objects.of(case.suite).in_use().filter(refers_to=case.key).first():
        raise BadInput(
            _(
                "Case %(other)s refers to %(case)s. Retire or change %(other)s first.",
                other=other.key,
                case=case.key,
            )
        )
    move(case, CaseState.RETIRED, CASE_MOVES)
    follow_decision(case.suite, by=by)
    audit.record(by, Action.CASE_CHANGED, case, suite=case.suite.key, retired=True, reason=reason.strip()[:500])
    return case
