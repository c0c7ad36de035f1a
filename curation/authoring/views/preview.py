"""The live half of the editor: what the texts typed so far would give."""

from typing import Any
from urllib.parse import quote, urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from core.web import address_of, author_of, texts_are_covered
from curation.authoring.gold_labels import typed_label
from curation.authoring.preview import MissingForm, Preview, preview
from curation.authoring.wording_checks import MOST_VARIANTS, VariantText
from curation.lexicon.paradigms import Cell
from curation.lexicon.vocabulary import completions_for
from curation.models import Language, Suite, Template

SHOWN_AT_ONCE = 300


def typed_variants(request: HttpRequest) -> list[VariantText]:
    """Return the texts of the form as they were typed."""
    features, texts = request.POST.getlist("variant_features"), request.POST.getlist("variant_text")
    features += [""] * (len(texts) - len(features))
    return [VariantText(*pair) for pair in zip(features, texts, strict=False)][: MOST_VARIANTS + 1]


def live_context(
    request: HttpRequest,
    suite: Suite,
    language: Language,
    typed: list[VariantText],
    defaults: str,
    template: Template | None,
    *,
    label: str | None = None,
) -> dict[str, Any]:
    """Return what the page begins with: the preview of what is there, and what completes placeholders."""
    seen = preview(suite, language, typed, defaults=defaults, template=template, label=label)
    return {
        **preview_context(seen, suite, language),
        "completions": completions_for(suite, language),
        "spans": spans_of(seen),
        "covered": texts_are_covered(request),
    }


def preview_context(seen: Preview, suite: Suite, language: Language) -> dict[str, Any]:
    return {
        "seen": seen,
        "shown": seen.cases[:SHOWN_AT_ONCE],
        "language": language,
        "missing": [(form, lexicon_cell(suite, language, form)) for form in seen.missing[:20]],
        "more_missing": max(0, len(seen.missing) - 20),
    }


def lexicon_cell(suite: Suite, language: Language, form: MissingForm) -> str:
    """Return the address of the empty cell, "" where the site has no lexicon pages."""
    page = address_of("curation:lexicon")
    query = {"suite": suite.key, "language": language.code, "kind": form.kind}
    if form.wanted or form.perturbation:  # the column is shown even where no word has a form in it yet
        query["column"] = Cell(form.perturbation, form.wanted).title
    return f"{page}?{urlencode(query)}#{quote(form.entry)}" if page else ""


def spans_of(seen: Preview) -> list[list[list[Any]]]:
    return [[list(span) for span in spans] for spans in seen.spans]


@login_required
@require_POST
def preview_part(request: HttpRequest) -> JsonResponse:
    """Show the right half of the editor for what is typed at this moment, and the colours of the left half."""
    author_of(request)
    suite = get_object_or_404(Suite.objects.visible_to(request.user), key=request.POST.get("suite", ""))
    language = get_object_or_404(Language, code=request.POST.get("language", ""))
    key = request.POST.get("template", "")
    template = Template.objects.of(suite).filter(language=language, key=key).first() if key else None
    typed = typed_variants(request)
    label = typed_label(request.POST.get("functionality", ""), request.POST.get("label_gold", ""))
    defaults = request.POST.get("defaults", "")
    seen = preview(suite, language, typed, defaults=defaults, template=template, label=label)
    html = render_to_string("curation/editor_preview.html", preview_context(seen, suite, language))
    return JsonResponse({"html": html, "spans": spans_of(seen), "total": seen.total})
