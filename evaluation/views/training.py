"""The page on which a baseline is trained."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.errors import DomainError
from accounts.models import User
from curation.permissions import require_maintainer
from evaluation.models import Dataset
from evaluation.services.training import LINEAR, Tuning, request_training
from evaluation.views.comma_fields import NumbersField, split_at_commas

TRAINERS = [
    (LINEAR[0], "TF-IDF and logistic regression"),
    (LINEAR[1], "TF-IDF and a linear SVM"),
    ("hf", "An encoder, fine-tuned"),
]


class DatasetField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """Data sets with their labels: one has to be named below."""

    def label_from_instance(self, dataset: Dataset) -> str:
        return f"{dataset.title} ({', '.join(dataset.labels)})"


class TrainingForm(forms.Form):
    name = forms.CharField(max_length=160, help_text="As you would call it in a paper.")
    dataset = DatasetField(
        Dataset.objects.none(), to_field_name="key", label="Data set", help_text="Its labels are in brackets."
    )
    positive = forms.CharField(
        label="Labels that mean hateful", help_text="As they are in the data, with commas. All others are non-hateful."
    )
    trainer = forms.ChoiceField(label="What to train", choices=TRAINERS)
    encoder = forms.CharField(
        required=False, max_length=500, help_text="Folder or hub id, such as distilroberta-base. Linear ones need none."
    )
    published_split = forms.BooleanField(
        required=False, label="Use the data's own parts", help_text="Otherwise 80/10/10, each label alike."
    )
    epochs = NumbersField(int, initial="3", help_text="Several numbers with commas are a grid search.")
    learning_rate = NumbersField(float, initial="5e-5")
    batch_size = NumbersField(int, initial="16")
    seeds = NumbersField(int, initial="0", help_text="One training each; the best on the validation part is kept.")

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = Dataset.objects.visible_to(user)
        self.fields["dataset"].queryset = known  # type: ignore[attr-defined]
        if len(only := known[:2]) == 1:
            self.fields["dataset"].initial = only[0].key

    def clean_positive(self) -> list[str]:
        return split_at_commas(self.cleaned_data["positive"])

    def trainer_value(self) -> str:
        chosen = str(self.cleaned_data["trainer"])
        return f"hf:{self.cleaned_data['encoder'].strip()}" if chosen == "hf" else chosen

    def tuning(self) -> Tuning:
        names = ("epochs", "learning_rate", "batch_size", "seeds", "published_split")
        return Tuning(**{name: self.cleaned_data[name] for name in names})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def model_train(request: HttpRequest) -> HttpResponse:
    """The form; a worker trains, and the job leads to the model."""
    require_maintainer(request.user)
    by = cast(User, request.user)
    form = TrainingForm(by, request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            job = request_training(
                values["name"],
                values["dataset"],
                trainer=form.trainer_value(),
                positive=values["positive"],
                by=by,
                tuning=form.tuning(),
            )
        except DomainError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "A worker trains it. You can leave this page.")
            return redirect(job)
    context = {"form": form, "has_data": form.fields["dataset"].queryset.exists()}  # type: ignore[attr-defined]
    return render(request, "evaluation/model_train.html", context, status=422 if form.errors else 200)
