"""Writing the audit log."""

from functools import partial
from typing import Any

import structlog
from django.db import transaction
from django.db.models import Model

from accounts.models import Action, AuditEvent, User
from accounts.request_id import current_request_id

log = structlog.get_logger(__name__)


def record(by: User | None, action: Action, subject: Model | str, **facts: Any) -> AuditEvent:
    """Record that a person (or the system, by=None) did something to a subject. Call it inside the same transaction."""
    kind = subject if isinstance(subject, str) else subject._meta.model_name or ""
    key = "" if isinstance(subject, str) else str(getattr(subject, "key", subject.pk))
    # The log tells what happened: not what is rolled back, such as a trial.
    tell = partial(log.info, action.value, subject=f"{kind}:{key}", actor=by.pk if by else None, **facts)
    transaction.on_commit(tell)
    return AuditEvent.objects.create(
        actor=by,
        actor_name=by.pseudonym if by else "system",
        action=action,
        subject_kind=kind,
        subject_key=key[:200],
        facts=facts,
        request_id=current_request_id(),
    )
