"""Results as files and as links, over the API: the same services and rights as the pages."""

from typing import Any, cast

from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from accounts.models import User
from core.charts import FORMS
from core.errors import Missing
from core.options.serializers import read_options
from core.permissions import require_maintainer
from core.text import _
from curation.models import Release
from curation.releases.access import can_read_cases
from evaluation.artefacts.api import read_values
from evaluation.models import EvaluationRun, SharedReport
from evaluation.reports.pictures import PICTURES
from evaluation.results.api.results import find_release
from evaluation.results.charting import CHARTS, chart_of
from evaluation.results.documents import FORMATS as DOCUMENTS
from evaluation.results.documents import make_document, read_scope
from evaluation.results.models import SharedReportQuerySet
from evaluation.results.naming import names_of
from evaluation.results.pictures import make_picture
from evaluation.results.reporting import as_json, newest_runs, no_finished_run, runs_by_key
from evaluation.results.serializers import (
    DocumentSerializer,
    PictureSerializer,
    SharedReportSerializer,
    ShareSerializer,
)
from evaluation.results.sharing import open_link, share_report, withdraw_link
from evaluation.runs.models import RunState

MEDIA_TYPES = sorted({kind.partition(";")[0] for ending, kind in DOCUMENTS.values()})
WHICH = ("release", "model", "run", "link")  # what of; the other parameters are options
ANY_DOCUMENT = dict.fromkeys(((200, kind) for kind in MEDIA_TYPES), OpenApiTypes.BINARY)


class DocumentView(APIView):
    """A report of several models as one file."""

    @extend_schema(
        parameters=[
            OpenApiParameter("file_format", str, OpenApiParameter.PATH, enum=list(DOCUMENTS)),
            OpenApiParameter("release", str, description="suite@version: the newest run of each model."),
            OpenApiParameter("model", str, many=True, description="With release: only these models."),
            OpenApiParameter("run", str, many=True, description="Instead: keys of runs."),
            OpenApiParameter("link", str, description="Instead: the token of a link."),
            DocumentSerializer,
        ],
        responses=ANY_DOCUMENT,
    )
    def get(self, request: Request, file_format: str) -> HttpResponse:
        """HTML, PDF, LaTeX, tables of the papers, CSV, JSON or JUnit, as page and command `report` write it.

        `eval_results` (Hugging Face) and `every_eval_ever` are about one model.
        """
        release, runs = self._chosen(request)
        scope = read_scope(request.query_params.dict(), with_examples=can_read_cases(request.user, release))
        document = make_document(release, runs, file_format, scope=scope)
        response = HttpResponse(document.content, content_type=document.content_type)
        response["Content-Disposition"] = f'attachment; filename="{document.name}"'
        return response

    def _chosen(self, request: Request) -> tuple[Release, list[EvaluationRun]]:
        asked = request.query_params
        if token := asked.get("link", ""):
            shared, runs = open_link(token)
            return shared.release, runs
        among = EvaluationRun.objects.visible_to(request.user)
        if key := asked.get("release", ""):
            release = find_release(request, key)
            found = newest_runs(release, asked.getlist("model") or None, among=among)
            if not found:
                raise Missing(_("There are no results on %(release)s yet.", release=release.key))
            return release, found
        runs = runs_by_key(asked.getlist("run"), among=among)
        return runs[0].release, runs


class PictureView(DocumentView):
    """A picture of one model or several as a file."""

    @extend_schema(
        parameters=[
            OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=list(PICTURES)),
            OpenApiParameter("release", str, description="suite@version: the newest run of each model."),
            OpenApiParameter("model", str, many=True, description="With release: only these models."),
            OpenApiParameter("run", str, many=True, description="Instead: keys of runs."),
            OpenApiParameter("link", str, description="Instead: the token of a link."),
            PictureSerializer,
        ],
        responses={(200, kind): OpenApiTypes.BINARY for kind in FORMS.values()},
    )
    def get(self, request: Request, kind: str) -> HttpResponse:
        """Forest plot, dumbbells, heat map, reliability diagram or radar, as page and command `picture` draw it."""
        release, runs = self._chosen(request)
        given = {name: value for name, value in request.query_params.items() if name not in WHICH}
        picture = make_picture(release, runs, kind, read_options(PictureSerializer, given))
        response = HttpResponse(picture.content, content_type=picture.content_type)
        response["Content-Disposition"] = f'inline; filename="{picture.name}"'
        return response


class ChartView(APIView):
    """A picture of one run."""

    @extend_schema(
        parameters=[
            OpenApiParameter("name", str, OpenApiParameter.PATH, enum=list(CHARTS)),
            OpenApiParameter("language", str, description="The language of its words, such as en."),
        ],
        responses={(200, "image/svg+xml"): OpenApiTypes.STR},
    )
    def get(self, request: Request, key: str, name: str) -> HttpResponse:
        """The chart as SVG on light paper."""
        runs = EvaluationRun.objects.visible_to(request.user).filter(key=key, state=RunState.DONE)
        run = runs.select_related("report", "release").first()
        if run is None:
            raise Missing(no_finished_run(key))
        language = read_scope(request.query_params.dict(), with_examples=False).language
        with translation.override(language):
            drawn = chart_of(run.report.values, name, names_of(run.release), language=language)
        return HttpResponse(drawn, content_type="image/svg+xml")


class SharedReportViewSet(ListModelMixin, GenericViewSet[SharedReport]):
    """Links to results for people without an account."""

    queryset = SharedReport.objects.none()
    serializer_class = SharedReportSerializer
    lookup_field = "token"
    lookup_value_regex = "[A-Za-z0-9_-]+"

    def get_queryset(self) -> SharedReportQuerySet:
        return SharedReport.objects.usable().select_related("release__suite").prefetch_related("runs")

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The links that still lead somewhere; for maintainers."""
        require_maintainer(request.user)
        return super().list(request, *args, **kwargs)

    @extend_schema(request=ShareSerializer, responses={201: SharedReportSerializer})
    def create(self, request: Request) -> Response:
        """Make a link to the measures of these runs."""
        require_maintainer(request.user)
        keys = read_values(ShareSerializer, request.data)["runs"]
        runs = runs_by_key(keys, among=EvaluationRun.objects.visible_to(request.user))
        shared = share_report(runs[0].release, runs, by=cast(User, request.user))
        return Response(self.get_serializer(shared).data, status=201)

    @extend_schema(responses={200: OpenApiTypes.OBJECT})
    def retrieve(self, request: Request, token: str) -> Response:
        """{release, models: {name: measures}}, for anyone who has the token."""
        shared, runs = open_link(token)
        return Response(as_json(shared.release, runs))

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, token: str) -> Response:
        """Revoke the link: it stops working at once."""
        withdraw_link(token, by=cast(User, request.user))
        return Response(status=204)
