"""Who did what and when: append-only, a closed set of actions. curation/guards.py makes the database refuse changes."""

from datetime import date, datetime, time, timedelta
from typing import Self

from django.db import models
from django.utils import timezone

from accounts.models.people import User
from core.text import _


class Action(models.TextChoices):
    """Everything that is recorded. Grouped by subject; add here before recording something new."""

    PERSON_INVITED = "person_invited", _("Person invited")
    INVITATION_ACCEPTED = "invitation_accepted", _("Invitation accepted")
    INVITATION_WITHDRAWN = "invitation_withdrawn", _("Invitation withdrawn")
    ROLE_GRANTED = "role_granted", _("Role given")
    ROLE_TAKEN = "role_taken", _("Role taken away")
    PERSON_DELETED = "person_deleted", _("Account deleted")
    PERSON_SUSPENDED = "person_suspended", _("Person suspended")
    PERSON_REINSTATED = "person_reinstated", _("Person reinstated")
    SESSIONS_ENDED = "sessions_ended", _("Sessions ended")
    SIGNED_IN = "signed_in", _("Signed in")
    CREDENTIALS_CHANGED = "credentials_changed", _("Password, address or second factor changed")
    SIGN_IN_FAILED = "sign_in_failed", _("Sign-in failed")
    SIGN_IN_LOCKED = "sign_in_locked", _("Sign-in locked")
    TOKEN_CREATED = "token_created", _("Token created")
    TOKEN_REVOKED = "token_revoked", _("Token revoked")
    WEBHOOK_CHANGED = "webhook_changed", _("Webhook changed")
    JOB_REQUESTED = "job_requested", _("Job started")
    JOB_CANCELLED = "job_cancelled", _("Job stopped")
    CATALOGUE_CHANGED = "catalogue_changed", _("Catalogue changed")
    SUITE_CHANGED = "suite_changed", _("Suite changed")
    SUITE_IMPORTED = "suite_imported", _("Suite imported")
    LEXICON_CHANGED = "lexicon_changed", _("Lexicon changed")
    TEMPLATE_CHANGED = "template_changed", _("Template changed")
    VERSION_SUBMITTED = "version_submitted", _("Version submitted")
    VERSION_APPROVED = "version_approved", _("Version approved")
    VERSION_REJECTED = "version_rejected", _("Version rejected")
    CASES_GENERATED = "cases_generated", _("Cases generated")
    CASE_CHANGED = "case_changed", _("Case changed")
    CASE_EXCLUDED = "case_excluded", _("Case excluded")
    EXCLUSION_LIFTED = "exclusion_lifted", _("Excluded case restored")
    RELEASE_REQUESTED = "release_requested", _("Release requested")
    RELEASE_BUILT = "release_built", _("Release built")
    RELEASE_DOCUMENTED = "release_documented", _("Release documented")
    RELEASE_DELETED = "release_deleted", _("Release deleted")
    RELEASE_PUBLISHED = "release_published", _("Release published")
    RELEASE_WITHDRAWN = "release_withdrawn", _("Release withdrawn")
    RELEASE_ACCESS_DECIDED = "release_access_decided", _("Access to a release decided")
    RELEASE_DOWNLOADED = "release_downloaded", _("Release downloaded")
    INDEX_FOLLOWED = "index_followed", _("Index followed")
    INDEX_DROPPED = "index_dropped", _("Index no longer followed")
    CAMPAIGN_CHANGED = "campaign_changed", _("Campaign changed")
    CAMPAIGN_OPENED = "campaign_opened", _("Campaign opened")
    CAMPAIGN_CLOSED = "campaign_closed", _("Campaign closed")
    ANNOTATOR_CHANGED = "annotator_changed", _("Annotator changed")
    LABEL_UNDONE = "label_undone", _("Label undone")
    LABELS_IMPORTED = "labels_imported", _("Labels imported")
    CASE_ADJUDICATED = "case_adjudicated", _("Case adjudicated")
    VERDICTS_DECIDED = "verdicts_decided", _("Decision applied")
    GENERATION_REQUESTED = "generation_requested", _("Generation started")
    CANDIDATES_DECIDED = "candidates_decided", _("Candidates decided")
    PROMPT_CHANGED = "prompt_changed", _("Prompt changed")
    MODEL_REGISTERED = "model_registered", _("Model registered")
    MODEL_ARCHIVED = "model_archived", _("Model archived")
    MODEL_RESTORED = "model_restored", _("Model restored")
    MODEL_DELETED = "model_deleted", _("Model deleted")
    EVALUATION_REQUESTED = "evaluation_requested", _("Evaluation started")
    RUN_ARCHIVED = "run_archived", _("Run archived")
    RUN_RESTORED = "run_restored", _("Run restored")
    RUN_DELETED = "run_deleted", _("Run deleted")
    RESULT_PUSHED = "result_pushed", _("Result pushed")
    PREDICTIONS_IMPORTED = "predictions_imported", _("Predictions imported")
    DATASET_IMPORTED = "dataset_imported", _("Data set imported")
    ATTACK_BUILT = "attack_built", _("Attack built")
    SPLIT_BUILT = "split_built", _("Split built")


# What pages call the kinds of subjects: the names of models, and two that are not rows.
SUBJECTS = {
    "account": _("Account"),
    "agreementreport": _("Agreement report"),
    "apitoken": _("API token"),
    "assignment": _("Assignment"),
    "attack": _("Attack"),
    "campaign": _("Campaign"),
    "candidate": _("Candidate"),
    "case": _("Case"),
    "checkversion": _("Check"),
    "count": _("Test of the workers"),
    "dataset": _("Data set"),
    "detectionmodel": _("Model"),
    "evaluationrun": _("Evaluation run"),
    "experiment": _("Experiment"),
    "followedindex": _("Followed index"),
    "form": _("Word form"),
    "functionality": _("Functionality"),
    "functionalityclass": _("Functionality class"),
    "generationplan": _("Generation plan"),
    "generationrun": _("Generation run"),
    "guideline": _("Guideline"),
    "invitation": _("Invitation"),
    "job": _("Job"),
    "language": _("Language"),
    "lexiconentry": _("Lexicon entry"),
    "participation": _("Annotator"),
    "prompt": _("Prompt"),
    "protectedgroup": _("Protected group"),
    "release": _("Release"),
    "reportedresult": _("Self-reported result"),
    "split": _("Split"),
    "suite": _("Suite"),
    "targetgroup": _("Target group"),
    "template": _("Template"),
    "templateversion": _("Version"),
    "user": _("Person"),
    "webhook": _("Webhook"),
}


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
    def subject_title(self) -> str:
        """Return what pages call the kind of subject."""
        return SUBJECTS.get(self.subject_kind, self.subject_kind)

    @property
    def who(self) -> str:
        """Return the name of the person, or the pseudonym once the account is deleted."""
        try:
            return str(self.actor or self.actor_name)
        except User.DoesNotExist:  # where the row was read without its actor
            return self.actor_name
