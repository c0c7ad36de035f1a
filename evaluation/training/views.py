"""The page on which a baseline is trained."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.errors import DomainError
from accounts.models import User
from core.options.forms import OptionsForm
from core.permissions import require_maintainer
from evaluation.models import Dataset
from evaluation.training.options import TrainingOptions
from evaluation.training.services import request_training


class TrainingForm(OptionsForm[TrainingOptions]):
    """A baseline to train on a data set the person may see."""

    options = TrainingOptions

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = Dataset.objects.visible_to(user) if user else Dataset.objects.none()
        # With their labels: one of them has to be named below.
        choices = [(dataset.key, f"{dataset.title} ({', '.join(dataset.labels)})") for dataset in known]
        if choices:
            self.offer("dataset", choices, initial=choices[0][0] if len(choices) == 1 else None)
            self.offer("more_datasets", choices)
            self.offer("test_datasets", choices)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def model_train(request: HttpRequest) -> HttpResponse:
    """The form; a worker trains, and the job leads to the model."""
    require_maintainer(request.user)
    by = cast(User, request.user)
    datasets = Dataset.objects.visible_to(by)
    form = TrainingForm(request.POST or None, user=by)
    if request.method == "POST" and form.is_valid():
        try:
            job = request_training(datasets.get(key=form.chosen.dataset), form.chosen, by=by)
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "A worker trains it. You can leave this page.")
            return redirect(job)
    context = {"form": form, "has_data": datasets.exists()}
    return render(request, "evaluation/model_train.html", context, status=422 if form.errors else 200)
