"""Training, test and check items of a draft: own texts, examples of the catalogue, or cases drawn from the suite.

Every one of them is in the campaign's language. A campaign over all languages of its suite may have any of these.
"""

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeVar

from django.db import transaction
from django.db.models import Case, Max, QuerySet, Value, When

from accounts.models import Action, User
from accounts.services import audit
from annotation.campaigns.choosing import matching_cases
from annotation.campaigns.models import Role, Source
from annotation.campaigns.options import ANOTHER_CAMPAIGN, ItemOptions, ItemsOptions
from annotation.campaigns.services import require_draft, selection_of
from annotation.models import Campaign, CampaignItem
from annotation.permissions import require_manager
from annotation.questions import question_of
from core.errors import BadInput, Missing
from core.text import _, catalogue_name, ngettext
from curation.models import Functionality, Language, TestCase

KNOWN_ANSWER = (Role.TRAINING, Role.TEST, Role.CHECK)
Drawn = TypeVar("Drawn")


class KnownAnswer(NamedTuple):
    """A text with the answer it should get, and why. `language` is a code; empty means the campaign's."""

    text: str
    expected: str
    explanation: str = ""
    language: str = ""


def languages_of(campaign: Campaign) -> list[Language]:
    """The languages people read in a campaign: its own, or all of its suite."""
    return [campaign.language] if campaign.language else list(campaign.suite.languages.all())


def known_items(campaign: Campaign) -> QuerySet[CampaignItem]:
    """The texts with a known answer: training, then the test, then checks."""
    place = Case(*(When(role=role, then=Value(number)) for number, role in enumerate(KNOWN_ANSWER)))
    items = campaign.items.exclude(role=Role.LABEL).select_related("language", "case__language")
    return items.order_by(place, "position", "id")


@transaction.atomic
def add_own_items(campaign: Campaign, role: Role, answers: Iterable[KnownAnswer], *, by: User) -> int:
    """Add texts of one's own.

    Refuses an expected answer that is no answer of the campaign, and a text in another language than the campaign's,
    with the number of the line.
    """
    _require_draft(campaign, by)
    _require_known_answer(role)
    _require_own_texts(campaign)
    possible, languages = question_of(campaign).known_answers(), languages_of(campaign)
    items = []
    for number, (text, expected, explanation, code) in enumerate(answers, 1):
        if not text.strip():
            raise BadInput(
                _("Line %(line)s has no text. Write text | expected answer | explanation.", line=number), line=number
            )
        if expected not in possible:
            raise BadInput(
                _(
                    "Line %(line)s expects '%(answer)s', which is not an answer of this campaign. Use one of: "
                    "%(answers)s.",
                    line=number,
                    answer=expected,
                    answers=possible,
                ),
                line=number,
            )
        language = _stated_language(code, languages, line=number)
        items.append(
            CampaignItem(
                text=text.strip(), language=language, source=Source.OWN, expected=expected,
                explanation=explanation.strip(),
            )
        )  # fmt: skip
    return _add(campaign, role, items, by=by)


def _stated_language(code: str, languages: Sequence[Language], *, line: int) -> Language:
    if not code and len(languages) == 1:
        return languages[0]
    found = next((language for language in languages if language.code == code), None)
    if found is None:
        known = [f"{language.code} ({catalogue_name(language.name)})" for language in languages]
        raise BadInput(
            _(
                "Line %(line)s is in '%(code)s'. This campaign takes texts in: %(languages)s.",
                line=line,
                code=code,
                languages=known,
            )
            if code
            else _(
                "Line %(line)s does not say its language. This campaign takes texts in: %(languages)s.",
                line=line,
                languages=known,
            ),
            line=line,
        )
    return found


def available_examples(campaign: Campaign) -> QuerySet[Functionality]:
    """Functionalities whose example is in a language of the campaign and has a label of its suite."""
    return Functionality.objects.exclude(example="").filter(
        gold_label__in=campaign.suite.labels, example_language__in=languages_of(campaign)
    )


@transaction.atomic
def add_examples(campaign: Campaign, role: Role, number: int, *, by: User) -> int:
    """Take examples of the catalogue, each explained by its functionality's definition.

    Refuses where the catalogue has none in the campaign's language, or none that is not in the campaign already.
    """
    _require_draft(campaign, by)
    _require_known_answer(role)
    _require_own_texts(campaign)
    _require_gold_answers(campaign)
    known = list(available_examples(campaign).select_related("example_language"))
    used = set(campaign.items.exclude(text="").values_list("text", flat=True))
    fresh = [functionality for functionality in known if functionality.example not in used]
    if not fresh:
        names = [catalogue_name(language.name) for language in languages_of(campaign)]
        raise BadInput(
            ngettext(
                "The only example of the catalogue in %(languages)s is already in this campaign. Write your own texts, "
                "or draw cases from the suite.",
                "All %(count)s examples of the catalogue in %(languages)s are already in this campaign. Write your own "
                "texts, or draw cases from the suite.",
                len(known),
                languages=names,
            )
            if known
            else _(
                "The catalogue has no example in %(languages)s with a label of this suite. Write your own texts, or "
                "draw cases from the suite.",
                languages=names,
            )
        )
    expected = question_of(campaign).expected
    items = [
        CampaignItem(
            text=one.example, language=one.example_language, source=Source.EXAMPLES,
            expected=expected(one.gold_label), explanation=one.definition,
        )
        for one in _balanced([(one, one.gold_label) for one in fresh], number, seed=f"{campaign.seed}:{role}")
    ]  # fmt: skip
    return _add(campaign, role, items, by=by)


@transaction.atomic
def draw_items(campaign: Campaign, role: Role, number: int, *, by: User) -> int:
    """Draw chosen cases whose gold label is the expected answer. They are then not labelled in this campaign.

    Refuses where no chosen case is left.
    """
    _require_draft(campaign, by)
    _require_known_answer(role)
    _require_gold_answers(campaign)
    used = campaign.items.exclude(case=None).values_list("case_id", flat=True)
    pool = list(
        matching_cases(campaign.suite, campaign.language, selection_of(campaign))
        .exclude(pk__in=used)
        .values_list("id", "gold_label")
    )
    if not pool:
        raise BadInput(
            _("No selected case is left to draw. Widen the filters, generate cases, or write your own texts.")
        )
    expected = question_of(campaign).expected
    chosen = _balanced(pool, number, seed=f"{campaign.seed}:{role}")
    drawn = TestCase.objects.select_related("functionality").in_bulk(chosen)
    items = [
        CampaignItem(
            case=drawn[pk], source=Source.CASES, expected=expected(drawn[pk].gold_label),
            explanation=drawn[pk].functionality.definition,
        )
        for pk in chosen
    ]  # fmt: skip
    return _add(campaign, role, items, by=by)


def _balanced(pool: Iterable[tuple[Drawn, str]], number: int, *, seed: str) -> list[Drawn]:
    """Draw texts, one of each gold label in turn, so that no answer is right more often than it has to be."""
    generator = random.Random(seed)
    piles: defaultdict[str, list[Drawn]] = defaultdict(list)
    for one, gold in pool:
        piles[gold].append(one)
    for pile in piles.values():
        generator.shuffle(pile)
    in_turn = zip_longest(*(piles[gold] for gold in sorted(piles)))
    return [one for turn in in_turn for one in turn if one is not None][:number]


@transaction.atomic
def copy_items(campaign: Campaign, other: Campaign, roles: Collection[str] = KNOWN_ANSWER, *, by: User) -> int:
    """Copy texts with a known answer from another campaign of the suite and return how many are new.

    What is here already, is in another language or does not fit the question is left out.
    """
    _require_draft(campaign, by)
    languages = languages_of(campaign)
    here = set(known_items(campaign).values_list("role", "text", "case"))
    copied = 0
    for role in KNOWN_ANSWER:
        items = [
            CampaignItem(
                text=one.text, case=one.case, language=one.language, source=one.source, expected=one.expected,
                explanation=one.explanation,
            )
            for one in known_items(other).filter(role=role, role__in=roles)
            if (one.role, one.text, one.case_id) not in here
            and (one.case is None or one.case.suite_id == campaign.suite_id)
            and one.shown_language in languages
            and can_be_answered(campaign, one)
        ]  # fmt: skip
        copied += _add(campaign, role, items, by=by) if items else 0
    return copied


@transaction.atomic
def change_item(campaign: Campaign, number: int, options: ItemOptions, *, by: User) -> CampaignItem:
    """Change a text with a known answer in a draft. The text of a case stays: change the explanation instead.

    Refuses an expected answer that is none of the campaign.
    """
    _require_draft(campaign, by)
    item = _find_item(campaign, number)
    possible = question_of(campaign).known_answers()
    if options.expected not in possible:
        raise BadInput(
            _(
                "'%(answer)s' is not an answer of this campaign. Use one of: %(answers)s.",
                answer=options.expected,
                answers=possible,
            ),
            field="expected",
        )
    if item.case_id is None:
        item.text = options.text.strip() or item.text
    item.expected, item.explanation = options.expected, options.explanation.strip()
    item.save(update_fields=["text", "expected", "explanation"])
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, role=item.role, changed=1, source=item.source)
    return item


def add_items(campaign: Campaign, options: ItemsOptions, *, by: User) -> int:
    """Add own texts, a number of the catalogue's examples or of the chosen cases, or the texts of another campaign."""
    role = Role(options.role)
    if options.source == ANOTHER_CAMPAIGN:
        other = Campaign.objects.filter(suite=campaign.suite, key=options.campaign).exclude(pk=campaign.pk).first()
        if other is None:
            raise BadInput(_("Choose another campaign of the same suite."), field="campaign")
        return copy_items(campaign, other, [role], by=by)
    if options.source == Source.OWN:
        own = [KnownAnswer(**{"language": options.language} | item) for item in options.items]
        return add_own_items(campaign, role, own, by=by)
    return (add_examples if options.source == Source.EXAMPLES else draw_items)(campaign, role, options.number, by=by)


def _add(campaign: Campaign, role: Role, items: Sequence[CampaignItem], *, by: User) -> int:
    """Append the items to those of their role."""
    last = campaign.items.filter(role=role).aggregate(last=Max("position"))["last"] or 0
    for position, item in enumerate(items, last + 1):
        item.campaign, item.role, item.position = campaign, role, position
    CampaignItem.objects.bulk_create(items)
    sources = sorted({str(item.source) for item in items})
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, role=role, added=len(items), sources=sources)
    return len(items)


@transaction.atomic
def remove_item(campaign: Campaign, number: int, *, by: User) -> None:
    """Remove one text with a known answer from a draft. Refuses a number that is none of them."""
    _require_draft(campaign, by)
    item = _find_item(campaign, number)
    item.delete()
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, role=item.role, removed=1, source=item.source)


def _find_item(campaign: Campaign, number: int) -> CampaignItem:
    item = known_items(campaign).filter(pk=number).first()
    if item is None:
        raise Missing(_("This text was not found in the campaign. It may have been removed already."))
    return item


@transaction.atomic
def remove_items(campaign: Campaign, role: Role, *, by: User) -> int:
    """Remove all items of a role from a draft."""
    _require_draft(campaign, by)
    _require_known_answer(role)
    removed, _by_model = campaign.items.filter(role=role).delete()
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, role=role, removed=removed)
    return removed


def can_be_answered(campaign: Campaign, item: CampaignItem) -> bool:
    """Whether the expected answer can be given, and what is asked can be seen. A draft's question may have changed."""
    question = question_of(campaign)
    return item.expected in question.known_answers() and not (question.needs_case and item.case_id is None)


def in_another_language(campaign: Campaign) -> list[CampaignItem]:
    """Texts with a known answer that are not in a language of the campaign; a draft's language may have changed."""
    languages = languages_of(campaign)
    return [item for item in known_items(campaign) if item.shown_language not in languages]


def language_problems(campaign: Campaign) -> list[str]:
    """Why the languages of the texts with a known answer stand in the way of opening; empty where they do not."""
    wrong = len(in_another_language(campaign))
    if not wrong:
        return []
    return [
        ngettext(
            "%(count)s text for training, test or checks is not in %(languages)s. Remove it, and add another if "
            "needed.",
            "%(count)s texts for training, test or checks are not in %(languages)s. Remove them, and add others if "
            "needed.",
            wrong,
            languages=[catalogue_name(language.name) for language in languages_of(campaign)],
        )
    ]


def _require_own_texts(campaign: Campaign) -> None:
    if question_of(campaign).needs_case:
        raise BadInput(
            _("This question is about the functionality of a case, which own texts do not have. Draw cases instead.")
        )


def _require_gold_answers(campaign: Campaign) -> None:
    question = question_of(campaign)
    if not {question.expected(gold) for gold in campaign.suite.labels} <= set(question.known_answers()):
        raise BadInput(
            _("The gold labels of the suite are not answers to this question. Write your own texts instead.")
        )


def _require_draft(campaign: Campaign, by: User) -> None:
    require_manager(by)
    require_draft(campaign)


def _require_known_answer(role: Role) -> None:
    if role not in KNOWN_ANSWER:
        raise BadInput(_("Only texts for training, test and checks have a known answer."))
