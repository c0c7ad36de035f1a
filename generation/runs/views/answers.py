"""What the model answered, word for word: the place to see why it declined or could not be read."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.text import _
from core.web import page_of, texts_are_covered
from generation.pages import expert_of, find_run
from generation.runs.answers import Outcome, answers_of, read_answer, with_outcome


class AnswerFilterForm(forms.Form):
    outcome = forms.ChoiceField(label=_("Outcome"), required=False, choices=[("", _("Any outcome")), *Outcome.choices])


@login_required
@require_safe
def answers_page(request: HttpRequest, key: str) -> HttpResponse:
    expert_of(request)
    run = find_run(request, key)
    form = AnswerFilterForm(request.GET)
    outcome = form.cleaned_data["outcome"] if form.is_valid() else ""
    rows = answers_of(run)
    page = page_of(request, with_outcome(rows, outcome) if outcome else rows, size=20)
    for answer in page.object_list:
        answer.reading = read_answer(answer)
    context = {"run": run, "form": form, "page": page, "covered": texts_are_covered(request), "outcome": outcome}
    return render(request, "generation/answers.html", context)
