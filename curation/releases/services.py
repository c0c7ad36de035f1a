"""The life of a release: request, build, publish, withdraw, delete. Building and verifying are modules of their own."""

import re
from collections.abc import Sequence
from dataclasses import asdict

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, DomainError, NotAllowed
from core.jobs.services import cancel, request_job
from core.models import Job
from core.permissions import require_maintainer
from core.states import move
from core.text import _, keep
from curation.catalogue.suites import credit_suite
from curation.hubs.entries import drop_entries
from curation.models import (
    Release,
    ReleaseAccessRequest,
    ReleaseDownload,
    ReleaseIdentifier,
    ReleaseWithdrawal,
    Suite,
)
from curation.notifications import tell_of_publication
from curation.releases.building import drop_contents
from curation.releases.checklist import checklist
from curation.releases.errors import NotInThisState
from curation.releases.frozen import head_values
from curation.releases.models import Access, ReleaseState
from curation.releases.rules import freeze_settings, record_decision, release_warnings
from curation.releases.sealing import RECORD, SEAL, is_identity_moved, moved_annex, record_digests
from curation.releases.verifying import stored_checksum
from curation.states import RELEASE_MOVES

BUILD = "curation.build_release"
DESPITE = "published_despite"  # the fact that keeps open points and the reason to publish with them
NUMBER, WORD = "(?:0|[1-9][0-9]*)", "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
SEMANTIC_VERSION = re.compile(rf"{NUMBER}\.{NUMBER}(\.{NUMBER})?(-{WORD}(\.{WORD})*)?")
LONGEST_VERSION = 40
AROUND = re.compile(r"^(https?://(dx\.)?doi\.org/|doi:)\s*", re.IGNORECASE)
DOI = re.compile(r"10\.\d{4,9}/[^\s{}\\<>\"]+")
LONGEST_DOI = 200


class ReleaseMoved(DomainError):
    """What is stored is no longer what was built."""

    code, status = "release_moved", 409


@transaction.atomic
def request_release(
    suite: Suite,
    version: str,
    *,
    policy: str | None = None,
    min_agree: int | None = None,
    cascade: str | None = None,
    without_labels: str | None = None,
    licence: str = "",
    authors: Sequence[str] = (),
    access: str | None = None,
    terms: str | None = None,
    title: str = "",
    notes: str = "",
    by: User | None,
) -> Release:
    """Set down what shall be frozen, by the standing decision or the suite's rules where none are given.

    Other rules than those of the standing decision are recorded as a decision of this release alone. Licence and
    authors are kept with the suite, from where this and later releases take them over. Access and terms that are not
    given, and all documents, are those of the last release. Refuses a version that is taken or not semantic, and an
    impossible threshold.
    """
    if by is not None:
        require_maintainer(by)
    require_free_version(suite, version)
    chosen = freeze_settings(suite, policy=policy, min_agree=min_agree, cascade=cascade, without_labels=without_labels)
    if access is not None and access not in Access.values:
        raise BadInput(_("Unknown access '%(access)s'. Known: %(known)s.", access=access, known=Access.values))
    credit_suite(suite, licence=licence, authors=authors, by=by)
    decision = record_decision(suite, chosen, by=by, release=version)
    last = last_release(suite)
    release = Release.objects.create(
        suite=suite,
        version=version,
        title=title,
        notes=notes,
        access=access or (last.access if last else Access.PUBLIC),
        terms=last.terms if last and terms is None else terms or "",
        prose=last.prose if last else {},
        created_by=by,
        decision=decision,
        **asdict(chosen),
    )
    audit.record(by, Action.RELEASE_REQUESTED, release, **asdict(chosen))
    return release


def last_release(suite: Suite) -> Release | None:
    """Return the release of the suite that was set down last: the next one takes over its access and documents."""
    return Release.objects.filter(suite=suite).order_by("-created_at", "-id").first()


def require_free_version(suite: Suite, version: str) -> None:
    """Refuse a version that is not semantic, and one that is taken."""
    if not SEMANTIC_VERSION.fullmatch(version) or len(version) > LONGEST_VERSION:
        raise BadInput(
            _(
                "'%(version)s' is not a version. Write numbers with dots, for example 1.0.0 or 1.1.0-beta, with at "
                "most %(most)s characters.",
                version=version,
                most=LONGEST_VERSION,
            )
        )
    if taken := Release.objects.filter(suite=suite, version=version).first():
        if taken.state != ReleaseState.PUBLISHED:
            raise BadInput(
                _(
                    "%(release)s exists already (%(state)s). Publish or delete it on its page %(url)s, or choose "
                    "another version.",
                    release=taken.key,
                    state=taken.get_state_display(),
                    url=taken.get_absolute_url(),
                )
            )
        raise BadInput(
            _("%(release)s exists already. A release never changes: choose the next version.", release=taken.key)
        )


@transaction.atomic
def request_build(release: Release, *, by: User) -> Job:
    """Queue the building of a draft, or of a candidate again. Refuses a published one and one that is being built."""
    require_maintainer(by)
    if unfinished_build(release):
        raise NotInThisState(
            _("%(release)s is being built already. Wait until that is finished, or stop it.", release=release.key),
            release,
            wanted=ReleaseState.BUILDING,
        )
    if release.state == ReleaseState.CANDIDATE:
        move(release, ReleaseState.DRAFT, RELEASE_MOVES, facts={}, sha256="", built_at=None)
    elif release.state == ReleaseState.PUBLISHED:
        raise NotInThisState(
            _("%(release)s is published and no longer changes. Freeze a new version instead.", release=release.key),
            release,
            wanted=ReleaseState.BUILDING,
        )
    title = _("Build %(release)s", release=release.key)
    return request_job(BUILD, {"release": release.pk}, title=title, by=by, result_url=release.get_absolute_url())


def unfinished_build(release: Release) -> Job | None:
    """Return the job that builds a release or waits to."""
    return Job.objects.unfinished().filter(kind=BUILD, payload__release=release.pk).first()


def stop_build(release: Release, *, by: User) -> None:
    """Ask the build to stop: a draft is left. Refuses when nothing is being built."""
    require_maintainer(by)
    job = unfinished_build(release)
    if job is None:
        sentence = _("%(release)s is not being built, so there is nothing to stop.", release=release.key)
        raise NotInThisState(sentence, release, wanted="stopped")
    cancel(job, by=by)


@transaction.atomic
def delete_release(release: Release, *, by: User) -> None:
    """Delete a draft or candidate; its version is free again. Refuses a published one and one that is being built."""
    require_maintainer(by)
    if release.state == ReleaseState.PUBLISHED:
        sentence = _("%(release)s is published and cannot be deleted. Withdraw it instead.", release=release.key)
        raise NotInThisState(sentence, release, wanted="deleted")
    if unfinished_build(release):
        sentence = _("%(release)s is being built. Stop the build before you delete it.", release=release.key)
        raise NotInThisState(sentence, release, wanted="deleted")
    drop_contents(release)
    drop_entries(release, by=by)
    ReleaseAccessRequest.objects.filter(release=release).delete()
    ReleaseDownload.objects.filter(release=release).delete()
    audit.record(by, Action.RELEASE_DELETED, release, state=release.state)
    release.delete()


@transaction.atomic
def publish_release(release: Release, *, by: User | None, notes: str | None = None, reason: str = "") -> Release:
    """Make a candidate public and unchangeable.

    Refuses when anything moved since it was built, and, where the setting asks for it, the person who built it. While
    points of the checklist are open, a person has to say why; the reason is kept with the release. A command without a
    person may publish without one, and that is kept too.
    """
    if by is not None:
        require_maintainer(by)
    if settings.SECOND_MAINTAINER_PUBLISHES and (by is None or by.pk in _makers(release)):
        raise NotAllowed(_("Here another maintainer than the one who built a release publishes it. Ask one."))
    # Locked, as it stands now: what is sealed is what is stored, whatever another person was writing.
    release.refresh_from_db(from_queryset=Release.objects.select_for_update())
    if release.state == ReleaseState.CANDIDATE and stored_checksum(release) != release.sha256:
        raise ReleaseMoved(
            _("The cases of %(release)s changed after it was built. Build it again, then publish.", release=release.key)
        )
    if release.state == ReleaseState.CANDIDATE and (annex := moved_annex(release)):
        raise ReleaseMoved(
            _(
                "%(file)s of %(release)s changed after it was built. Build it again, then publish.",
                file=annex,
                release=release.key,
            )
        )
    if release.state == ReleaseState.CANDIDATE and is_identity_moved(release):
        raise ReleaseMoved(
            _(
                "Since %(release)s was built, other cases count as being about an identity. Build it again, then "
                "publish.",
                release=release.key,
            )
        )
    facts = {**release.facts, "head": head_values(release), "warnings": keep(release_warnings(release))}
    still_open = [point.name for point in checklist(release) if not point.is_done]
    if still_open and release.state == ReleaseState.CANDIDATE:
        if by is not None and not reason.strip():
            raise BadInput(
                _(
                    "The checklist of %(release)s has open points: %(points)s. Complete it, or give a reason for "
                    "publishing; the reason is kept and shown with the release.",
                    release=release.key,
                    points=still_open,
                ),
                field="reason",
            )
        facts[DESPITE] = {"open": still_open, "reason": reason.strip()}  # JSON keeps the English names
    new = {"published_at": timezone.now(), "notes": release.notes if notes is None else notes, "facts": facts}
    said = {name: getattr(release, name) for name in RECORD} | new
    facts[SEAL] = {**facts.get(SEAL, {}), "record": record_digests(said)}
    move(release, ReleaseState.PUBLISHED, RELEASE_MOVES, published_by=by, **new)
    audit.record(by, Action.RELEASE_PUBLISHED, release, sha256=release.sha256)
    tell_of_publication(release, by=by)
    return release


def _makers(release: Release) -> set[int | None]:
    """Who set the release down, and who had it built last."""
    last = Job.objects.filter(kind=BUILD, payload__release=release.pk).order_by("-id").first()
    return {release.created_by_id, last.requested_by_id if last else None}


@transaction.atomic
def withdraw_release(release: Release, *, reason: str, by: User) -> ReleaseWithdrawal:
    """Mark a published release as one that should no longer be used. It stays readable. Refuses an empty reason."""
    require_maintainer(by)
    if release.state != ReleaseState.PUBLISHED:
        sentence = _("%(release)s is not published. Only published releases can be withdrawn.", release=release.key)
        raise NotInThisState(sentence, release, wanted="withdrawn")
    if not reason.strip():
        raise BadInput(_("Give a reason for the withdrawal. People who cite the release will read it."))
    withdrawal, is_new = ReleaseWithdrawal.objects.get_or_create(
        release=release, defaults={"reason": reason.strip(), "withdrawn_by": by}
    )
    if not is_new:
        raise BadInput(_("%(release)s is withdrawn already: %(reason)s", release=release.key, reason=withdrawal.reason))
    audit.record(by, Action.RELEASE_WITHDRAWN, release, reason=reason)
    return withdrawal


@transaction.atomic
def record_doi(release: Release, doi: str, *, by: User | None) -> str:
    """Note the DOI of a published release beside it; the release itself does not change.

    A correction is recorded the same way, and the same DOI again changes nothing. Refuses what is no DOI.
    """
    if by is not None:
        require_maintainer(by)
    if release.state != ReleaseState.PUBLISHED:
        sentence = _("%(release)s is not published. Only published releases can have a DOI.", release=release.key)
        raise NotInThisState(sentence, release, wanted="given a DOI")
    plain = AROUND.sub("", doi.strip())
    if not DOI.fullmatch(plain) or len(plain) > LONGEST_DOI:
        raise BadInput(
            _("'%(doi)s' is not a DOI. Write for example 10.5281/zenodo.1234567.", doi=doi.strip()[:LONGEST_DOI])
        )
    if plain != release.doi:
        ReleaseIdentifier.objects.create(release=release, doi=plain, recorded_by=by)
        audit.record(by, Action.RELEASE_DOCUMENTED, release, doi=plain)
    return plain
