"""Pages of API results, by number or by cursor."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import CursorPagination, PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response

from core.text import _

CURSOR, NUMBER, SIZE = "cursor", "page", "page_size"
LARGEST = 1000


class Cursors(CursorPagination):
    """In the order in which rows were made, so that nothing is missed or repeated while others are added."""

    ordering = "pk"
    page_size_query_param = SIZE
    max_page_size = LARGEST
    cursor_query_param = CURSOR

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: Any) -> tuple[str, ...]:
        return ("pk",)


class Pages(PageNumberPagination):
    """Hundred at a time by default, a thousand at most. With `cursor`, also an empty one, the pages of a cursor."""

    page_size_query_param = SIZE
    max_page_size = LARGEST
    cursors: Cursors | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        if CURSOR not in request.query_params:
            return super().paginate_queryset(queryset, request, view)
        if NUMBER in request.query_params:
            raise ValidationError({CURSOR: [str(_("Give 'page' or 'cursor', not both."))]})
        if not isinstance(queryset, QuerySet):
            raise ValidationError({CURSOR: [str(_("This list has no cursor. Use 'page'."))]})
        self.cursors = Cursors()
        return self.cursors.paginate_queryset(queryset, request, view)

    def get_paginated_response(self, data: Any) -> Response:
        return self.cursors.get_paginated_response(data) if self.cursors else super().get_paginated_response(data)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        cursor = {
            "name": CURSOR,
            "in": "query",
            "required": False,
            "schema": {"type": "string"},
            "description": "Pages in the order in which rows were made, instead of by number: empty for the first one, "
            "then follow `next`. Nothing is missed or repeated while rows are added.",
        }
        return [*super().get_schema_operation_parameters(view), cursor]

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        described["required"] = ["results"]  # there is no count with a cursor
        return described
