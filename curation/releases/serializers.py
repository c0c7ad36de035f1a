"""What releases look like over the API. Names of a case's fields are the column names of the exports."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from curation.catalogue.models import Policy
from curation.catalogue.suites import LONGEST_LICENCE
from curation.fields import COLUMNS, FIELDS, TARGET_SEPARATOR
from curation.models import Release, ReleaseCase
from curation.publishing.export import FORMATS
from curation.releases.downloads import ALL
from curation.releases.models import Access, Cascade, WithoutLabels
from curation.releases.rules import release_warnings


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    key = serializers.CharField(read_only=True)
    suite = serializers.CharField(source="suite.key", read_only=True)
    title = serializers.SerializerMethodField()
    cases = serializers.SerializerMethodField()
    excluded = serializers.SerializerMethodField()
    excluded_by_reason = serializers.SerializerMethodField()
    labelling = serializers.SerializerMethodField()
    agreement = serializers.SerializerMethodField()
    statistics = serializers.SerializerMethodField()
    decision = serializers.SerializerMethodField()
    warnings = serializers.SerializerMethodField()
    withdrawn = serializers.SerializerMethodField()
    failure = serializers.SerializerMethodField()
    doi = serializers.CharField(read_only=True)
    url = serializers.CharField(source="get_absolute_url", read_only=True)

    class Meta:
        model = Release
        fields = (
            "key", "suite", "version", "title", "state", "policy", "min_agree", "cascade", "without_labels", "access",
            "notes", "sha256", "cases", "excluded", "excluded_by_reason", "labelling", "agreement", "statistics",
            "decision", "warnings", "withdrawn", "failure", "doi", "built_at", "published_at", "url",
        )  # fmt: skip
        read_only_fields = fields

    def get_title(self, release: Release) -> str:
        return release.title or release.suite.name

    def get_cases(self, release: Release) -> int | None:
        cases: int | None = release.facts.get("included")
        return cases

    def get_excluded(self, release: Release) -> int | None:
        excluded: int | None = release.facts.get("excluded")
        return excluded

    def get_excluded_by_reason(self, release: Release) -> dict[str, int] | None:
        counts: dict[str, int] | None = release.facts.get("excluded_by_reason")
        return counts

    def get_labelling(self, release: Release) -> dict[str, int] | None:
        """How many of the cases are validated, kept by decision, never labelled and so on; they add up to `cases`."""
        labelling: dict[str, int] | None = release.facts.get("labelling")
        return labelling

    def get_agreement(self, release: Release) -> list[dict[str, Any]]:
        """Agreement on the labelled cases, also those left out: all, then by language where there are several."""
        agreement: list[dict[str, Any]] = release.facts.get("annotation", {}).get("agreement", [])
        return agreement

    def get_statistics(self, release: Release) -> dict[str, Any] | None:
        statistics: dict[str, Any] | None = release.facts.get("statistics")
        return statistics

    def get_decision(self, release: Release) -> dict[str, Any] | None:
        """The rules with when they were decided; `differs` says how from what was decided about the suite."""
        decision: dict[str, Any] | None = release.facts.get("decision")
        return decision

    def get_warnings(self, release: Release) -> list[str]:
        """Where it differs from what was decided about the suite."""
        return release_warnings(release)

    def get_withdrawn(self, release: Release) -> str | None:
        withdrawal = getattr(release, "withdrawal", None)
        return withdrawal.reason if withdrawal else None

    def get_failure(self, release: Release) -> str | None:
        failure: str | None = release.facts.get("failure")
        return failure


class CaseSerializer(serializers.ModelSerializer[ReleaseCase]):
    """A case with the columns of the exports."""

    target_ident = serializers.SerializerMethodField()

    class Meta:
        model = ReleaseCase
        fields = (*COLUMNS, "sha256")
        read_only_fields = fields
        extra_kwargs = {field.column: {"source": field.name} for field in FIELDS if field.column != field.name}

    def get_target_ident(self, case: ReleaseCase) -> str:
        return TARGET_SEPARATOR.join(case.targets)


class FreezeSerializer(serializers.Serializer[Any]):
    """Rules that are left out are those of the standing decision, otherwise the suite's."""

    suite = serializers.CharField()
    version = serializers.CharField(max_length=40)
    policy = serializers.ChoiceField(choices=Policy.choices, required=False)
    min_agree = serializers.IntegerField(min_value=0, required=False)
    cascade = serializers.ChoiceField(choices=Cascade.choices, required=False)
    without_labels = serializers.ChoiceField(choices=WithoutLabels.choices, required=False)
    access = serializers.ChoiceField(choices=Access.choices, default=Access.PUBLIC)
    terms = serializers.CharField(required=False, allow_blank=True)
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)
    licence = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_LICENCE,
        help_text="Kept with the suite; empty: the suite's.",
    )
    authors = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        help_text="As they are cited; kept with the suite. Empty: the suite's.",
    )


class PublishSerializer(serializers.Serializer[Any]):
    notes = serializers.CharField(required=False, allow_blank=True)


class IdentifierSerializer(serializers.Serializer[Any]):
    doi = serializers.CharField(help_text="With or without https://doi.org/.")


class WithdrawSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()


class WriteExportSerializer(serializers.Serializer[Any]):
    format = serializers.ChoiceField(choices=[*FORMATS, ALL])


class ExportSerializer(serializers.Serializer[Any]):
    format = serializers.CharField()
    is_ready = serializers.BooleanField()
    url = serializers.URLField()
    job = serializers.CharField(allow_null=True)


class VerificationSerializer(serializers.Serializer[Any]):
    release = serializers.CharField()
    intact = serializers.BooleanField(source="is_intact")
    cases = serializers.IntegerField()
    sha256 = serializers.CharField()
    difference = serializers.CharField()
    case = serializers.CharField()
    field = serializers.CharField()
