"""Pages of API results."""

from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    """Hundred at a time by default, a thousand at most."""

    page_size_query_param = "page_size"
    max_page_size = 1000
