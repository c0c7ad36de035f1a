"""Parts of a run, so that any worker may take the next one."""

from __future__ import annotations

from django.db import models

from evaluation.models.runs import EvaluationRun


class RunChunk(models.Model):
    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="chunks", db_index=False)
    number = models.PositiveIntegerField()
    cases = models.JSONField(help_text="Ids of the cases to ask about.")
    holder = models.CharField(
        max_length=60, blank=True, help_text="The job and its attempt that has it; empty if free."
    )
    is_done = models.BooleanField(default=False)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_chunk_per_number")]

    def __str__(self) -> str:
        return f"chunk {self.number} of {self.run_id}"
