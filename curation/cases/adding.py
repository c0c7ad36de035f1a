"""Cases that come from somewhere else in the workbench, such as messages a language model wrote."""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_author
from curation.cases.keys import KeyMaker
from curation.cases.models import CaseState, Origin
from curation.models import Functionality, Language, Suite, TargetGroup, TestCase
from curation.morphology.identity import identity_hash, text_hash


@transaction.atomic
def add_case(
    suite: Suite,
    language: Language,
    functionality: Functionality,
    *,
    text: str,
    target: TargetGroup | None,
    provenance: dict[str, Any],
    by: User | None,
    origin: str = Origin.LLM,
    keys: KeyMaker | None = None,
    is_about_identity: bool = False,
) -> TestCase:
    """Add an accepted text to the suite, ready to be labelled, with where it came from. `by=None` is the system.

    Whoever adds many passes one `keys` for all of them, so that the suite's keys are read once.
    Refuses people without the role in the language, an empty text, and one that is a case of the functionality already.
    """
    if by is not None:
        require_author(by, language.code)
    text = text.strip()
    if not text:
        raise BadInput("The text is empty.")
    # Two people may accept at once: the row of the suite lines them up, so that each gets a number of its own.
    Suite.objects.select_for_update().get(pk=suite.pk)
    last = TestCase.objects.of(suite).filter(language=language).aggregate(last=Max("position"))["last"]
    identity = identity_hash(
        language=language.code,
        functionality=functionality.key,
        template="",
        target=target.name if target else "",
        text=text,
    )
    if TestCase.objects.of(suite).filter(identity_hash=identity).exists():
        raise BadInput("This text is a case of the functionality already.")
    key = keys.next() if keys else KeyMaker(suite, language).next()
    if keys and TestCase.objects.of(suite).filter(key=key).exists():
        key = KeyMaker(suite, language).next()  # somebody else added cases since the keys were read
    try:
        with transaction.atomic():
            case = TestCase.objects.create(
                suite=suite,
                language=language,
                functionality=functionality,
                key=key,
                text=text,
                origin=origin,
                state=CaseState.READY,
                target=target,
                is_about_identity=is_about_identity,
                text_hash=text_hash(text),
                identity_hash=identity,
                provenance=provenance,
                position=0 if last is None else last + 1,
                author=by,
            )
    except IntegrityError as error:
        raise BadInput("This text is a case of the functionality already.") from error
    audit.record(by, Action.CASE_CHANGED, case, suite=suite.key, written=True, origin=origin)
    return case
