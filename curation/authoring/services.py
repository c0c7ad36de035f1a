"""Writing templates: create, save a draft, submit, withdraw, delete. Approved wordings are never touched."""

from collections.abc import Sequence
from typing import Any, Unpack

from django.db import transaction
from django.db.models import Max

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, ChangedMeanwhile
from core.permissions import require_author
from core.states import move
from core.text import _, catalogue_name, ngettext
from curation.authoring.details import check_details, check_key, edit_details, facts_of, next_key
from curation.authoring.errors import NotPossibleNow
from curation.authoring.gold_labels import own_label
from curation.authoring.models import VersionState
from curation.authoring.preview import preview
from curation.authoring.wording_checks import clean_defaults, clean_variants, fingerprint, texts_of
from curation.catalogue.suites import require_known_label
from curation.fields import DetailTexts, without_blanks
from curation.models import (
    Functionality,
    Language,
    Suite,
    TargetGroup,
    Template,
    TemplateVariant,
    TemplateVersion,
    TestCase,
)
from curation.morphology.expand import VariantLike
from curation.morphology.linting import Finding
from curation.notifications import tell_of_submission
from curation.releases.following import follow_decision
from curation.states import VERSION_MOVES

MOST_CASES = 10_000


@transaction.atomic
def create_template(
    suite: Suite,
    language: Language,
    functionality: Functionality,
    *,
    by: User,
    key: str = "",
    variants: Sequence[VariantLike] = (),
    defaults: str = "",
    label_gold: str = "",
    refers_to: str = "",
    relation: str = "",
    target: TargetGroup | None = None,
    adapted_from: Template | None = None,
    **details: Unpack[DetailTexts],
) -> Template:
    """Add a template, with a first draft where texts are given. Without a key it gets the next free one.

    Refuses people without the role in the language, a language or gold label the suite has not, a key in use, a
    reference to nothing.
    """
    require_author(by, language.code)
    if not suite.languages.filter(pk=language.pk).exists():
        problem = _(
            "%(language)s is not a language of '%(suite)s'. Add the language to the suite first.",
            suite=suite.name,
            language=catalogue_name(language.name),
        )
        raise BadInput(problem)
    require_known_label(suite, functionality)
    key = check_key(suite, language, key.strip()) if key.strip() else next_key(suite, language)
    refers_to, relation = check_details(suite, language, key, refers_to=refers_to, relation=relation, target=target)
    last = Template.objects.of(suite).filter(language=language).aggregate(last=Max("position"))["last"]
    template = Template.objects.create(
        suite=suite,
        language=language,
        functionality=functionality,
        key=key,
        refers_to=refers_to,
        relation=relation,
        adapted_from=adapted_from,
        gold_label=own_label(suite, functionality, label_gold),
        source_text=_source_text(adapted_from),
        **without_blanks(details),
        target=target,
        position=0 if last is None else last + 1,
    )
    audit.record(by, Action.TEMPLATE_CHANGED, template, **facts_of(template, created=True))
    if any(variant.text.strip() for variant in variants):
        save_draft(template, variants, by=by, defaults=defaults)
    return template


def _source_text(source: Template | None) -> str:
    version = source.versions.order_by("-number").first() if source else None
    first = version.variants.first() if version else None
    return first.text if first else ""


def latest_version(template: Template) -> TemplateVersion | None:
    """Return the newest wording, whatever its state."""
    return (
        template.versions.prefetch_related("variants").select_related("author", "reviewer").order_by("-number").first()
    )


def require_newest(template: Template) -> TemplateVersion:
    """Return the newest wording; refuses a template without one."""
    version = latest_version(template)
    if version is None:
        sentence = _("Template %(template)s has no text yet. Write and save a draft first.", template=template.key)
        raise NotPossibleNow(sentence, now="without text", wanted="submitted or decided")
    version.template = template
    return version


@transaction.atomic
def save_draft(
    template: Template, variants: Sequence[VariantLike], *, by: User, defaults: str = "", based_on: str = ""
) -> TemplateVersion:
    """Keep the texts as a draft: the open one, or a new version where the latest is decided.

    Refuses a version that waits for review (withdraw it first), and, where `based_on` names the wording the author saw
    (see `fingerprint`), one that another person changed meanwhile. Saving what is there already changes nothing.
    """
    require_author(by, template.language.code)
    texts, defaults = clean_variants(variants), clean_defaults(defaults)
    Template.objects.select_for_update().get(pk=template.pk)  # two people saving at once come one after the other
    latest = latest_version(template)
    if based_on and based_on != fingerprint(latest):
        raise ChangedMeanwhile(_("Template %(template)s", template=template.key))
    if latest is not None and latest.state == VersionState.SUBMITTED:
        sentence = _("This template is awaiting review and is locked. Withdraw it to keep editing.")
        raise NotPossibleNow(sentence, now=latest.state, wanted="changed")
    if latest is not None and texts_of(latest) == texts and latest.defaults == defaults:
        return latest
    if latest is None or latest.state != VersionState.DRAFT:
        number = latest.number + 1 if latest else 1
        version = TemplateVersion.objects.create(template=template, number=number, defaults=defaults, author=by)
    else:
        version = latest
        version.variants.all().delete()
        TemplateVersion.objects.filter(pk=version.pk).update(defaults=defaults, author=version.author or by)
    TemplateVariant.objects.bulk_create(
        TemplateVariant(version=version, features=text.features, text=text.text, position=place)
        for place, text in enumerate(texts)
    )
    audit.record(by, Action.TEMPLATE_CHANGED, template, **facts_of(template, version=version.number, saved=True))
    return TemplateVersion.objects.select_related("template__suite", "template__language").get(pk=version.pk)


@transaction.atomic
def change_template(
    template: Template,
    *,
    by: User,
    variants: Sequence[VariantLike] | None = None,
    defaults: str = "",
    based_on: str = "",
    **details: Any,
) -> Template:
    """Change facts (see `edit_details`) and save texts as a draft, both or neither. Without texts only the facts."""
    edit_details(template, by=by, **details)
    follow_decision(template.suite, by=by)
    if variants is not None:
        save_draft(template, variants, by=by, defaults=defaults, based_on=based_on)
    return template


@transaction.atomic
def submit_version(version: TemplateVersion, *, by: User) -> TemplateVersion:
    """Hand a draft in for review.

    Refuses texts that cannot be read, that give no case, or more cases than anybody reviews.
    """
    template = version.template
    require_author(by, template.language.code)
    seen = preview(template.suite, template.language, texts_of(version), defaults=version.defaults, template=template)
    if seen.stops:
        problems = [
            {"row": finding.variant + 1, "column": finding.position, "problem": finding.message, "fix": finding.fix}
            for finding in seen.stops
        ]
        raise BadInput(_cannot_be_submitted(template, seen.stops[0]), problems=problems)
    if not seen.total:
        problem = _(
            "%(template)s produces no cases: no word in the lexicon has the requested forms. "
            "Add the missing forms, then submit.",
            template=template.key,
        )
        raise BadInput(problem)
    if seen.total > MOST_CASES:
        problem = _(
            "%(template)s would produce up to %(cases)s; at most %(most)s are allowed. "
            "Use fewer placeholders, or give two of them the same label.",
            template=template.key,
            cases=ngettext("%(count)s case", "%(count)s cases", seen.total),
            most=MOST_CASES,
        )
        raise BadInput(problem)
    move(version, VersionState.SUBMITTED, VERSION_MOVES)
    audit.record(by, Action.VERSION_SUBMITTED, template, **facts_of(template, version=version.number))
    tell_of_submission(version, by=by)
    return version


def _cannot_be_submitted(template: Template, finding: Finding) -> str:
    if finding.fix:
        return _(
            "%(template)s cannot be submitted: %(problem)s; %(fix)s.",
            template=template.key,
            problem=finding.message,
            fix=finding.fix,
        )
    return _("%(template)s cannot be submitted: %(problem)s.", template=template.key, problem=finding.message)


@transaction.atomic
def withdraw_version(version: TemplateVersion, *, by: User) -> TemplateVersion:
    """Withdraw a submitted version, so that it can be edited. Everyone who may author in the language may."""
    require_author(by, version.template.language.code)
    move(version, VersionState.DRAFT, VERSION_MOVES)
    facts = facts_of(version.template, version=version.number, withdrawn=True)
    audit.record(by, Action.TEMPLATE_CHANGED, version.template, **facts)
    return version


@transaction.atomic
def delete_template(template: Template, *, by: User) -> None:
    """Remove a template that was never approved. Refuses one with cases, or that other templates refer to."""
    require_author(by, template.language.code)
    decided = template.versions.filter(state__in=[VersionState.APPROVED, VersionState.SUPERSEDED])
    if decided.exists() or TestCase.objects.filter(template=template).exists():
        sentence = _(
            "Template %(template)s cannot be deleted: it was approved before, or it has cases. "
            "Write a new version instead.",
            template=template.key,
        )
        raise NotPossibleNow(sentence, now="approved before", wanted="deleted")
    varied = Template.objects.of(template.suite).filter(language=template.language, refers_to=template.key)
    if other := varied.first():
        problem = _(
            "Template %(other)s is a variation of %(template)s. Change or delete %(other)s first.",
            other=other.key,
            template=template.key,
        )
        raise BadInput(problem)
    audit.record(by, Action.TEMPLATE_CHANGED, template, **facts_of(template, deleted=True))
    template.delete()
