"""What the database refuses in the floor's tables."""

from accounts.models import AuditEvent
from core.guards import ALWAYS, DELETE, INSERT, UPDATE, Guard, parent_is, register
from curation.authoring.models import TemplateVersion
from curation.models import (
    CaseVerdict,
    Decision,
    Release,
    ReleaseAnnex,
    ReleaseCase,
    ReleaseExclusion,
    ReleaseIdentifier,
    ReleaseWithdrawal,
    TemplateVariant,
)

FROZEN = "the release is published: {what} cannot change"
PARENT_PUBLISHED = parent_is(Release, key="release_id", states=["published"])
VERSION_DECIDED = parent_is(TemplateVersion, key="version_id", states=["approved", "superseded"])
NEW_VERSION = "an approved wording never changes: make a new version"
# Its author and reviewer may still be forgotten, and a newer version may supersede it; it never becomes a draft again.
REWORDED = (
    "OLD.state IN ('approved', 'superseded') AND (NEW.state NOT IN ('approved', 'superseded') "
    "OR NEW.defaults <> OLD.defaults OR NEW.number <> OLD.number OR NEW.template_id <> OLD.template_id)"
)
# A release begins as a draft and is published by an update, which services do; and no row takes its version.
TAKES_THE_PLACE = (
    "{row}.state = 'published' OR EXISTS (SELECT 1 FROM curation_release other WHERE other.state = 'published' "
    "AND other.suite_id = {row}.suite_id AND other.version = {row}.version)"
)

register(
    Guard(Release, (UPDATE, DELETE), "{row}.state = 'published'", FROZEN.format(what="it")),
    Guard(Release, (INSERT,), TAKES_THE_PLACE, FROZEN.format(what="it")),
    Guard(ReleaseCase, (INSERT, UPDATE, DELETE), PARENT_PUBLISHED, FROZEN.format(what="its cases"), entering=True),
    Guard(
        ReleaseExclusion,
        (INSERT, UPDATE, DELETE),
        PARENT_PUBLISHED,
        FROZEN.format(what="its exclusions"),
        entering=True,
    ),
    Guard(ReleaseAnnex, (INSERT, UPDATE, DELETE), PARENT_PUBLISHED, FROZEN.format(what="its annexes"), entering=True),
    Guard(ReleaseWithdrawal, (UPDATE, DELETE), ALWAYS, "a withdrawal stays as it was written"),
    Guard(ReleaseIdentifier, (UPDATE, DELETE), ALWAYS, "identifiers are never changed: record another one"),
    Guard(CaseVerdict, (UPDATE, DELETE), ALWAYS, "verdicts are never changed: add a new one"),
    Guard(Decision, (UPDATE, DELETE), ALWAYS, "decisions are never changed: apply another one"),
    Guard(
        TemplateVariant,
        (INSERT, UPDATE, DELETE),
        VERSION_DECIDED,
        NEW_VERSION,
        entering=True,
    ),
    Guard(TemplateVersion, (UPDATE,), REWORDED, NEW_VERSION),
    Guard(AuditEvent, (UPDATE, DELETE), ALWAYS, "the audit log is append-only"),
)
