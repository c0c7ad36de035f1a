"""Splits of a data set into train, test and an independent part, and experiments that train on them."""

import secrets
from typing import Self

from django.db import models
from django.utils import timezone

from core.text import _
from curation.models import Suite
from evaluation.artefacts.models import Artefact, ArtefactQuerySet, BuiltArtefact
from evaluation.datasets.models import Dataset
from evaluation.training.algorithm.settings import trainer_title


class SplitMethod(models.TextChoices):
    CLOSEST = "closest", _("Closest clusters")
    SUBSET_SUM = "subset_sum", _("Subset sum of clusters")
    RANDOM = "random", _("Random, same class shares")
    LIKELIHOOD = "likelihood", _("Least likely texts")


def new_split_key() -> str:
    return f"split-{secrets.token_hex(5)}"


def new_experiment_key() -> str:
    return f"experiment-{secrets.token_hex(5)}"


class SplitQuerySet(ArtefactQuerySet["Split"]):
    def without_rows(self) -> Self:
        """For lists: the rows of a split can be many."""
        return self.defer("indices")


class Split(BuiltArtefact):
    not_handed_out = ("picture-part.svg", "picture-label.svg")

    key = models.CharField(max_length=40, unique=True, default=new_split_key)
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="splits")
    method = models.CharField(max_length=12, choices=SplitMethod)
    choices = models.JSONField(
        default=dict, help_text="What was chosen: shares, numbers of clusters, encoder or vectors."
    )
    indices = models.JSONField(
        default=dict, help_text="Rows from 0 of test and independent; the others are for training."
    )
    report = models.JSONField(default=dict, help_text="Sizes, class counts, k, gap, properties. Empty until built.")
    sha256 = models.CharField(max_length=64, blank=True, help_text="Of indices.txt; empty until built.")
    suite = models.OneToOneField(
        Suite, null=True, on_delete=models.SET_NULL, related_name="split", help_text="What its releases are made of."
    )

    objects = SplitQuerySet.as_manager()

    class Meta(BuiltArtefact.Meta):
        constraints = [
            models.CheckConstraint(condition=models.Q(method__in=SplitMethod.values), name="known_split_method")
        ]


class ExperimentQuerySet(ArtefactQuerySet["Experiment"]):
    def with_results(self) -> Self:
        """With every result and its split at hand, but not the rows of the splits, which can be many."""
        found = ExperimentResult.objects.select_related("split").defer("split__indices")
        return self.prefetch_related(models.Prefetch("results", found))


class Experiment(Artefact):
    """One way of training, on each of several splits of one data set, with several seeds."""

    key = models.CharField(max_length=40, unique=True, default=new_experiment_key)
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="experiments")
    splits = models.ManyToManyField(Split, related_name="experiments")
    trainer = models.CharField(max_length=300, help_text="linear, or the encoder that is fine-tuned (hf:FOLDER_OR_ID).")
    seeds = models.JSONField(default=list)
    options = models.JSONField(default=dict, help_text="Epochs, learning rate and so on.")

    objects = ExperimentQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.trainer} on {self.dataset}"

    @property
    def trainer_title(self) -> str:
        return trainer_title(self.trainer)

    @property
    def seed_names(self) -> list[str]:
        """The seeds as names: they are not counted, so they have no marks for thousands."""
        return [str(seed) for seed in self.seeds]


class ExperimentResult(models.Model):
    """What one training reached; one row per split and seed, so a stopped experiment goes on where it was."""

    experiment = models.ForeignKey(Experiment, on_delete=models.CASCADE, related_name="results")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="results")
    seed = models.BigIntegerField()
    test = models.JSONField()
    independent = models.JSONField(null=True)
    finished_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["split_id", "seed"]
        constraints = [
            models.UniqueConstraint(fields=["experiment", "split", "seed"], name="one_result_per_split_and_seed")
        ]

    def __str__(self) -> str:
        return f"{self.experiment_id}, split {self.split_id}, seed {self.seed}"
