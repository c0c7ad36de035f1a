"""The API's documentation page, under the same content security policy as every page."""

from drf_spectacular.views import SpectacularSwaggerSplitView


class DocumentationView(SpectacularSwaggerSplitView):
    """Swagger UI with its start script from an address of its own, so that nothing is written into the page."""

    template_name = "config/api_docs.html"
    permission_classes = []
