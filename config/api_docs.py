"""The API's schema, and its documentation page under the same content security policy as every page."""

from typing import Any

from django.utils import translation
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.response import Response


class DocumentationView(SpectacularSwaggerSplitView):
    """Swagger UI with its start script from an address of its own, so that nothing is written into the page."""

    template_name = "config/api_docs.html"
    permission_classes = []


class EnglishSchemaView(SpectacularAPIView):
    """The schema, in English whoever asks: programmers read it, and generated clients should not differ."""

    @extend_schema(exclude=True)
    def get(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        with translation.override("en"):
            answer: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        return answer


JSON = "application/json"
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "maxLength": 200},
    "description": "Any text of your own, such as a UUID, new for each request. The request is carried out once: sent "
    "again within 24 hours it gets the first answer, with the header Idempotent-Replayed.",
}


def describe_idempotency_keys(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the header to every POST: all of them understand it (`core.idempotency`)."""
    for methods in result["paths"].values():
        if "post" in methods:
            methods["post"].setdefault("parameters", []).append(dict(IDEMPOTENCY_KEY))
    return result


def describe_bodies_as_json(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Name JSON alone where a body may also be a form: generated clients would send all of them at once."""
    for methods in result["paths"].values():
        for operation in methods.values():
            kinds = operation.get("requestBody", {}).get("content", {})
            if JSON in kinds:
                operation["requestBody"]["content"] = {JSON: kinds[JSON]}
    return result
