"""What the pages of generation share."""

from __future__ import annotations

from typing import cast

from django import forms
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from accounts.models import User
from core.permissions import require_workshop
from curation.models import Functionality
from generation.models import GenerationRun


def expert_of(request: HttpRequest) -> User:
    """Whoever is signed in, if the workshop is open to them; refuses everybody else."""
    require_workshop(request.user)
    return cast(User, request.user)


def any_functionality() -> forms.ModelChoiceField[Functionality]:
    """A form's choice of one functionality, or of all."""
    return forms.ModelChoiceField(
        Functionality.objects.all(),
        to_field_name="key",
        label="Functionality",
        required=False,
        empty_label="All functionalities",
    )


def find_run(request: HttpRequest, key: str) -> GenerationRun:
    """A run the person may see; 404 where there is none."""
    runs = GenerationRun.objects.visible_to(request.user).select_related(
        "suite", "language", "functionality", "prompt", "job", "requested_by"
    )
    return get_object_or_404(runs, key=key)


def threshold_of(request: HttpRequest, default: float) -> float:
    """The threshold an address asks for, between 0 and 1; nonsense is the default."""
    try:
        asked = float(request.GET.get("threshold", ""))
    except ValueError:
        return default
    return asked if 0 <= asked <= 1 else default
