"""Following indexes: adding, reading anew, removing, and what they offer."""

import contextlib
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.inference.errors import InferenceError
from core.jobs.services import request_job
from core.model_access import inference_settings
from core.models import Job
from core.permissions import require_maintainer
from core.text import _
from curation.followed.options import FollowOptions
from curation.indexes.places import candidates, is_remote, settle
from curation.indexes.resolving import Consulted, Offer, Registry, fetch_index
from curation.indexes.values import IndexEntry
from curation.models import FollowedIndex, Release
from curation.publishing.errors import PublishingError
from curation.publishing.signature import key_line

REFRESH = "curation.refresh_followed"


@dataclass(frozen=True, slots=True)
class OfferedRelease:
    """A release of a followed index. `here` is the same release in this instance, if the person may see it."""

    entry: IndexEntry
    source: FollowedIndex
    here: Release | None

    @property
    def published_on(self) -> date | None:
        """The day as a date; None where the index names none."""
        try:
            return date.fromisoformat(self.entry.published[:10])
        except ValueError:
            return None

    def matches(self, words: str) -> bool:
        """Tell whether the words occur in the name, the title or the publisher."""
        searched = f"{self.entry.reference} {self.entry.title} {self.source}".casefold()
        return words.casefold() in searched


@transaction.atomic
def follow(options: FollowOptions, *, by: User) -> FollowedIndex:
    """Follow an index; a job reads it. Refuses an address that outbound rules do not permit, and one known already."""
    require_maintainer(by)
    try:
        address = settle(options.address)
    except PublishingError as error:
        raise BadInput(error.sentence) from error
    if not is_remote(address):
        raise BadInput(_("Write a web address such as https://suites.example.org, or hf:OWNER/DATASET."))
    allowed = inference_settings().allow_url
    if not allowed(candidates(address)[0]):
        raise BadInput(
            _(
                "%(address)s is not on this installation's list of permitted addresses. An administrator can add its "
                "host to the setting ALLOWED_MODEL_HOSTS (docs/deploy.md).",
                address=address,
            )
        )
    followed, is_new = FollowedIndex.objects.get_or_create(
        address=address, defaults={"public_key": key_line(options.public_key), "added_by": by}
    )
    if not is_new:
        raise BadInput(_("%(address)s is followed already.", address=address))
    audit.record(by, Action.INDEX_FOLLOWED, followed, address=address)
    request_refresh(followed, by=by)
    return followed


@transaction.atomic
def drop(followed: FollowedIndex, *, by: User) -> None:
    """Follow an index no longer. Releases that were imported stay."""
    require_maintainer(by)
    audit.record(by, Action.INDEX_DROPPED, followed, address=followed.address)
    followed.delete()


def request_refresh(followed: FollowedIndex | None = None, *, by: User | None) -> Job:
    """Let a worker read one followed index, or all of them. An unfinished job for the same is returned instead."""
    if by is not None:
        require_maintainer(by)
    payload = {"followed": followed.pk if followed else None}
    waiting = Job.objects.unfinished().filter(kind=REFRESH, payload__followed=payload["followed"]).first()
    title = _("Read the index of %(address)s", address=followed.address) if followed else _("Read followed indexes")
    return waiting or request_job(REFRESH, payload, title=title, by=by)


def refresh(followed: FollowedIndex) -> bool:
    """Read an index now; says whether it could be. What was read before is kept where it cannot, with the reason."""
    at = timezone.now()
    rows = FollowedIndex.objects.filter(pk=followed.pk)
    try:
        known = fetch_index(
            followed.address,
            allow_url=inference_settings().allow_url,
            known_key=followed.public_key,
            before=followed.known,
        )
    except (PublishingError, InferenceError) as error:
        rows.update(error=error.sentence, tried_at=at)
        return False
    rows.update(
        name=known.read().name,
        place=known.place,
        content=known.content,
        public_key=known.public_key,
        fetched_at=datetime.fromisoformat(known.fetched_at),
        tried_at=at,
        error="",
    )
    return True


def offered_releases(user: User | AnonymousUser, *, words: str = "", suite: str = "") -> list[OfferedRelease]:
    """Return what all followed indexes name, by suite; an index that was never read names nothing.

    Words and the key of a suite narrow it.
    """
    consulted_by = _consulted()
    if not consulted_by:
        return []
    own = Release.objects.visible_to(user).published().select_related("suite").defer("facts", "prose")
    here = {(release.key, release.sha256): release for release in own}
    found = [
        OfferedRelease(entry, followed, here.get((entry.reference, entry.sha256)))
        for followed, consulted in consulted_by
        for entry in consulted.index.releases
    ]
    found = [one for one in found if one.matches(words) and suite in ("", one.entry.suite)]
    return sorted(found, key=lambda one: (one.entry.suite, one.entry.published, one.entry.version))


def count_releases(followed: FollowedIndex) -> int:
    """Return how many releases an index named when it was read last."""
    try:
        return len(followed.known.read().releases) if followed.known else 0
    except PublishingError:
        return 0


def _consulted() -> list[tuple[FollowedIndex, Consulted]]:
    found = []
    for followed in FollowedIndex.objects.exclude(content=""):
        known = followed.known
        assert known is not None
        with contextlib.suppress(PublishingError):  # what was changed in the database names nothing
            found.append((followed, Consulted(followed.address, known.place, known.read(), known.fetched_at)))
    return found


def find_offer(reference: str, *, source: str = "") -> tuple[Registry, Offer]:
    """Return the release of that name in the index at an address, or in those that are followed. Refuses others."""
    registry = Registry(Path(settings.VAR) / "registry", allow_url=inference_settings().allow_url)
    try:
        followed = {row.address: consulted for row, consulted in _consulted()}
        if source and (address := settle(source)) not in followed:
            consulted = [registry.consult(address)]
        else:
            consulted = [followed[settle(source)]] if source else list(followed.values())
        return registry, registry.find(reference, consulted)
    except (PublishingError, InferenceError) as error:
        raise BadInput(error.sentence) from error


def fetch_offer(registry: Registry, offer: Offer) -> Path:
    """Return the verified folder of a release, fetched once."""
    try:
        return registry.get(offer)
    except (PublishingError, InferenceError) as error:
        raise BadInput(error.sentence) from error
