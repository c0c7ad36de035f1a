"""Before a release is published: preview, build, stop."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from core.permissions import require_maintainer
from curation.catalogue.models import Policy
from curation.models import Suite
from curation.releases import services as releases
from curation.releases.api.base import KEY, Part, person
from curation.releases.models import Cascade, WithoutLabels
from curation.releases.planning import plan_freeze
from curation.releases.preview import preview
from curation.releases.rules import freeze_settings


class PreviewSerializer(serializers.Serializer[Any]):
    """Rules that are left out are those of the standing decision, otherwise the suite's."""

    suite = serializers.CharField()
    policy = serializers.ChoiceField(choices=Policy.choices, required=False)
    min_agree = serializers.IntegerField(min_value=0, required=False)
    cascade = serializers.ChoiceField(choices=Cascade.choices, required=False)
    without_labels = serializers.ChoiceField(choices=WithoutLabels.choices, required=False)


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


class ReleaseMaking(Part):
    @extend_schema(parameters=[PreviewSerializer], responses=FreezePreviewSerializer)
    @action(detail=False, permission_classes=[SignedIn], pagination_class=None, filter_backends=[])
    def preview(self, request: Request) -> Response:
        """What would be in and out, and why. Writes nothing."""
        require_maintainer(person(request))
        form = PreviewSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        chosen = form.validated_data
        suite = get_object_or_404(Suite.objects.visible_to(person(request)), key=chosen["suite"])
        rules = freeze_settings(suite, **{name: chosen[name] for name in chosen if name != "suite"})
        plan = plan_freeze(suite, rules)
        return Response(FreezePreviewSerializer(preview(suite, plan)).data)

    @extend_schema(parameters=[KEY], request=None, responses={202: BuildSerializer})
    @action(detail=True, methods=["post"])
    def build(self, request: Request, key: str) -> Response:
        """Build a draft, or a candidate again; the job says how far it is."""
        release = self.get_object()
        job = releases.request_build(release, by=person(request))
        return Response({"release": release.key, "job": job.key}, status=202)

    @extend_schema(parameters=[KEY], request=None, responses={204: None})
    @action(detail=True, methods=["post"])
    def stop(self, request: Request, key: str) -> Response:
        """Stop the build; a draft is left."""
        releases.stop_build(self.get_object(), by=person(request))
        return Response(status=204)
