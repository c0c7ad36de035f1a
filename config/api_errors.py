"""Refusals of the API as problem+json, from one place."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.errors import DomainError
from core.extras import missing_extra
from core.text import _

PROBLEM = "application/problem+json"
CSRF_FAILED = "CSRF Failed"  # how REST framework begins its sentence about a session's token


def problem_response(error: Exception, context: dict[str, Any]) -> Response | None:
    """Every refusal as RFC 9457 problem details: code, title, status, fields. Always JSON, whatever was asked for."""
    if (request := context.get("request")) is not None:
        request.accepted_renderer = JSONRenderer()
        request.accepted_media_type = JSONRenderer.media_type
    error = missing_extra(error) or error
    if isinstance(error, DomainError):
        return Response(error.as_problem(), status=error.status, content_type=PROBLEM)
    response = exception_handler(error, context)
    if response is None:
        return None
    response.data = _describe(error, response)
    response.content_type = PROBLEM
    return response


def _describe(error: Exception, response: Response) -> dict[str, Any]:
    status = response.status_code
    if isinstance(error, exceptions.ValidationError):
        fields = error.detail if isinstance(error.detail, dict) else {"non_field_errors": error.detail}
        return {"code": "invalid", "title": str(_("Some fields are wrong.")), "status": status, "fields": fields}
    if isinstance(error, Http404):
        title = str(_("There is nothing here, or you do not have access to it."))
        return {"code": "not_found", "title": title, "status": status}
    if isinstance(error, PermissionDenied):
        title = str(error) or str(_("This needs another role."))
        return {"code": "permission_denied", "title": title, "status": status}
    code = getattr(error, "default_code", "error")
    detail = getattr(error, "detail", None)
    if str(detail).startswith(CSRF_FAILED):
        detail = _("This page has expired, or another person signed in on this browser. Sign in again.")
    return {"code": code, "title": str(detail or _("The request was refused.")), "status": status}
