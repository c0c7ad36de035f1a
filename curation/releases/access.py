"""Who may download the cases of a release: everyone, people with a grant, or experts and maintainers."""

from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, ChangedMeanwhile, Missing, NotAllowed
from core.permissions import can_see_workshop, require_maintainer
from core.states import move_rows
from core.text import _
from curation.models import Release, ReleaseAccessRequest, ReleaseDownload
from curation.notifications import tell_of_access, tell_of_access_request
from curation.releases.models import Access, ReleaseState, RequestState
from curation.releases.options import AccessOptions
from curation.states import ACCESS_MOVES

Person = User | AnonymousUser


def can_read_cases(user: Person, release: Release) -> bool:
    """Tell whether a person may see texts and files: public ones, as an expert or maintainer, or once granted."""
    if can_see_workshop(user):
        return True
    if release.state != ReleaseState.PUBLISHED:
        return False
    if release.access == Access.PUBLIC:
        return True
    return release.access == Access.REQUEST and user.is_authenticated and granted(user, release)


def granted(user: User, release: Release) -> bool:
    return ReleaseAccessRequest.objects.filter(release=release, user=user, state=RequestState.GRANTED).exists()


def require_reading(user: Person, release: Release) -> None:
    """Refuse people who may not see the cases, and say how to get access; and a release that is not built."""
    if can_read_cases(user, release):
        require_built(release)
        return
    if release.access == Access.REQUEST:
        raise NotAllowed(
            _(
                "You need access to see the cases of %(release)s. Ask for it on the page of the release; "
                "the answer appears there.",
                release=release.key,
            )
        )
    raise NotAllowed(_("The cases of %(release)s are not public.", release=release.key))


def require_built(release: Release) -> None:
    """Refuse a release whose cases are not all copied yet."""
    if not release.is_built:
        raise Missing(_("%(release)s is not built yet, so it has no cases. Build it first.", release=release.key))


@transaction.atomic
def request_access(release: Release, asked: AccessOptions, *, by: User) -> ReleaseAccessRequest:
    """Ask for a release. Refuses one that is not given on request, and a second request while one stands."""
    if release.state != ReleaseState.PUBLISHED or release.access != Access.REQUEST:
        raise BadInput(_("%(release)s is not given on request.", release=release.key))
    try:
        with transaction.atomic():
            made = ReleaseAccessRequest.objects.create(
                release=release, user=by, reason=asked.reason.strip(), terms_accepted=release.terms
            )
            tell_of_access_request(made)
            return made
    except IntegrityError as error:
        raise BadInput(
            _(
                "You have asked for %(release)s already. The answer will appear on the page of the release.",
                release=release.key,
            )
        ) from error


@transaction.atomic
def decide_access(asked: ReleaseAccessRequest, *, grant: bool, answer: str, by: User) -> ReleaseAccessRequest:
    """Grant or refuse a request, or revoke what was granted. A refusal needs a reason, and stands."""
    require_maintainer(by)
    if not grant and not answer.strip():
        raise BadInput(_("Give a reason for refusing. The person will read it."))
    state = RequestState.GRANTED if grant else RequestState.REFUSED
    rows = ReleaseAccessRequest.objects.filter(pk=asked.pk)
    if not move_rows(rows, state, ACCESS_MOVES, answer=answer.strip(), decided_at=timezone.now(), decided_by=by):
        raise ChangedMeanwhile(asked)
    audit.record(by, Action.RELEASE_ACCESS_DECIDED, asked.release, person=asked.user_id, decision=state)
    asked.refresh_from_db()
    tell_of_access(asked, by=by)
    return asked


@transaction.atomic
def record_download(release: Release, *, file: str, by: Person) -> None:
    """Record that a file was downloaded."""
    person = by if isinstance(by, User) else None
    ReleaseDownload.objects.create(release=release, user=person, file=file)
    audit.record(person, Action.RELEASE_DOWNLOADED, release, file=file)
