"""Cases somebody writes as they are, without placeholders."""

from typing import Any, Unpack

from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, WrongState
from core.permissions import require_author
from core.states import move
from curation.authoring.case_changes import realised_by
from curation.cases.keys import KeyMaker
from curation.cases.models import CaseState, Origin
from curation.catalogue.suites import require_known_label
from curation.fields import DetailTexts, without_blanks
from curation.models import Functionality, Language, Suite, TargetGroup, TestCase
from curation.morphology.identity import identity_hash, text_hash
from curation.releases.following import follow_decision
from curation.states import CASE_MOVES

LONGEST_TEXT = 10_000


@transaction.atomic
def write_case(
    suite: Suite,
    language: Language,
    functionality: Functionality,
    *,
    by: User,
    text: str,
    target: TargetGroup | None = None,
    refers_to: str = "",
    **details: Unpack[DetailTexts],
) -> TestCase:
    """Add a case written by hand; its author is kept.

    Refuses people without the role in the language, an empty text, a text the functionality has already, and a
    reference to no case.
    """
    require_author(by, language.code)
    if not suite.languages.filter(pk=language.pk).exists():
        raise BadInput(f"'{suite}' has no cases in {language}. Add the language to the suite first.")
    require_known_label(suite, functionality)
    facts = _facts(suite, language, functionality, text=text, target=target, refers_to=refers_to)
    last = TestCase.objects.of(suite).filter(language=language).aggregate(last=Max("position"))["last"]
    try:
        with transaction.atomic():
            case = TestCase.objects.create(
                suite=suite,
                language=language,
                functionality=functionality,
                key=KeyMaker(suite, language).next(),
                origin=Origin.HAND,
                target=target,
                position=0 if last is None else last + 1,
                author=by,
                **without_blanks(details),
                **facts,
            )
    except IntegrityError as error:
        raise BadInput("This text is a case of the functionality already. Look for it in the list of cases.") from error
    audit.record(by, Action.CASE_CHANGED, case, suite=suite.key, written=True)
    return case


@transaction.atomic
def edit_case(
    case: TestCase,
    *,
    by: User,
    text: str,
    target: TargetGroup | None,
    refers_to: str | None = None,
    **details: Unpack[DetailTexts],
) -> TestCase:
    """Change a case written by hand; details that are not given stay.

    Refuses cases of other origins, retired ones, and ones that have been labelled: the labels belong to the old text.
    """
    require_author(by, case.language.code)
    if case.origin != Origin.HAND:
        raise WrongState(f"Case {case}", now=case.get_origin_display(), wanted="changed by hand")
    if case.state == CaseState.RETIRED:
        raise WrongState(f"Case {case}", now=case.state, wanted="changed")
    if text.strip() != case.text and case.verdicts.exists():
        raise BadInput(f"Case {case} has been labelled with its present text. Retire it and write a new one.")
    refers_to = case.refers_to if refers_to is None else refers_to
    facts = _facts(
        case.suite, case.language, case.functionality, text=text, target=target, refers_to=refers_to, case=case
    )
    try:
        with transaction.atomic():
            TestCase.objects.filter(pk=case.pk).update(target=target, **facts, **without_blanks(details))
    except IntegrityError as error:
        raise BadInput("This text is a case of the functionality already. Look for it in the list of cases.") from error
    case.refresh_from_db()
    audit.record(by, Action.CASE_CHANGED, case, suite=case.suite.key, edited=True)
    return case


def is_retired_by_hand(case: TestCase) -> bool:
    """Whether a person may retire it: written by hand, or imported with a text that its template does not give.

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
    """Take a case out of use that no template gives; it stays readable.

    Refuses without a reason, or if others refer to it.
    """
    require_author(by, case.language.code)
    if not is_retired_by_hand(case):
        raise WrongState(f"Case {case}", now=case.get_origin_display(), wanted="retired by hand; change its template")
    if not reason.strip():
        raise BadInput("Say why it is retired; the reason is kept.")
    if other := TestCase.objects.of(case.suite).in_use().filter(refers_to=case.key).first():
        raise BadInput(f"Case {other} refers to {case}. Retire or change that one first.")
    move(case, CaseState.RETIRED, CASE_MOVES)
    follow_decision(case.suite, by=by)
    audit.record(by, Action.CASE_CHANGED, case, suite=case.suite.key, retired=True, reason=reason.strip()[:500])
    return case


def _facts(
    suite: Suite,
    language: Language,
    functionality: Functionality,
    *,
    text: str,
    target: TargetGroup | None,
    refers_to: str,
    case: TestCase | None = None,
) -> dict[str, Any]:
    text, refers_to = text.strip(), refers_to.strip()
    if not text:
        raise BadInput("The text is empty. Write the case as people would post it.")
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"The text has {len(text):,} characters. Use at most {LONGEST_TEXT:,}.")
    if target is not None and target.language_id != language.pk:
        raise BadInput(f"'{target}' is a target of another language.")
    if refers_to:
        if case is not None and refers_to == case.key:
            raise BadInput("A case cannot refer to itself.")
        if not TestCase.objects.of(suite).filter(language=language, key=refers_to).exists():
            raise BadInput(f"It refers to case '{refers_to}', but there is no such case in {language}.")
    identity = identity_hash(
        language=language.code,
        functionality=functionality.key,
        template="",
        target=target.name if target else "",
        text=text,
    )
    return {"text": text, "text_hash": text_hash(text), "identity_hash": identity, "refers_to": refers_to}
