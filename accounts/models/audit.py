"""Who did what and when: append-only, a closed set of actions. curation/guards.py makes the database refuse changes."""

from datetime import date, datetime, time, timedelta
from typing import Self

from django.db import models
from django.utils import timezone

from accounts.models.people import User


class Action(models.TextChoices):
    """Everything that is recorded. Grouped by subject; add here before recording something new."""

    PERSON_INVITED = "person_invited"
    INVITATION_ACCEPTED = "invitation_accepted"
    INVITATION_WITHDRAWN = "invitation_withdrawn"
    ROLE_GRANTED = "role_granted"
    ROLE_TAKEN = "role_taken"
    PERSON_DELETED = "person_deleted"
    PERSON_SUSPENDED = "person_suspended"
    PERSON_REINSTATED = "person_reinstated"
    SESSIONS_ENDED = "sessions_ended"
    SIGNED_IN = "signed_in"
    CREDENTIALS_CHANGED = "credentials_changed"
    SIGN_IN_FAILED = "sign_in_failed"
    SIGN_IN_LOCKED = "sign_in_locked"
    TOKEN_CREATED = "token_created"  # noqa: S105
    TOKEN_REVOKED = "token_revoked"  # noqa: S105
    WEBHOOK_CHANGED = "webhook_changed"
    JOB_REQUESTED = "job_requested"
    JOB_CANCELLED = "job_cancelled"
    CATALOGUE_CHANGED = "catalogue_changed"
    SUITE_CHANGED = "suite_changed"
    SUITE_IMPORTED = "suite_imported"
    LEXICON_CHANGED = "lexicon_changed"
    TEMPLATE_CHANGED = "template_changed"
    VERSION_SUBMITTED = "version_submitted"
    VERSION_APPROVED = "version_approved"
    VERSION_REJECTED = "version_rejected"
    CASES_GENERATED = "cases_generated"
    CASE_CHANGED = "case_changed"
    CASE_EXCLUDED = "case_excluded"
    EXCLUSION_LIFTED = "exclusion_lifted"
    RELEASE_REQUESTED = "release_requested"
    RELEASE_BUILT = "release_built"
    RELEASE_DOCUMENTED = "release_documented"
    RELEASE_DELETED = "release_deleted"
    RELEASE_PUBLISHED = "release_published"
    RELEASE_WITHDRAWN = "release_withdrawn"
    RELEASE_ACCESS_DECIDED = "release_access_decided"
    RELEASE_DOWNLOADED = "release_downloaded"
    CAMPAIGN_CHANGED = "campaign_changed"
    CAMPAIGN_OPENED = "campaign_opened"
    CAMPAIGN_CLOSED = "campaign_closed"
    ANNOTATOR_CHANGED = "annotator_changed"
    LABEL_UNDONE = "label_undone"
    LABELS_IMPORTED = "labels_imported"
    CASE_ADJUDICATED = "case_adjudicated"
    VERDICTS_DECIDED = "verdicts_decided"
    GENERATION_REQUESTED = "generation_requested"
    CANDIDATES_DECIDED = "candidates_decided"
    PROMPT_CHANGED = "prompt_changed"
    MODEL_REGISTERED = "model_registered"
    EVALUATION_REQUESTED = "evaluation_requested"
    PREDICTIONS_IMPORTED = "predictions_imported"
    DATASET_IMPORTED = "dataset_imported"
    ATTACK_BUILT = "attack_built"
    SPLIT_BUILT = "split_built"


class AuditEventQuerySet(models.QuerySet["AuditEvent"]):
    def about(self, kind: str, key: str) -> Self:
        return self.filter(subject_kind=kind, subject_key=key)

    def visible_to(self, user: User) -> Self:
        """Maintainers see everything, everybody else only what they did."""
        return self.all() if user.is_maintainer else self.filter(actor=user)

    def matching(
        self,
        *,
        who: str = "",
        action: str = "",
        subject: str = "",
        since: date | None = None,
        until: date | None = None,
    ) -> Self:
        """What the filters leave; an empty filter leaves everything. `until` is a day that counts as a whole."""
        found = self
        if who:
            found = found.filter(
                models.Q(actor__name__icontains=who)
                | models.Q(actor__email__icontains=who)
                | models.Q(actor_name__icontains=who)
            )
        if action:
            found = found.filter(action=action)
        if subject:
            found = found.filter(models.Q(subject_kind__icontains=subject) | models.Q(subject_key__icontains=subject))
        if since:
            found = found.filter(at__gte=_start_of(since))
        if until:
            found = found.filter(at__lt=_start_of(until + timedelta(days=1)))
        return found


def _start_of(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


class AuditEvent(models.Model):
    at = models.DateTimeField(default=timezone.now, db_index=True)
    # DO_NOTHING and no constraint: the record outlives the person, and the row can never be updated.
    actor = models.ForeignKey(User, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+")
    # A pseudonym: the name itself is in the account, and is gone with it.
    actor_name = models.CharField(max_length=254, default="system")
    action = models.CharField(max_length=40, choices=Action)
    subject_kind = models.CharField(max_length=40)
    subject_key = models.CharField(max_length=200)
    facts = models.JSONField(default=dict)
    request_id = models.CharField(max_length=64, blank=True)

    objects = AuditEventQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["subject_kind", "subject_key"])]
        constraints = [models.CheckConstraint(condition=models.Q(action__in=Action.values), name="known_action")]

    def __str__(self) -> str:
        return f"{self.actor_name} {self.action} {self.subject_kind} {self.subject_key}"

    @property
    def who(self) -> str:
        """Return the name of the person, or the pseudonym once the account is deleted."""
        try:
            return str(self.actor or self.actor_name)
        except User.DoesNotExist:  # where the row was read without its actor
            return self.actor_name
