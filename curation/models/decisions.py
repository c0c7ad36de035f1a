"""Which rules decide what a release of a suite holds."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from curation.models.releases import Cascade
from curation.models.suites import Policy, Suite


class Decision(models.Model):
    """The rules a maintainer applied to the labels of a suite. Append-only; the newest one stands."""

    suite = models.ForeignKey(Suite, on_delete=models.PROTECT, related_name="decisions")
    policy = models.CharField(max_length=8, choices=Policy)
    min_agree = models.PositiveSmallIntegerField(
        help_text="Minimum number of labels equal to the gold label; 0 asks for none."
    )
    cascade = models.CharField(max_length=8, choices=Cascade)
    decided_at = models.DateTimeField(default=timezone.now)
    # The row can never be updated, not even when a person is deleted.
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, db_constraint=False, related_name="+"
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(policy__in=Policy.values), name="known_decision_policy"),
            models.CheckConstraint(condition=models.Q(cascade__in=Cascade.values), name="known_decision_cascade"),
        ]

    def __str__(self) -> str:
        return f"{self.policy}, {self.min_agree}, {self.cascade}"
