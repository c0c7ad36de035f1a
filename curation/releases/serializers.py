"""Releases in the API. Names of a case's fields are the column names of the exports."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from core.options.serializers import OptionsSerializer
from core.text import recall, shown
from curation.fields import FIELDS, TARGET_SEPARATOR
from curation.models import Release, ReleaseAccessRequest, ReleaseCase
from curation.releases.moving_options import ImportReleaseOptions
from curation.releases.options import (
    AccessOptions,
    DownloadOptions,
    FreezeOptions,
    PreviewOptions,
    ProseOptions,
    PublishOptions,
    ReleaseDocumentOptions,
    WithdrawOptions,
)
from curation.releases.rules import release_warnings


class KeptSentenceField(serializers.CharField):
    """A sentence that JSON keeps as the message and values of a text."""

    def to_representation(self, value: Any) -> str:
        return str(recall(value))


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    key = serializers.CharField(read_only=True)
    suite = serializers.CharField(source="suite.key", read_only=True)
    title = serializers.SerializerMethodField()
    cases = serializers.SerializerMethodField()
    excluded = serializers.IntegerField(source="facts.excluded", default=None, allow_null=True, read_only=True)
    excluded_by_reason = serializers.DictField(
        source="facts.excluded_by_reason",
        child=serializers.IntegerField(),
        default=None,
        allow_null=True,
        read_only=True,
    )
    labelling = serializers.DictField(
        source="facts.labelling", child=serializers.IntegerField(), default=None, allow_null=True, read_only=True,
        help_text="How many cases are validated, kept by decision, never labelled and so on; they add up to `cases`.",
    )  # fmt: skip
    agreement = serializers.ListField(
        source="facts.annotation.agreement", child=serializers.DictField(), default=list, read_only=True,
        help_text="On the labelled cases, also those left out: all, then by language where there are several.",
    )  # fmt: skip
    statistics = serializers.DictField(source="facts.statistics", default=None, allow_null=True, read_only=True)
    decision = serializers.DictField(
        source="facts.decision", default=None, allow_null=True, read_only=True,
        help_text="The rules with when they were decided; `differs` says how from what was decided about the suite.",
    )  # fmt: skip
    published_despite = serializers.DictField(
        source="facts.published_despite", default=None, allow_null=True, read_only=True,
        help_text="Points of the checklist that were open when it was published, and the reason that was given.",
    )  # fmt: skip
    warnings = serializers.SerializerMethodField()
    withdrawn = serializers.CharField(source="withdrawal.reason", default=None, allow_null=True, read_only=True)
    failure = KeptSentenceField(source="facts.failure", default=None, allow_null=True, read_only=True)
    doi = serializers.CharField(read_only=True)
    url = serializers.CharField(source="get_absolute_url", read_only=True)

    class Meta:
        model = Release
        fields = (
            "key", "suite", "version", "title", "state", "policy", "min_agree", "cascade", "without_labels", "access",
            "notes", "sha256", "cases", "excluded", "excluded_by_reason", "labelling", "agreement", "statistics",
            "decision", "published_despite", "warnings", "withdrawn", "failure", "doi", "built_at", "published_at",
            "url",
        )  # fmt: skip
        read_only_fields = fields

    def get_title(self, release: Release) -> str:
        return release.title or release.suite.name

    def get_cases(self, release: Release) -> int | None:
        cases: int | None = release.facts.get("included")
        return cases

    def get_warnings(self, release: Release) -> list[str]:
        """Where it differs from what was decided about the suite."""
        warnings: list[str] = shown(release_warnings(release))
        return warnings


class CaseSerializer(serializers.ModelSerializer[ReleaseCase]):
    """A case with the columns of the exports."""

    target_ident = serializers.SerializerMethodField()

    class Meta:
        model = ReleaseCase
        fields = (*(field.column for field in FIELDS), "sha256")
        read_only_fields = fields
        extra_kwargs = {field.column: {"source": field.name} for field in FIELDS if field.column != field.name}

    def get_target_ident(self, case: ReleaseCase) -> str:
        return TARGET_SEPARATOR.join(case.targets)


class IdentifierSerializer(serializers.Serializer[Any]):
    doi = serializers.CharField(help_text="With or without https://doi.org/.")


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


class FreezeSerializer(OptionsSerializer[FreezeOptions]):
    options = FreezeOptions


class PreviewSerializer(OptionsSerializer[PreviewOptions]):
    options = PreviewOptions


class PublishSerializer(OptionsSerializer[PublishOptions]):
    options = PublishOptions


class ImportReleaseSerializer(OptionsSerializer[ImportReleaseOptions]):
    options = ImportReleaseOptions


class WithdrawSerializer(OptionsSerializer[WithdrawOptions]):
    options = WithdrawOptions


class ReleaseDocumentSerializer(OptionsSerializer[ReleaseDocumentOptions]):
    options = ReleaseDocumentOptions


class DownloadSerializer(OptionsSerializer[DownloadOptions]):
    options = DownloadOptions


class AccessRequestSerializer(serializers.ModelSerializer[ReleaseAccessRequest]):
    number = serializers.IntegerField(source="pk", read_only=True)
    person = serializers.CharField(source="user.name", read_only=True)

    class Meta:
        model = ReleaseAccessRequest
        fields = ("number", "person", "reason", "terms_accepted", "state", "answer", "asked_at", "decided_at")
        read_only_fields = fields


class AskSerializer(OptionsSerializer[AccessOptions]):
    options = AccessOptions


class AccessDecisionSerializer(serializers.Serializer[Any]):
    grant = serializers.BooleanField()
    answer = serializers.CharField(required=False, allow_blank=True, default="")


class PointSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    is_done = serializers.BooleanField()
    says = serializers.CharField()
    fix = serializers.CharField(help_text="How to mend it; empty where it is done.")


class DocumentsSerializer(serializers.Serializer[Any]):
    data_statement = serializers.CharField(help_text="Markdown")
    datasheet = serializers.CharField(help_text="Markdown")
    dataset_card = serializers.CharField(help_text="Markdown with a header for the Hugging Face hub")
    prose = serializers.DictField(child=serializers.CharField(), help_text="What people wrote, by section")
    checklist = PointSerializer(many=True)


class ProseSerializer(OptionsSerializer[ProseOptions]):
    options = ProseOptions

    def to_internal_value(self, data: Any) -> Any:
        """Read the sections also below `prose`, as earlier versions had them."""
        if isinstance(data, Mapping) and isinstance(data.get("prose"), Mapping):
            data = data["prose"]
        return super().to_internal_value(data)


class LineageTableSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.DictField()))
    empty = serializers.CharField()
    note = serializers.CharField()


class LineageSerializer(serializers.Serializer[Any]):
    case = CaseSerializer()
    origin = serializers.DictField(child=serializers.CharField())
    forms = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    template_version = serializers.IntegerField(allow_null=True)
    varies = serializers.CharField(allow_null=True)
    varied_by = serializers.ListField(child=serializers.CharField())
    tables = LineageTableSerializer(many=True)


class FreezePreviewSerializer(serializers.Serializer[Any]):
    included = serializers.IntegerField()
    excluded = serializers.IntegerField()
    excluded_by_reason = serializers.DictField(child=serializers.IntegerField())
    unlabelled = serializers.IntegerField()
    labelling = serializers.DictField(child=serializers.IntegerField())
    disagreed = serializers.IntegerField()
    by_functionality = serializers.DictField(child=serializers.IntegerField())
    by_label = serializers.DictField(child=serializers.IntegerField())
    by_target = serializers.DictField(child=serializers.IntegerField())
    by_language = serializers.DictField(child=serializers.IntegerField())
    group_balance = serializers.DictField(child=serializers.FloatField(allow_null=True))
    agreement = serializers.ListField(child=serializers.DictField())
    missing_documentation = serializers.ListField(child=serializers.CharField())
    licence = serializers.CharField()
    authors = serializers.ListField(child=serializers.CharField())
    rules = serializers.DictField()
    decision = serializers.DictField()
    warnings = serializers.ListField(child=serializers.CharField())


class BuildSerializer(serializers.Serializer[Any]):
    release = serializers.CharField()
    job = serializers.CharField()
