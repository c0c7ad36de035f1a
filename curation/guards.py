"""What the database refuses in the floor's tables."""

from accounts.models import AuditEvent
from curation.database_guards import ALWAYS, DELETE, INSERT, UPDATE, Guard, parent_is, register
from curation.models import (
    CaseVerdict,
    Release,
    ReleaseAnnex,
    ReleaseCase,
    ReleaseExclusion,
    ReleaseWithdrawal,
    TemplateVariant,
)
from curation.models.templates import TemplateVersion

FROZEN = "the release is published: {what} cannot change"
PARENT_PUBLISHED = parent_is(Release, key="release_id", states=["published"])
VERSION_DECIDED = parent_is(TemplateVersion, key="version_id", states=["approved", "superseded"])

register(
    Guard(Release, (UPDATE, DELETE), "{row}.state = 'published'", FROZEN.format(what="it")),
    Guard(ReleaseCase, (INSERT, UPDATE, DELETE), PARENT_PUBLISHED, FROZEN.format(what="its cases")),
    Guard(ReleaseExclusion, (INSERT, UPDATE, DELETE), PARENT_PUBLISHED, FROZEN.format(what="its exclusions")),
    Guard(ReleaseAnnex, (INSERT, UPDATE, DELETE), PARENT_PUBLISHED, FROZEN.format(what="its annexes")),
    Guard(ReleaseWithdrawal, (UPDATE, DELETE), ALWAYS, "a withdrawal stays as it was written"),
    Guard(CaseVerdict, (UPDATE, DELETE), ALWAYS, "verdicts are never changed: add a new one"),
    Guard(
        TemplateVariant,
        (INSERT, UPDATE, DELETE),
        VERSION_DECIDED,
        "an approved wording never changes: make a new version",
    ),
    Guard(AuditEvent, (UPDATE, DELETE), ALWAYS, "the audit log is append-only"),
)
