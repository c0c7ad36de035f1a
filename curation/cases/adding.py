"""Add one case to a suite: written by hand, accepted from a language model."""

from typing import Any, Unpack

from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_author
from core.text import _, catalogue_name, ngettext
from curation.cases.keys import KeyMaker
from curation.cases.models import Origin
from curation.fields import DetailTexts, without_blanks
from curation.formats.values import LONGEST_TEXT
from curation.models import Functionality, Language, Suite, TargetGroup, TestCase
from curation.morphology.identity import identity_hash, text_hash

KNOWN = _("The functionality already has a case with this text. Search for it in the list of cases.")


class SaidOfCase(DetailTexts, total=False):
    """What can be said of a case beside its text and its groups."""

    label: str
    refers_to: str
    contrast_set: str
    perturbation_set: str


@transaction.atomic
def add_case(
    suite: Suite,
    language: Language,
    functionality: Functionality,
    *,
    text: str,
    by: User | None,
    target: TargetGroup | None = None,
    origin: str = Origin.LLM,
    provenance: dict[str, Any] | None = None,
    keys: KeyMaker | None = None,
    **said: Unpack[SaidOfCase],
) -> TestCase:
    """Add a text to the suite, ready to be labelled. `by=None` is the system.

    A caller that adds many cases passes one `keys` for all of them, so that the suite's keys are read once.
    Refuses people without the role in the language, an empty text, one that is a case of the functionality already, a
    label that is not the suite's, and a reference to a case that does not exist.
    """
    if by is not None:
        require_author(by, language.code)
    # Two people may add a case at once: the row of the suite makes one wait, so that each gets a number of its own.
    Suite.objects.select_for_update().get(pk=suite.pk)
    facts = case_facts(suite, language, functionality, text=text, target=target, **said)
    last = TestCase.objects.of(suite).filter(language=language).aggregate(last=Max("position"))["last"]
    key = keys.next() if keys else ""
    if not key or TestCase.objects.of(suite).filter(key=key).exists():  # another person added cases since
        key = KeyMaker(suite, language).next()
    try:
        with transaction.atomic():
            case = TestCase.objects.create(
                suite=suite,
                language=language,
                functionality=functionality,
                key=key,
                origin=origin,
                provenance=provenance or {},
                position=0 if last is None else last + 1,
                author=by,
                **facts,
            )
    except IntegrityError as error:
        raise BadInput(KNOWN) from error
    audit.record(by, Action.CASE_CHANGED, case, suite=suite.key, written=True, origin=origin)
    return case


def case_facts(
    suite: Suite,
    language: Language,
    functionality: Functionality,
    *,
    text: str,
    target: TargetGroup | None,
    label: str = "",
    refers_to: str = "",
    own_key: str = "",
    **said: str,
) -> dict[str, Any]:
    """Return the checked fields of a case without a template. `own_key` is that of a case that is changed."""
    text, refers_to = text.strip(), refers_to.strip()
    if not text:
        raise BadInput(_("The text is empty. Write the case as people would post it."))
    if len(text) > LONGEST_TEXT:
        raise BadInput(
            ngettext(
                "The text has %(count)s character. Use at most %(most)s.",
                "The text has %(count)s characters. Use at most %(most)s.",
                len(text),
                most=LONGEST_TEXT,
            )
        )
    if target is not None and target.language_id != language.pk:
        raise BadInput(_("'%(group)s' is a target group of another language.", group=str(target)))
    if refers_to and refers_to == own_key:
        raise BadInput(_("A case cannot refer to itself."))
    if refers_to and not TestCase.objects.of(suite).filter(language=language, key=refers_to).exists():
        raise BadInput(
            _(
                "The case refers to '%(case)s', but there is no such case in %(language)s.",
                case=refers_to,
                language=catalogue_name(str(language)),
            )
        )
    name = target.name if target else ""
    return {
        "text": text,
        "gold_label": gold_label(suite, functionality, label.strip()),
        "target": target,
        "is_about_identity": target is not None,
        "refers_to": refers_to,
        "text_hash": text_hash(text),
        "identity_hash": identity_hash(
            language=language.code, functionality=functionality.key, template="", target=name, text=text
        ),
        **without_blanks(said),  # type: ignore[arg-type]
    }


def gold_label(suite: Suite, functionality: Functionality, given: str = "") -> str:
    """Return the gold label of a case: the one given, or that of its functionality.

    Refuses a label that is not the suite's, and no label for a mixed functionality.
    """
    label = given or functionality.gold_label
    if not label:
        raise BadInput(
            _(
                "'%(functionality)s' has cases with several labels. Choose a gold label: %(labels)s.",
                functionality=str(functionality),
                labels=list(suite.labels),
            )
        )
    if label not in suite.labels:
        raise BadInput(
            _(
                "'%(label)s' is not a label of '%(suite)s'. Use one of: %(labels)s.",
                label=label,
                suite=str(suite),
                labels=list(suite.labels),
            )
        )
    return label
