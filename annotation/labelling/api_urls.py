"""The API for labelling."""

from django.urls import URLPattern, path

from annotation.labelling import api as labelling

urlpatterns: list[URLPattern] = [
    path("labelling/<slug:key>", labelling.TaskView.as_view(), name="api-labelling"),
    path("labelling/<slug:key>/exchange", labelling.ExchangeView.as_view(), name="api-labelling-exchange"),
    path("labelling/<slug:key>/leave", labelling.LeaveView.as_view(), name="api-labelling-leave"),
]
