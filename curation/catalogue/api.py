"""Suites, languages, functionalities, groups and words."""

from typing import Any, cast

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.fields import StorableJSONField
from accounts.api.parsers import MultiPartParser
from accounts.api.permissions import SignedIn
from accounts.models import User
from core.jobs.services import request_job
from core.options.serializers import read_options
from core.permissions import require_maintainer, require_workshop
from curation.catalogue import suites
from curation.catalogue.models import Direction
from curation.exporting.suites import named_archive
from curation.formats.registry import written_formats
from curation.importing.forms import ImportSerializer
from curation.importing.uploads import request_import
from curation.lexicon import services as lexicon
from curation.lexicon.paradigms import cell_from_title
from curation.lexicon.removal import removal_of
from curation.models import Functionality, Language, LexiconEntry, ProtectedGroup, Suite


class LanguageSerializer(serializers.ModelSerializer[Language]):
    class Meta:
        model = Language
        fields = ["code", "bcp47", "name", "autonym", "script", "direction", "features", "orthography"]


class FunctionalitySerializer(serializers.ModelSerializer[Functionality]):
    functionality_class = serializers.CharField(source="functionality_class.key")
    example_language: Any = serializers.SlugRelatedField(slug_field="code", read_only=True)

    class Meta:
        model = Functionality
        fields = [
            "key",
            "title",
            "functionality_class",
            "gold_label",
            "definition",
            "example",
            "example_language",
            "perturbation",
            "references",
        ]


class GroupSerializer(serializers.ModelSerializer[ProtectedGroup]):
    class Meta:
        model = ProtectedGroup
        fields = ["key", "name", "characteristic"]
        read_only_fields = ["key"]


class NewLanguageSerializer(serializers.Serializer[Any]):
    code = serializers.CharField(max_length=20)
    name = serializers.CharField(max_length=80)
    autonym = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    bcp47 = serializers.CharField(max_length=35, required=False, default="", allow_blank=True)
    script = serializers.CharField(max_length=40, required=False, default="Latn")
    direction = serializers.ChoiceField(choices=Direction.choices, required=False, default=Direction.LEFT_TO_RIGHT)
    features = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text='{"Number": ["Sing", "Plur"]}'
    )


class NewFunctionalitySerializer(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=160)
    key = serializers.CharField(max_length=80, required=False, default="", allow_blank=True)
    functionality_class = serializers.CharField(max_length=120, help_text="An existing class, or a new one.")
    gold_label = serializers.CharField(max_length=60)
    definition = serializers.CharField()
    example = serializers.CharField(required=False, default="", allow_blank=True)
    example_language = serializers.SlugRelatedField(
        slug_field="code", queryset=Language.objects.all(), required=False, allow_null=True,
        help_text="Code of the example's language; needed where there is an example.",
    )  # fmt: skip


class SuiteSerializer(serializers.ModelSerializer[Suite]):
    languages = serializers.SlugRelatedField(slug_field="code", many=True, queryset=Language.objects.all())
    labels = serializers.ListField(
        child=serializers.CharField(max_length=suites.LONGEST_LABEL),
        required=False,
        help_text="The labels cases can have; the first is the positive one.",
    )
    authors = StorableJSONField(required=False, help_text="A list of names, or of objects such as {name, orcid}.")

    class Meta:
        model = Suite
        fields = [
            "key",
            "name",
            "description",
            "languages",
            "labels",
            "raters",
            "threshold",
            "policy",
            "licence",
            "authors",
        ]


class EntrySerializer(serializers.ModelSerializer[LexiconEntry]):
    language = serializers.CharField(source="language.code", read_only=True)
    target = serializers.CharField(source="target.name", default="", read_only=True)
    forms = serializers.SerializerMethodField()

    class Meta:
        model = LexiconEntry
        fields = ["key", "language", "kind", "target", "lemma", "inherent", "properties", "position", "forms"]

    def get_forms(self, entry: LexiconEntry) -> list[dict[str, str]]:
        return [
            {"features": form.features, "perturbation": form.perturbation, "text": form.text, "source": form.source}
            for form in entry.forms.all()
        ]


class EntryWithCasesSerializer(EntrySerializer):
    cases_retired_by_removal = serializers.SerializerMethodField(
        help_text="How many cases made with the word the next generation retires once the word is removed."
    )

    class Meta(EntrySerializer.Meta):
        fields = [*EntrySerializer.Meta.fields, "cases_retired_by_removal"]

    def get_cases_retired_by_removal(self, entry: LexiconEntry) -> int:
        return removal_of(entry).retires


class NewEntrySerializer(serializers.Serializer[Any]):
    language = serializers.CharField()
    kind = serializers.SlugField()
    lemma = serializers.CharField()
    target = serializers.CharField(required=False, default="", allow_blank=True)
    inherent = serializers.CharField(required=False, default="", allow_blank=True)
    properties = serializers.DictField(
        child=serializers.CharField(allow_blank=True), required=False, default=dict,
        help_text="What the spelling rules of the language ask: elides, article, stressed_a.",
    )  # fmt: skip


class EntryChangeSerializer(serializers.Serializer[Any]):
    """What is left out stays as it is."""

    lemma = serializers.CharField(required=False)
    target = serializers.CharField(required=False, allow_blank=True)
    inherent = serializers.CharField(required=False, allow_blank=True)
    properties = serializers.DictField(child=serializers.CharField(allow_blank=True), required=False)


class CellSerializer(serializers.Serializer[Any]):
    cell = serializers.CharField(help_text="Features, and after ' ~ ' a perturbation: Number=Plur ~ leet")
    text = serializers.CharField(allow_blank=True)


def asker(request: Request) -> User:
    return cast(User, request.user)


class LanguageViewSet(viewsets.ReadOnlyModelViewSet[Language]):
    queryset = Language.objects.all()
    serializer_class = LanguageSerializer
    lookup_field = "code"
    lookup_value_regex = "[^/]+"

    @extend_schema(request=NewLanguageSerializer, responses={201: LanguageSerializer})
    def create(self, request: Request) -> Response:
        asked = NewLanguageSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        language = suites.add_language(**asked.validated_data, by=asker(request))
        return Response(LanguageSerializer(language).data, status=status.HTTP_201_CREATED)


class FunctionalityViewSet(viewsets.ReadOnlyModelViewSet[Functionality]):
    queryset = Functionality.objects.select_related("functionality_class", "example_language")
    serializer_class = FunctionalitySerializer
    lookup_field = "key"
    filterset_fields = ["gold_label", "functionality_class__key"]

    @extend_schema(request=NewFunctionalitySerializer, responses={201: FunctionalitySerializer})
    def create(self, request: Request) -> Response:
        asked = NewFunctionalitySerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        functionality = suites.add_functionality(**asked.validated_data, by=asker(request))
        return Response(FunctionalitySerializer(functionality).data, status=status.HTTP_201_CREATED)


class GroupViewSet(viewsets.ReadOnlyModelViewSet[ProtectedGroup]):
    queryset = ProtectedGroup.objects.all()
    serializer_class = GroupSerializer
    lookup_field = "key"

    @extend_schema(request=GroupSerializer, responses={201: GroupSerializer})
    def create(self, request: Request) -> Response:
        asked = GroupSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        facts = {"characteristic": "", **asked.validated_data}
        return Response(
            GroupSerializer(suites.add_group(**facts, by=asker(request))).data, status=status.HTTP_201_CREATED
        )


class SuiteViewSet(viewsets.ReadOnlyModelViewSet[Suite]):
    """Suites; making and changing one is for maintainers, its words are for experts of the language."""

    serializer_class = SuiteSerializer
    permission_classes = [SignedIn]
    lookup_field = "key"
    queryset = Suite.objects.none()

    def get_queryset(self) -> QuerySet[Suite]:
        return Suite.objects.visible_to(self.request.user).prefetch_related("languages")

    def create(self, request: Request) -> Response:
        asked = SuiteSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        facts = dict(asked.validated_data)
        languages = facts.pop("languages")
        suite = suites.save_suite(Suite(**facts), languages, by=asker(request))
        return Response(SuiteSerializer(suite).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=None, responses={202: dict})
    @action(detail=True, methods=["post"])
    def generate(self, request: Request, key: str) -> Response:
        """Queue the expansion of all approved templates."""
        require_workshop(request.user)
        suite = self.get_object()
        job = request_job(
            "curation.generate_cases", {"suite": suite.key}, title=f"Generate cases of {suite.name}", by=asker(request)
        )
        return Response({"job": job.key}, status=status.HTTP_202_ACCEPTED)

    @extend_schema(request={"multipart/form-data": ImportSerializer}, responses={202: dict})
    @action(detail=False, methods=["post"], url_path="import", parser_classes=[MultiPartParser])
    def import_(self, request: Request) -> Response:
        """Upload a table or a zip archive. The result of the job is the report, with every problem located."""
        require_maintainer(request.user)
        job = request_import(read_options(ImportSerializer, request.data), by=asker(request))
        return Response({"job": job.key}, status=status.HTTP_202_ACCEPTED)

    @extend_schema(
        parameters=[OpenApiParameter("as", str, enum=written_formats())], responses={(200, "application/zip"): bytes}
    )
    @action(detail=True, methods=["get"])
    def download(self, request: Request, key: str) -> HttpResponse:
        """The suite as a zip archive: its cases as CSV, or a published format.

        The published formats (`hatecheck`, `mhc`) hold the words and labels that were imported as well; words and
        labels made here are in neither. What does not fit the format is refused.
        """
        require_workshop(request.user)
        name, content = named_archive(self.get_object(), request.query_params.get("as", ""))
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(content, content_type="application/zip", headers=headers)

    @extend_schema(request=NewEntrySerializer, responses=EntrySerializer(many=True))
    @action(detail=True, methods=["get", "post"], url_path="entries")
    def entries(self, request: Request, key: str) -> Response:
        """The suite's words with their forms (`?language=&kind=`); posting adds one."""
        require_workshop(request.user)
        suite = self.get_object()
        if request.method == "POST":
            asked = NewEntrySerializer(data=request.data)
            asked.is_valid(raise_exception=True)
            facts = dict(asked.validated_data)
            language = get_object_or_404(Language, code=facts.pop("language"))
            entry = lexicon.add_entry(suite, language, **facts, by=asker(request))
            return Response(EntrySerializer(entry).data, status=status.HTTP_201_CREATED)
        found = LexiconEntry.objects.of(suite).select_related("language", "target").prefetch_related("forms").in_order()
        if code := request.query_params.get("language"):
            found = found.filter(language__code=code)
        if kind := request.query_params.get("kind"):
            found = found.filter(kind=kind)
        words: Any = found  # another model's rows on this view's pages
        page: list[Any] = self.paginate_queryset(words) or []
        return self.get_paginated_response(EntrySerializer(page, many=True).data)

    @extend_schema(methods=["GET"], responses=EntryWithCasesSerializer)
    @extend_schema(methods=["PATCH"], request=EntryChangeSerializer, responses=EntrySerializer)
    @extend_schema(methods=["DELETE"], responses={204: None})
    @action(detail=True, methods=["get", "patch", "delete"], url_path=r"entries/(?P<language>[^/]+)/(?P<entry>[^/]+)")
    def entry(self, request: Request, key: str, language: str, entry: str) -> Response:
        """Read or correct what is said about a word, or remove it with its forms.

        Once a word is removed, the next generation retires the cases made with it; `cases_retired_by_removal` says how
        many. Imported cases and released cases stay.
        """
        require_workshop(request.user)
        found = get_object_or_404(LexiconEntry, suite=self.get_object(), language__code=language, key=entry)
        if request.method == "GET":
            return Response(EntryWithCasesSerializer(found).data)
        if request.method == "DELETE":
            lexicon.remove_entry(found, by=asker(request))
            return Response(status=status.HTTP_204_NO_CONTENT)
        asked = EntryChangeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        now = {
            "lemma": found.lemma, "target": found.target.name if found.target else "", "inherent": found.inherent,
            "properties": found.properties,
        }  # fmt: skip
        changed = lexicon.change_entry(found, **{**now, **asked.validated_data}, by=asker(request))
        return Response(EntrySerializer(changed).data)

    @extend_schema(request=CellSerializer, responses=EntrySerializer)
    @action(detail=True, methods=["put"], url_path=r"entries/(?P<language>[^/]+)/(?P<entry>[^/]+)/forms")
    def forms(self, request: Request, key: str, language: str, entry: str) -> Response:
        """Write one cell of a word; an empty text empties it."""
        require_workshop(request.user)
        asked = CellSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        found = get_object_or_404(LexiconEntry, suite=self.get_object(), language__code=language, key=entry)
        try:
            cell = cell_from_title(asked.validated_data["cell"])
        except ValueError as error:
            raise serializers.ValidationError({"cell": [str(error)]}) from error
        lexicon.set_form(found, cell, asked.validated_data["text"], by=asker(request))
        return Response(EntrySerializer(found).data)
