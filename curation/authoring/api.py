"""Templates over the API: thin callers of the same services as the pages."""

from dataclasses import asdict
from typing import cast

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import SignedIn
from accounts.models import User
from core.errors import Missing
from core.options.serializers import read_options
from core.permissions import require_workshop
from core.text import _, shown
from curation.authoring import reviewing
from curation.authoring import services as authoring
from curation.authoring.bulk_editing import change_many
from curation.authoring.details import resolved_facts
from curation.authoring.gold_labels import typed_label
from curation.authoring.listing import TemplateChoice, templates_matching, with_wordings
from curation.authoring.preview import preview
from curation.authoring.serializers import (
    ChangeTemplateSerializer,
    ManyTemplatesSerializer,
    NewTemplateSerializer,
    RejectionSerializer,
    ReviewCommentSerializer,
    TemplatePreviewSerializer,
    TemplateSerializer,
    TemplateVersionSerializer,
    variant_texts,
)
from curation.finding import named
from curation.models import Language, Suite, Template

FILTERS = [
    OpenApiParameter(name, str, OpenApiParameter.QUERY)
    for name in ("suite", "language", "functionality", "state", "q", "sort")
]


def author_of(request: Request) -> User:
    """Return the person who asks; refuse people without a role in the workshop."""
    require_workshop(request.user)
    return cast(User, request.user)


class TemplateView(GenericAPIView[Template]):
    """What the endpoints about one template share."""

    permission_classes = [SignedIn]
    serializer_class = TemplateSerializer
    queryset = Template.objects.none()  # for the schema

    def template(self) -> Template:
        templates = Template.objects.select_related("suite", "language", "functionality", "target")
        visible = templates.filter(suite__in=Suite.objects.visible_to(self.request.user))
        names = self.kwargs
        return get_object_or_404(visible, suite__key=names["suite"], language__code=names["language"], key=names["key"])

    def shown(self, template: Template, status: int = 200) -> Response:
        context = {"wordings": with_wordings([template])}
        return Response(TemplateSerializer(template, context=context).data, status=status)


class Templates(TemplateView):
    """Templates of the suites you may see."""

    @extend_schema(parameters=FILTERS, responses=TemplateSerializer(many=True), operation_id="templates_list")
    def get(self, request: Request) -> Response:
        author_of(request)
        asked = {
            name: request.query_params.get(name, "") for name in ("suite", "language", "functionality", "state", "sort")
        }
        choice = TemplateChoice(**asked, search=request.query_params.get("q", ""))
        page = self.paginate_queryset(templates_matching(choice, Suite.objects.visible_to(request.user))) or []
        answer = TemplateSerializer(page, many=True, context={"wordings": with_wordings(page)})
        return self.get_paginated_response(answer.data)

    @extend_schema(request=NewTemplateSerializer, responses={201: TemplateSerializer})
    def post(self, request: Request) -> Response:
        """Add a template, with a first draft where texts are given."""
        by = author_of(request)
        facts = read_options(NewTemplateSerializer, request.data).model_dump()
        suite = named(Suite.objects.visible_to(request.user), "suite", key=facts.pop("suite"))
        language = named(Language.objects.all(), "language", code=facts.pop("language"))
        facts["variants"] = variant_texts(facts["variants"])
        made = authoring.create_template(suite, language, by=by, **resolved_facts(facts, language))
        return self.shown(made, 201)


class ManyTemplates(TemplateView):
    @extend_schema(request=ManyTemplatesSerializer, responses={200: OpenApiTypes.OBJECT})
    def post(self, request: Request) -> Response:
        """Do one thing to many templates: each stands or falls by itself, and the answer says why some were refused."""
        by = author_of(request)
        form = ManyTemplatesSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked = form.validated_data
        suite = named(Suite.objects.visible_to(request.user), "suite", key=asked["suite"])
        templates = Template.objects.of(suite).filter(language__code=asked["language"], key__in=asked["keys"])
        chosen = list(templates.select_related("suite", "language", "functionality", "target").in_order())
        if unknown := sorted(set(asked["keys"]) - {template.key for template in chosen}):
            raise Missing(
                _(
                    "These templates do not exist in %(suite)s, %(language)s: %(templates)s.",
                    suite=suite.key,
                    language=asked["language"],
                    templates=unknown,
                )
            )
        report = change_many(chosen, asked["action"], by=by, value=asked["value"])
        refused = [{"key": template.key, "reason": str(reason)} for template, reason in report.refused]
        return Response({"done": report.done, "refused": refused})


class OneTemplate(TemplateView):
    """A template with its newest wording."""

    @extend_schema(operation_id="templates_retrieve")
    def get(self, request: Request, suite: str, language: str, key: str) -> Response:
        author_of(request)
        return self.shown(self.template())

    @extend_schema(request=ChangeTemplateSerializer, responses=TemplateSerializer)
    def patch(self, request: Request, suite: str, language: str, key: str) -> Response:
        """Change facts, and save texts as a draft (a new version where the newest is decided)."""
        by = author_of(request)
        template = self.template()
        given = ChangeTemplateSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        values = dict(given.validated_data)
        variants = values.pop("variants", None)
        texts = None if variants is None else variant_texts(variants)
        facts = resolved_facts(values, template.language)
        return self.shown(authoring.change_template(template, by=by, variants=texts, **facts))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, suite: str, language: str, key: str) -> Response:
        """Delete a template that was never approved."""
        authoring.delete_template(self.template(), by=author_of(request))
        return Response(status=204)


class TemplateVersions(TemplateView):
    """All versions of a template, newest first."""

    pagination_class = None  # one list: a template has few versions

    @extend_schema(responses=TemplateVersionSerializer(many=True), operation_id="templates_versions")
    def get(self, request: Request, suite: str, language: str, key: str) -> Response:
        author_of(request)
        versions = self.template().versions.select_related("author", "reviewer").prefetch_related("variants")
        return Response(TemplateVersionSerializer(versions, many=True).data)


class SubmitTemplate(TemplateView):
    @extend_schema(request=None, responses=TemplateSerializer)
    def post(self, request: Request, suite: str, language: str, key: str) -> Response:
        """Hand the draft in for review."""
        template = self.template()
        authoring.submit_version(authoring.require_newest(template), by=author_of(request))
        return self.shown(template)


class WithdrawTemplate(TemplateView):
    @extend_schema(request=None, responses=TemplateSerializer)
    def post(self, request: Request, suite: str, language: str, key: str) -> Response:
        """Take a submitted version back."""
        template = self.template()
        authoring.withdraw_version(authoring.require_newest(template), by=author_of(request))
        return self.shown(template)


class ApproveTemplate(TemplateView):
    @extend_schema(request=None, responses=TemplateSerializer)
    def post(self, request: Request, suite: str, language: str, key: str) -> Response:
        """Approve what another person submitted."""
        template = self.template()
        reviewing.approve_version(authoring.require_newest(template), by=author_of(request))
        return self.shown(template)


class RejectTemplate(TemplateView):
    @extend_schema(request=RejectionSerializer, responses=TemplateSerializer)
    def post(self, request: Request, suite: str, language: str, key: str) -> Response:
        """Reject what another person submitted, with a reason."""
        form = RejectionSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        template, reason = self.template(), form.validated_data["reason"]
        reviewing.reject_version(authoring.require_newest(template), by=author_of(request), reason=reason)
        return self.shown(template)


class TemplateComments(TemplateView):
    """Remarks on the newest version."""

    pagination_class = None

    @extend_schema(responses=ReviewCommentSerializer(many=True), operation_id="templates_comments")
    def get(self, request: Request, suite: str, language: str, key: str) -> Response:
        author_of(request)
        version = authoring.require_newest(self.template())
        return Response(ReviewCommentSerializer(version.comments.select_related("author"), many=True).data)

    @extend_schema(request=ReviewCommentSerializer, responses={201: ReviewCommentSerializer})
    def post(self, request: Request, suite: str, language: str, key: str) -> Response:
        form = ReviewCommentSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        version = authoring.require_newest(self.template())
        comment = reviewing.comment_on(version, by=author_of(request), text=form.validated_data["text"])
        return Response(ReviewCommentSerializer(comment).data, status=201)


class PreviewTemplate(TemplateView):
    @extend_schema(request=TemplatePreviewSerializer, responses={200: OpenApiTypes.OBJECT})
    def post(self, request: Request) -> Response:
        """Return the cases texts would give, faults with their place, missing forms, equal texts, cases by group."""
        author_of(request)
        form = TemplatePreviewSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked = form.validated_data
        suite = named(Suite.objects.visible_to(request.user), "suite", key=asked["suite"])
        language = named(Language.objects.all(), "language", code=asked["language"])
        template = Template.objects.of(suite).filter(language=language, key=asked["template"]).first()
        label = typed_label(asked["functionality"], asked["label_gold"])
        texts, defaults = variant_texts(asked["variants"]), asked["defaults"]
        seen = preview(suite, language, texts, defaults=defaults, template=template, label=label)
        return Response(
            {
                "total": seen.total,
                "label_gold": seen.label,
                "cases": [shown(asdict(case)) for case in seen.cases],
                "findings": [shown(finding._asdict()) for finding in seen.findings],
                "missing": [shown(asdict(form)) for form in seen.missing],
                "groups": dict(seen.groups),
            }
        )
