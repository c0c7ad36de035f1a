"""Whom curation tells what: reviews, comments, releases and access to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.urls import reverse

from accounts.models import RoleName, User
from core.notifications.models import Happening
from core.notifications.services import notify
from core.text import _, catalogue_name
from curation.releases.models import RequestState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from curation.models import Release, ReleaseAccessRequest, ReviewComment, TemplateVersion

MENTION = re.compile(r"@([\w.-]+)")


def tell_of_submission(version: TemplateVersion, *, by: User) -> None:
    """Tell the other experts of the language that a version waits; maintainers where there is no other expert."""
    template = version.template
    experts = User.objects.holding(RoleName.EXPERT, template.language.code).exclude(pk=by.pk)
    reviewers = list(experts) or list(User.objects.holding(RoleName.MAINTAINER))
    notify(
        Happening.REVIEW_WAITING,
        reviewers,
        key=f"version-{version.pk}",
        title=_("%(template)s is waiting for your review", template=template.key),
        text=_(
            "%(functionality)s, %(language)s, %(suite)s",
            functionality=catalogue_name(template.functionality.title),
            language=catalogue_name(template.language.name),
            suite=template.suite.name,
        ),
        url=reverse("curation:review", args=[template.suite.key, template.language.code, template.key]),
        by=by,
        facts=_facts(version),
    )


def tell_of_verdict(version: TemplateVersion, *, by: User) -> None:
    """Tell the author of a version whether it was approved or rejected, and why."""
    was_approved, key = not version.reason, version.template.key
    notify(
        Happening.TEMPLATE_APPROVED if was_approved else Happening.TEMPLATE_REJECTED,
        _present(version.author),
        key=f"version-{version.pk}",
        title=_("%(template)s was approved", template=key)
        if was_approved
        else _("%(template)s was rejected", template=key),
        text=version.reason,
        url=version.template.get_absolute_url(),
        by=by,
        facts=_facts(version),
    )


def tell_of_comment(comment: ReviewComment) -> None:
    """Tell the author, those who commented before, and people whose name is mentioned (@name)."""
    version, by = comment.version, comment.author
    before = User.objects.filter(pk__in=version.comments.exclude(pk=comment.pk).values("author"))
    named = {name.casefold() for name in MENTION.findall(comment.text)}
    language = version.template.language.code
    colleagues = (*User.objects.holding(RoleName.EXPERT, language), *User.objects.holding(RoleName.MAINTAINER))
    mentioned = [one for one in colleagues if named & {one.name.replace(" ", "").casefold(), one.email.casefold()}]
    notify(
        Happening.COMMENT,
        [*_present(version.author), *before, *mentioned],
        key=f"comment-{comment.pk}",
        title=_("%(person)s commented on %(template)s", person=str(by), template=version.template.key),
        text=comment.text,
        url=version.template.get_absolute_url(),
        by=by,
        facts=_facts(version),
    )


def tell_of_publication(release: Release, *, by: User | None) -> None:
    """Tell experts, maintainers and people with access to an earlier release of the suite."""
    granted = User.objects.filter(access_requests__release__suite=release.suite, access_requests__state="granted")
    workshop = [*User.objects.holding(RoleName.EXPERT), *User.objects.holding(RoleName.MAINTAINER)]
    notify(
        Happening.RELEASE_PUBLISHED,
        [*workshop, *granted],
        key=release.key,
        title=_("%(release)s was published", release=release.key),
        url=release.get_absolute_url(),
        by=by,
        facts={"release": release.key, "sha256": release.sha256},
    )


def tell_of_access_request(asked: ReleaseAccessRequest) -> None:
    """Tell the maintainers that a person asks for a release."""
    notify(
        Happening.ACCESS_ASKED,
        User.objects.holding(RoleName.MAINTAINER),
        key=f"request-{asked.pk}",
        title=_("%(person)s asks for access to %(release)s", person=str(asked.user), release=asked.release.key),
        text=asked.reason,
        url=reverse("curation:release-access", args=[asked.release.suite.key, asked.release.version]),
        by=asked.user,
        facts={"release": asked.release.key},
    )


def tell_of_access(asked: ReleaseAccessRequest, *, by: User) -> None:
    """Tell the person who asked whether access was granted."""
    notify(
        Happening.ACCESS_DECIDED,
        _present(asked.user),
        key=f"request-{asked.pk}-{asked.state}",
        title=(
            _("Your request for access to %(release)s was granted", release=asked.release.key)
            if asked.state == RequestState.GRANTED
            else _("Your request for access to %(release)s was refused", release=asked.release.key)
        ),
        text=asked.answer,
        url=asked.release.get_absolute_url(),
        by=by,
        facts={"release": asked.release.key, "state": asked.state},
    )


def _present(person: User | None) -> Iterable[User]:
    return [person] if person else []


def _facts(version: TemplateVersion) -> dict[str, object]:
    template = version.template
    names = {"suite": template.suite.key, "language": template.language.code, "template": template.key}
    return names | {"version": version.number}
