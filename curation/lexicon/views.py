"""The paradigm grid: words down, cells across, editable cell by cell."""

import json

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.plain_values import problem_with
from core.errors import BadInput, DomainError
from core.permissions import can_author
from core.text import _, catalogue_name, ngettext
from core.web import author_of, csv_download
from curation.authoring.pages import chosen_place
from curation.lexicon import files as lexicon_files
from curation.lexicon import services as lexicon
from curation.lexicon.checks import spelling_properties
from curation.lexicon.forms import EntryForm, NewEntryForm
from curation.lexicon.paradigms import Cell, cell_from_title, grid_of, kinds_of
from curation.lexicon.removal import removal_of
from curation.models import Language, LexiconEntry, Suite
from curation.morphology.features import FeatureError

LARGEST_FILE = 5 * 2**20


def address(suite: Suite, language: Language, kind: str) -> str:
    query = {"suite": suite.key, "language": language.code, "kind": kind}
    return f"{reverse('curation:lexicon')}?{urlencode(query)}"


@login_required
@require_safe
def lexicon_page(request: HttpRequest) -> HttpResponseBase:
    """Show the grid of one kind of word in one language of a suite."""
    author_of(request)
    suite, language, suites, languages = chosen_place(request)
    context: dict[str, object] = {"suite": suite, "language": language, "suites": suites, "languages": languages}
    if suite and language:
        kinds = kinds_of(suite, language)
        kind = request.GET.get("kind") or kinds[0]
        perturbed = request.GET.get("perturbed") == "yes"
        if request.GET.get("download") == "csv":
            header, *rows = lexicon_files.csv_rows(suite, language, kind)
            return csv_download(f"{suite.key}-{language.code}-{kind}", header, rows)
        columns = request.GET.get("columns", "")
        extra, refused = _extra_column(request.GET.get("column", ""))
        context |= {
            "kinds": kinds, "kind": kind, "perturbed": perturbed, "extra": extra, "refused": refused,
            "grid": grid_of(suite, language, kind, perturbed=perturbed, columns=columns, extra=extra),
            "can_write": can_author(request.user, language.code), "form": NewEntryForm(language=language),
            "csv_columns": [*lexicon_files.FACTS, *(wanted.name for wanted in spelling_properties(language))],
        }  # fmt: skip
    return render(request, "curation/lexicon.html", context)


def _extra_column(title: str) -> tuple[list[Cell], str]:
    """Return a column asked for by its features, and why there is none."""
    try:
        return ([cell_from_title(title)] if title.strip() else []), ""
    except FeatureError as error:
        return [], _(
            "'%(column)s' is not a column: %(problem)s. Write it like Gender=Fem|Number=Plur.",
            column=title[:60],
            problem=error.problem,
        )


def _place(request: HttpRequest) -> tuple[Suite, Language, str]:
    suite = get_object_or_404(Suite.objects.visible_to(request.user), key=request.POST.get("suite"))
    language = get_object_or_404(Language, code=request.POST.get("language"))
    return suite, language, request.POST.get("kind", "")


@login_required
@require_POST
def write_cell(request: HttpRequest) -> HttpResponse:
    """Write one cell, or a block pasted into it; answer with what stands there now."""
    by = author_of(request)
    try:
        asked = json.loads(request.body)
        cell = cell_from_title(asked["cell"])
        text, entry_key = str(asked["text"]), str(asked["entry"])
        was = str(asked["was"]) if "was" in asked else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(_("The cell could not be read. Reload the page and try again.")) from error
    if problem := problem_with(asked):
        raise BadInput(problem)
    suite = get_object_or_404(Suite.objects.visible_to(request.user), key=asked.get("suite"))
    language = get_object_or_404(Language, code=asked.get("language"))
    if "\t" in text or "\n" in text.strip("\r\n"):
        written = lexicon.paste_forms(
            suite,
            language,
            str(asked.get("kind", "")),
            first_entry=entry_key,
            first_cell=cell,
            text=text,
            perturbed=bool(asked.get("perturbed")),
            columns=str(asked.get("columns", "")),
            extra=_extra_column(str(asked.get("extra", "")))[0],
            by=by,
        )
        return JsonResponse({"written": written})
    entry = get_object_or_404(LexiconEntry, suite=suite, language=language, key=entry_key)
    form = lexicon.set_form(entry, cell, text.strip("\r\n"), by=by, was=was)
    return JsonResponse({"written": 1, "text": form.text if form else ""})


@login_required
@require_POST
def add_word(request: HttpRequest) -> HttpResponse:
    by = author_of(request)
    suite, language, kind = _place(request)
    form = NewEntryForm(request.POST, language=language)
    if form.is_valid():
        facts = form.chosen.model_dump(exclude={"language", "kind"})
        entry = lexicon.add_entry(suite, language, kind=kind, **facts, by=by)
        messages.success(request, _("'%(word)s' was added.", word=entry.lemma))
    else:
        for name, told in form.errors.items():
            text = str(told[0])
            if name in form.fields:
                text = _("%(field)s: %(problem)s", field=form[name].label, problem=text)
            messages.error(request, text)
    return redirect(address(suite, language, kind))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def word_page(request: HttpRequest, suite: str, language: str, key: str) -> HttpResponse:
    """Show what is said about one word: its group, features of its own, spelling around it."""
    by = author_of(request)
    visible = Suite.objects.visible_to(request.user)
    entry = get_object_or_404(
        LexiconEntry.objects.select_related("suite", "language", "target"),
        suite__in=visible, suite__key=suite, language__code=language, key=key,
    )  # fmt: skip
    initial = lexicon.entry_values(entry) | entry.properties
    form = EntryForm(request.POST or None, language=entry.language, initial=initial)
    back = address(entry.suite, entry.language, entry.kind)
    if request.method == "POST":
        if request.POST.get("then") == "remove":
            removal = lexicon.remove_entry(entry, by=by)
            text = _("'%(word)s' was removed. %(effect)s", word=entry.lemma, effect=removal.sentence)
            messages.success(request, text)
            return redirect(back)
        if form.is_valid():
            try:
                lexicon.change_entry(entry, **form.chosen.plain(), by=by)
            except DomainError as error:
                form.add_error(None, str(error))
            else:
                messages.success(request, _("Saved."))
                return redirect(back)
    can_write = can_author(request.user, language)
    context = {"entry": entry, "form": form, "back": back, "can_write": can_write}
    if can_write:
        context["removal"] = removal_of(entry)
    return render(request, "curation/lexicon_word.html", context)


@login_required
@require_POST
def suggestions(request: HttpRequest) -> HttpResponse:
    """Propose forms for empty cells, accept them, or discard them."""
    by = author_of(request)
    suite, language, kind = _place(request)
    what = request.POST.get("what")
    if what == "propose":
        count = lexicon.suggest_forms(suite, language, kind, columns=request.POST.get("columns", ""), by=by)
        _tell_of_suggestions(request, count, language)
    elif what == "accept":
        one = request.POST.get("form")
        count = lexicon.accept_suggestions(suite, language, kind, by=by, form_id=int(one) if one else None)
        messages.success(request, ngettext("%(count)s form accepted.", "%(count)s forms accepted.", count))
    else:
        count = lexicon.drop_suggestions(suite, language, kind, by=by)
        messages.success(
            request, ngettext("%(count)s suggestion discarded.", "%(count)s suggestions discarded.", count)
        )
    return redirect(address(suite, language, kind))


def _tell_of_suggestions(request: HttpRequest, count: int, language: Language) -> None:
    if count:
        text = ngettext(
            "%(count)s form suggested. It is used after you accept it.",
            "%(count)s forms suggested. They are used after you accept them.",
            count,
        )
        messages.success(request, text)
    elif lexicon.can_suggest(language):
        messages.info(request, _("No suggestions for the empty cells."))
    else:
        text = _(
            "No suggestions: there is no morphology package for %(language)s.", language=catalogue_name(language.name)
        )
        messages.info(request, text)


@login_required
@require_POST
def import_words(request: HttpRequest) -> HttpResponse:
    """Read a table as the download writes it."""
    by = author_of(request)
    suite, language, kind = _place(request)
    file = request.FILES.get("file")
    if file is None or (file.size or 0) > LARGEST_FILE:
        raise BadInput(_("Choose a file of at most 5 MB."))
    count = lexicon_files.import_words(suite, language, kind, file.read(), name=file.name or "", by=by)
    messages.success(request, ngettext("%(count)s word imported.", "%(count)s words imported.", count))
    return redirect(address(suite, language, kind))
