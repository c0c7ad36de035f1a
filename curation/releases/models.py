"""Releases: copies of what was validated, frozen when published (see curation/guards.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from core.text import _
from curation.catalogue.models import CaseDetails, Policy, Suite

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User


class ReleaseState(models.TextChoices):
    DRAFT = "draft", _("Draft")
    BUILDING = "building", _("Being built")
    CANDIDATE = "candidate", _("Candidate")
    PUBLISHED = "published", _("Published")


class Cascade(models.TextChoices):
    CLOSURE = "closure", _("The template and templates that refer to it")
    TEMPLATE = "template", _("All cases of the template")
    NONE = "none", _("Only the case itself")


class WithoutLabels(models.TextChoices):
    INCLUDE = "include", _("Include them")
    EXCLUDE = "exclude", _("Exclude them until they are labelled")
    IMPORTED = "imported", _("Exclude them, but keep those of an imported suite without labels")


class Access(models.TextChoices):
    PUBLIC = "public", _("Everyone")
    REQUEST = "request", _("On request")
    PRIVATE = "private", _("Maintainers and experts only")


LATEST = "latest"


class ReleaseQuerySet(models.QuerySet["Release"]):
    def published(self) -> Self:
        return self.filter(state=ReleaseState.PUBLISHED)

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Published ones that are not private are for everyone to see; the rest is for experts and maintainers."""
        if user.is_authenticated and (user.is_maintainer or user.is_expert):
            return self.all()
        return self.published().exclude(access=Access.PRIVATE)

    def by_key(self, key: str) -> Self:
        """`suite@version`, or `suite@latest` for the one that was published last and not withdrawn."""
        suite, _, version = key.partition("@")
        of_suite = self.filter(suite__key=suite)
        if version != LATEST:
            return of_suite.filter(version=version)
        newest = of_suite.published().filter(withdrawal=None).order_by("-published_at", "-pk")
        return self.filter(pk__in=newest.values("pk")[:1])


class Release(models.Model):
    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="releases")
    version = models.CharField(max_length=40)
    state = models.CharField(max_length=10, choices=ReleaseState, default=ReleaseState.DRAFT)
    policy = models.CharField(max_length=8, choices=Policy, default=Policy.EXCLUDE)
    min_agree = models.PositiveSmallIntegerField(
        help_text="Minimum number of labels equal to the gold label; 0 asks for none."
    )
    cascade = models.CharField(max_length=8, choices=Cascade, default=Cascade.CLOSURE)
    without_labels = models.CharField(
        max_length=8, choices=WithoutLabels, blank=True, help_text="Empty for releases made before it could be chosen."
    )
    decision = models.ForeignKey(
        "curation.Decision",
        null=True,
        on_delete=models.PROTECT,
        related_name="releases",
        help_text="The decision it follows: that of its suite, or its own. Older releases name none.",
    )
    access = models.CharField(max_length=8, choices=Access, default=Access.PUBLIC)
    terms = models.TextField(blank=True, help_text="What a person must accept before a download on request.")
    title = models.CharField(max_length=200, blank=True)
    notes = models.TextField(blank=True, help_text="What changed.")
    prose = models.JSONField(
        default=dict, blank=True, help_text="Edited sections of the data statement and data sheet."
    )
    facts = models.JSONField(default=dict, blank=True, help_text="Counts, agreement and statistics when it was built.")
    sha256 = models.CharField(max_length=64, blank=True)
    signature = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # No action by the database or Django: a published row cannot be updated, not even when a person is deleted.
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )
    built_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(null=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )

    objects = ReleaseQuerySet.as_manager()

    class Meta:
        ordering = ["suite", "-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["suite", "version"], name="one_release_per_version"),
            models.CheckConstraint(condition=models.Q(state__in=ReleaseState.values), name="known_release_state"),
            models.CheckConstraint(condition=models.Q(policy__in=Policy.values), name="known_release_policy"),
            models.CheckConstraint(condition=models.Q(cascade__in=Cascade.values), name="known_cascade"),
            models.CheckConstraint(
                condition=models.Q(without_labels__in=["", *WithoutLabels.values]), name="known_release_without_labels"
            ),
            models.CheckConstraint(condition=models.Q(access__in=Access.values), name="known_access"),
            models.CheckConstraint(
                condition=~models.Q(state=ReleaseState.PUBLISHED) | ~models.Q(sha256=""), name="published_has_checksum"
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def get_absolute_url(self) -> str:
        return reverse("curation:release", args=[self.suite.key, self.version])

    @property
    def key(self) -> str:
        return f"{self.suite.key}@{self.version}"

    @property
    def doi(self) -> str:
        """The identifier that was recorded last, otherwise the one its files name; empty where there is none."""
        recorded = list(self.identifiers.all())
        return recorded[-1].doi if recorded else str(self.facts.get("head", {}).get("doi", ""))

    @property
    def is_built(self) -> bool:
        """Whether all its cases are there."""
        return self.state in (ReleaseState.CANDIDATE, ReleaseState.PUBLISHED)


class ReleaseCase(CaseDetails):
    """A copy, not a link: what it says cannot move under a result."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="cases", db_index=False)
    position = models.PositiveIntegerField()
    key = models.CharField(max_length=80)
    language = models.CharField(max_length=20)
    functionality = models.CharField(max_length=80)
    functionality_class = models.CharField(max_length=60, blank=True)
    text = models.TextField()
    label = models.CharField(max_length=60)
    targets = models.JSONField(default=list, help_text="Names of the targets.")
    refers_to = models.CharField(max_length=80, blank=True)
    template = models.CharField(max_length=80, blank=True)
    refers_to_template = models.CharField(max_length=80, blank=True)
    template_text = models.TextField(blank=True)
    origin = models.CharField(max_length=10)
    labels_given = models.JSONField(default=list, help_text="In the order of their slots, without names.")
    majority = models.CharField(max_length=60, blank=True)
    disagreement_in_case = models.BooleanField(null=True)
    disagreement_in_template = models.BooleanField(null=True)
    provenance = models.TextField(blank=True, help_text="Canonical JSON.")
    extra = models.JSONField(default=dict, help_text="Imported columns that must come back on export.")
    contrast_set = models.CharField(max_length=80, blank=True, default="", db_default="")
    perturbation_set = models.CharField(max_length=60, blank=True, default="", db_default="")
    text_hash = models.CharField(max_length=32)
    sha256 = models.CharField(max_length=64)
    # Not among the published columns, and so not in the checksum: it follows from those and the templates.
    is_about_identity = models.BooleanField(
        default=False, db_default=False,
        help_text="Its template is filled with the words for each group; without a template, it has a target group.",
    )  # fmt: skip

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["release", "key"], name="one_release_case_per_key"),
            models.UniqueConstraint(fields=["release", "position"], name="one_release_case_per_position"),
        ]
        indexes = [models.Index(fields=["release", "functionality"])]

    def __str__(self) -> str:
        return self.key


class ReleaseExclusion(models.Model):
    """A case that was left out of a release, and why."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="exclusions")
    key = models.CharField(max_length=80)
    language = models.CharField(max_length=20)
    functionality = models.CharField(max_length=80)
    text = models.TextField()
    reason = models.CharField(max_length=14)
    because_of = models.CharField(max_length=80, blank=True)
    labels_given = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "key"], name="one_release_exclusion_per_key")]

    def __str__(self) -> str:
        return f"{self.key}: {self.reason}"


class ReleaseAnnex(models.Model):
    """A table that goes with a release and would otherwise follow the workshop: its lexicon, its templates.

    A long table is kept in parts, so that it never has to be in memory as a whole.
    """

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="annexes")
    name = models.CharField(max_length=40)
    title = models.CharField(max_length=200)
    columns = models.JSONField(help_text="Pairs of name and meaning.")
    rows = models.JSONField()
    part = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["release", "name", "part"], name="one_annex_per_name_and_part")]

    def __str__(self) -> str:
        return f"{self.name} of {self.release}"


class ReleaseWithdrawal(models.Model):
    """A published release that should no longer be used. It stays readable, marked."""

    release = models.OneToOneField(Release, on_delete=models.PROTECT, related_name="withdrawal")
    reason = models.TextField()
    withdrawn_at = models.DateTimeField(default=timezone.now)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )

    def __str__(self) -> str:
        return f"{self.release} withdrawn"


class ReleaseIdentifier(models.Model):
    """The DOI an archive gave a published release: it is known only afterwards, and the release is frozen by then.

    A correction is a further row; the newest counts.
    """

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="identifiers")
    doi = models.CharField(max_length=200)
    recorded_at = models.DateTimeField(default=timezone.now)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.doi} of {self.release}"


class RequestState(models.TextChoices):
    ASKED = "asked", _("Waiting")
    GRANTED = "granted", _("Granted")
    REFUSED = "refused", _("Refused")


class ReleaseAccessRequest(models.Model):
    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="access_requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="access_requests")
    reason = models.TextField()
    terms_accepted = models.TextField(help_text="The terms as they read when they were accepted.")
    state = models.CharField(max_length=8, choices=RequestState, default=RequestState.ASKED)
    answer = models.TextField(blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["release", "user"], condition=~models.Q(state="refused"), name="one_open_request_per_person"
            ),
            models.CheckConstraint(condition=models.Q(state__in=RequestState.values), name="known_request_state"),
        ]

    def __str__(self) -> str:
        return f"{self.user} asks for {self.release}"


class ReleaseDownload(models.Model):
    """Who took which file of a release when."""

    release = models.ForeignKey(Release, on_delete=models.PROTECT, related_name="downloads")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    file = models.CharField(max_length=120)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.file} of {self.release}"
