"""Suites, languages, functionalities, groups and words."""

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.parsers import MultiPartParser
from accounts.api.permissions import SignedIn
from accounts.models import User
from core.jobs.services import request_job
from core.options import Options
from core.options.serializers import OptionsSerializer, read_options
from core.permissions import require_maintainer, require_workshop
from core.text import _
from curation.bundles.downloading import bundle_answer
from curation.bundles.options import BUNDLE
from curation.catalogue import languages, services, suites
from curation.catalogue.serializers import (
    CellSerializer,
    ChangeEntrySerializer,
    ChangeFunctionalitySerializer,
    ChangeLanguageSerializer,
    EntrySerializer,
    EntryWithCasesSerializer,
    FunctionalitySerializer,
    GroupSerializer,
    LanguageSerializer,
    NewEntrySerializer,
    NewFunctionalitySerializer,
    NewGroupSerializer,
    NewLanguageSerializer,
    NewSuiteSerializer,
    SuiteSerializer,
)
from curation.exporting.suites import named_archive
from curation.formats.registry import written_formats
from curation.importing.forms import ImportSerializer
from curation.importing.uploads import request_import
from curation.lexicon import services as lexicon
from curation.lexicon.paradigms import cell_from_title
from curation.models import Functionality, Language, LexiconEntry, ProtectedGroup, Suite
from curation.morphology.features import FeatureError

Chosen = TypeVar("Chosen", bound=Options)


def asker(request: Request) -> User:
    return cast(User, request.user)


def read_change(kind: type[OptionsSerializer[Chosen]], values: Mapping[str, Any], data: Any) -> Chosen:
    """Return the options of something that has `values` after a change; what is left out stays as it is."""
    given = kind(data=data, partial=True)
    given.is_valid(raise_exception=True)
    return cast(Chosen, kind.options(**{**values, **given.validated_data}))


class LanguageViewSet(viewsets.ReadOnlyModelViewSet[Language]):
    queryset = Language.objects.all()
    serializer_class = LanguageSerializer
    lookup_field = "code"
    lookup_value_regex = "[^/]+"

    @extend_schema(request=NewLanguageSerializer, responses={201: LanguageSerializer})
    def create(self, request: Request) -> Response:
        chosen = read_options(NewLanguageSerializer, request.data)
        language = languages.add_language(**chosen.plain(), by=asker(request))
        return Response(LanguageSerializer(language).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=ChangeLanguageSerializer, responses=LanguageSerializer)
    def partial_update(self, request: Request, code: str) -> Response:
        """Change what is said about a language; a feature value that is in use cannot be removed."""
        require_maintainer(request.user)
        language = self.get_object()
        chosen = read_change(ChangeLanguageSerializer, languages.language_values(language), request.data)
        languages.change_language(language, **chosen.plain(), by=asker(request))
        return Response(LanguageSerializer(language).data)


class FunctionalityViewSet(viewsets.ReadOnlyModelViewSet[Functionality]):
    queryset = Functionality.objects.select_related("functionality_class", "example_language")
    serializer_class = FunctionalitySerializer
    lookup_field = "key"
    filterset_fields = ["gold_label", "functionality_class__key"]

    @extend_schema(request=NewFunctionalitySerializer, responses={201: FunctionalitySerializer})
    def create(self, request: Request) -> Response:
        require_workshop(request.user)
        facts = services.functionality_facts(read_options(NewFunctionalitySerializer, request.data))
        functionality = services.add_functionality(**facts, by=asker(request))
        return Response(FunctionalitySerializer(functionality).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=ChangeFunctionalitySerializer, responses=FunctionalitySerializer)
    def partial_update(self, request: Request, key: str) -> Response:
        """Change what is said about a functionality; its key stays, and its gold label once it has templates."""
        require_maintainer(request.user)
        functionality = self.get_object()
        values = services.functionality_values(functionality)
        facts = services.functionality_facts(read_change(ChangeFunctionalitySerializer, values, request.data))
        services.change_functionality(functionality, **facts, by=asker(request))
        return Response(FunctionalitySerializer(functionality).data)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, key: str) -> Response:
        """Remove a functionality that nothing uses."""
        require_maintainer(request.user)
        services.remove_functionality(self.get_object(), by=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class GroupViewSet(viewsets.ReadOnlyModelViewSet[ProtectedGroup]):
    queryset = ProtectedGroup.objects.all()
    serializer_class = GroupSerializer
    lookup_field = "key"
    lookup_value_regex = "[^/]+"

    @extend_schema(request=NewGroupSerializer, responses={201: GroupSerializer})
    def create(self, request: Request) -> Response:
        require_workshop(request.user)
        group = services.add_group(**read_options(NewGroupSerializer, request.data).plain(), by=asker(request))
        return Response(GroupSerializer(group).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=NewGroupSerializer, responses=GroupSerializer)
    def partial_update(self, request: Request, key: str) -> Response:
        """Rename a group or change its characteristic; its key stays."""
        require_maintainer(request.user)
        group = self.get_object()
        values = {"name": group.name, "characteristic": group.characteristic}
        chosen = read_change(NewGroupSerializer, values, request.data)
        return Response(GroupSerializer(services.change_group(group, **chosen.plain(), by=asker(request))).data)

    @extend_schema(parameters=[OpenApiParameter("into", str)], responses={204: None})
    def destroy(self, request: Request, key: str) -> Response:
        """Remove a group that no word or case belongs to; `?into=KEY` merges it into another group instead."""
        require_maintainer(request.user)
        group = self.get_object()
        if into := request.query_params.get("into"):
            other = get_object_or_404(ProtectedGroup, key=into)
            services.merge_groups(group, into=other, by=asker(request))
        else:
            services.remove_group(group, by=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SuiteViewSet(viewsets.ReadOnlyModelViewSet[Suite]):
    """Suites; making and changing one is for maintainers, its words are for experts of the language."""

    serializer_class = SuiteSerializer
    permission_classes = [SignedIn]
    lookup_field = "key"
    queryset = Suite.objects.none()

    def get_queryset(self) -> QuerySet[Suite]:
        return Suite.objects.visible_to(self.request.user).prefetch_related("languages")

    @extend_schema(request=NewSuiteSerializer, responses={201: SuiteSerializer})
    def create(self, request: Request) -> Response:
        require_maintainer(request.user)
        suite = suites.apply_suite_options(read_options(NewSuiteSerializer, request.data), by=asker(request))
        return Response(SuiteSerializer(suite).data, status=status.HTTP_201_CREATED)

    @extend_schema(request=NewSuiteSerializer, responses=SuiteSerializer)
    def partial_update(self, request: Request, key: str) -> Response:
        """Change the settings of a suite; labels and languages that are in use stay."""
        require_maintainer(request.user)
        suite = self.get_object()
        chosen = read_change(NewSuiteSerializer, suites.suite_values(suite), request.data)
        return Response(SuiteSerializer(suites.apply_suite_options(chosen, suite, by=asker(request))).data)

    @extend_schema(request=None, responses={202: dict})
    @action(detail=True, methods=["post"])
    def generate(self, request: Request, key: str) -> Response:
        """Queue the expansion of all approved templates."""
        require_workshop(request.user)
        suite = self.get_object()
        title = _("Generate cases of %(suite)s", suite=suite.name)
        job = request_job("curation.generate_cases", {"suite": suite.key}, title=title, by=asker(request))
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
    def download(self, request: Request, key: str) -> HttpResponseBase:
        """Return the suite as a zip archive: its cases as CSV, a published format, or a bundle (`?as=bundle`).

        A bundle holds everything and can be imported whole elsewhere; `with_labels` adds verdicts and decisions.

        The published formats (`hatecheck`, `mhc`) hold the words and labels that were imported as well; words and
        labels made here are in neither. What does not fit the format is refused.
        """
        require_workshop(request.user)
        if request.query_params.get("as") == BUNDLE:
            return bundle_answer(self.get_object(), with_labels="with_labels" in request.query_params)
        name, content = named_archive(self.get_object(), request.query_params.get("as", ""))
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(content, content_type="application/zip", headers=headers)

    @extend_schema(request=NewEntrySerializer, responses=EntrySerializer(many=True))
    @action(detail=True, methods=["get", "post"], url_path="entries")
    def entries(self, request: Request, key: str) -> Response:
        """Return the suite's words with their forms (`?language=&kind=`); posting adds one."""
        require_workshop(request.user)
        suite = self.get_object()
        if request.method == "POST":
            facts = read_options(NewEntrySerializer, request.data).plain()
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
    @extend_schema(methods=["PATCH"], request=ChangeEntrySerializer, responses=EntrySerializer)
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
        chosen = read_change(ChangeEntrySerializer, lexicon.entry_values(found), request.data)
        changed = lexicon.change_entry(found, **chosen.plain(), by=asker(request))
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
        except FeatureError as error:
            raise serializers.ValidationError({"cell": [str(error)]}) from error
        given = asked.validated_data
        lexicon.set_form(found, cell, given["text"], was=given.get("was"), by=asker(request))
        return Response(EntrySerializer(found).data)
