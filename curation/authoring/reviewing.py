"""Review what another person wrote: approve, reject with a reason, comment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import Action, AuditEvent, RoleName, User
from accounts.services import audit
from core.errors import BadInput, ChangedMeanwhile, NotAllowed
from core.permissions import require_author
from core.states import move
from core.text import _
from curation.authoring.case_changes import follow_wording
from curation.authoring.details import facts_of
from curation.authoring.models import VersionState
from curation.authoring.wording_checks import fingerprint
from curation.models import ReviewComment, TemplateVersion
from curation.notifications import tell_of_comment, tell_of_verdict
from curation.releases.following import follow_decision
from curation.states import VERSION_MOVES

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

LONGEST_COMMENT = 5_000


def has_written(user: User | AnonymousUser, version: TemplateVersion) -> bool:
    """Tell whether the person is the author of a version or saved a change to it."""
    if version.author_id is not None and version.author_id == user.pk:
        return True
    template = version.template
    saved = AuditEvent.objects.about("template", template.key).filter(actor_id=user.pk, action=Action.TEMPLATE_CHANGED)
    return any(
        facts.get("saved") and facts == {**facts, **facts_of(template, version=version.number)}
        for facts in saved.values_list("facts", flat=True)
    )


def require_reviewer(user: User, version: TemplateVersion) -> None:
    """Refuse people without the role in the language, and everyone who wrote part of the wording."""
    require_author(user, version.template.language.code)
    if has_written(user, version):
        raise NotAllowed(_("You wrote part of this version. Another person must review it."))


def require_seen(version: TemplateVersion, seen: str) -> None:
    """Refuse a decision about a wording other than the one the reviewer was shown (see `fingerprint`)."""
    if seen and seen != fingerprint(version):
        raise ChangedMeanwhile(_("Template %(template)s", template=version.template.key))


@transaction.atomic
def approve_version(version: TemplateVersion, *, by: User) -> TemplateVersion:
    """Approve a submitted wording; it replaces the approved one, and the cases that no longer follow are retired.

    Refuses its author, and a version that does not wait for review.
    """
    require_reviewer(by, version)
    template = version.template
    if version.state == VersionState.SUBMITTED:
        for old in TemplateVersion.objects.approved().filter(template=template):
            move(old, VersionState.SUPERSEDED, VERSION_MOVES)
    move(version, VersionState.APPROVED, VERSION_MOVES, reviewer=by, decided_at=timezone.now(), reason="")
    retired, revived = follow_wording(version)
    follow_decision(template.suite, by=by)
    facts = facts_of(
        template, version=version.number, retired=len(retired), revived=revived, retired_cases=retired[:200]
    )
    audit.record(by, Action.VERSION_APPROVED, template, **facts)
    tell_of_verdict(version, by=by)
    return version


@transaction.atomic
def reject_version(version: TemplateVersion, *, by: User, reason: str) -> TemplateVersion:
    """Reject a submitted wording. Refuses a rejection without a reason: the author has to know what to change."""
    require_reviewer(by, version)
    if not reason.strip():
        raise BadInput(_("Say why you reject the template, so that the author knows what to change."))
    move(
        version, VersionState.REJECTED, VERSION_MOVES, reviewer=by, decided_at=timezone.now(), reason=reason.strip()
    )  # fmt: skip
    facts = facts_of(version.template, version=version.number, reason=reason.strip()[:500])
    audit.record(by, Action.VERSION_REJECTED, version.template, **facts)
    tell_of_verdict(version, by=by)
    return version


@transaction.atomic
def comment_on(version: TemplateVersion, *, by: User, text: str) -> ReviewComment:
    """Add a comment to a version. Refuses people who may not author in the language, and an empty or too long text."""
    require_author(by, version.template.language.code)
    if not text.strip():
        raise BadInput(_("The comment is empty. Write a comment first."))
    if len(text) > LONGEST_COMMENT:
        raise BadInput(_("The comment is longer than %(most)s characters. Shorten it.", most=LONGEST_COMMENT))
    comment = ReviewComment.objects.create(version=version, author=by, text=text.strip())
    tell_of_comment(comment)
    return comment


def waiting_for(user: User) -> QuerySet[TemplateVersion]:
    """Return the versions that wait for review in the person's languages, oldest first, the person's own included."""
    versions = TemplateVersion.objects.filter(state=VersionState.SUBMITTED)
    if not user.is_maintainer:
        languages = user.languages_as(RoleName.EXPERT)
        if languages is not None:
            versions = versions.filter(template__language__code__in=languages)
    return (
        versions.select_related("template__suite", "template__language", "template__functionality", "author")
        .defer("template__suite__layouts", "template__language__features", "template__functionality__references")
        .prefetch_related("variants")
        .order_by("created_at", "id")
    )
