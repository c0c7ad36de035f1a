"""Models by name, over the API."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from core.errors import Missing
from core.text import _
from evaluation.runners.preset_files import preset_names, presets, read_preset

NAME = OpenApiParameter("name", str, OpenApiParameter.PATH)


class PresetViewSet(ViewSet):
    """Models that can be named: `preset:NAME` as the spec of a model."""

    lookup_field = "name"
    lookup_value_regex = "[^/]+"

    @extend_schema(operation_id="model_presets_list", responses=OpenApiTypes.OBJECT)
    def list(self, request: Request) -> Response:
        """All of them, with what each counts as hateful and where that is documented."""
        return Response([preset.as_json() for preset in presets()])

    @extend_schema(operation_id="model_presets_retrieve", parameters=[NAME], responses=OpenApiTypes.OBJECT)
    def retrieve(self, request: Request, name: str) -> Response:
        """One of them with its settings."""
        if name not in preset_names():
            raise Missing(_("There is no preset '%(preset)s'.", preset=name[:60]))
        return Response(read_preset(name).as_json())
