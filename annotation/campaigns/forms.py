"""Forms of campaigns."""

from collections.abc import Iterable, Iterator
from typing import Any, Self

from django import forms
from django.forms.boundfield import BoundField
from django.utils.html import format_html

from annotation.campaigns.known_answers import available_examples, languages_of
from annotation.campaigns.models import CampaignState, Role
from annotation.campaigns.options import (
    CampaignOptions,
    ChangeCampaignOptions,
    GuidelineOptions,
    ItemOptions,
    ItemsOptions,
    NewCampaignOptions,
    PlatformOptions,
)
from annotation.models import Campaign, CampaignItem, Guideline
from core.errors import DomainError
from core.options.forms import OptionsForm
from core.text import _, catalogue_name, ngettext
from curation.models import Functionality, Language, Suite, TargetGroup


class CampaignForm(OptionsForm[CampaignOptions]):
    """Who is asked what, about which cases: what a new and a changed campaign have in common."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("language", Language.objects.order_by("name").values_list("code", "name"))
        self.offer("functionalities", Functionality.objects.order_by("position").values_list("key", "title"))
        names = TargetGroup.objects.order_by("name").values_list("name", flat=True).distinct()
        self.offer("targets", [(name, name) for name in names])
        guidelines = Guideline.objects.newest_first().select_related("language").defer("text")
        self.offer("guideline", [(one.key, _guideline_in_words(one)) for one in guidelines])

    def sections(self) -> Iterator[tuple[str, list[BoundField], bool]]:
        """Yield the sections; those stand open, too, in which something was chosen."""
        for title, fields, is_open in super().sections():
            given = [one.name for one in fields if self.initial.get(one.name)]
            yield title, fields, is_open or any(self.initial[name] != self.fields[name].initial for name in given)

    def say(self, error: DomainError) -> None:
        """Say a refusal beside the field it is about, where the form has it."""
        field = error.fields.get("field")
        self.add_error(field if field in self.fields else None, str(error))


def _guideline_in_words(one: Guideline) -> str:
    return _(
        "%(language)s, version %(version)s: %(title)s",
        language=catalogue_name(one.language.name),
        version=one.version,
        title=one.title,
    )


class NewCampaignForm(CampaignForm):
    """A new campaign: it belongs to a suite from now on."""

    options = NewCampaignOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("suite", Suite.objects.order_by("name").values_list("key", "name"))


class ChangeCampaignForm(CampaignForm):
    """A draft that is changed."""

    options = ChangeCampaignOptions


class PlatformForm(OptionsForm[PlatformOptions]):
    """The crowd platform of a campaign that is open already."""

    options = PlatformOptions


class ItemsForm(OptionsForm[ItemsOptions]):
    """Texts with a known answer: written, taken from the catalogue, or drawn from the suite."""

    options = ItemsOptions

    def __init__(self, *args: Any, campaign: Campaign | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if campaign is None:
            return
        languages = languages_of(campaign)
        names = [catalogue_name(language.name) for language in languages]
        examples = available_examples(campaign).count()
        self._add_help("items", _("Write them in the language of the campaign: %(languages)s.", languages=names))
        self._add_help(
            "number",
            ngettext(
                "The catalogue has %(count)s example in %(languages)s.",
                "The catalogue has %(count)s examples in %(languages)s.",
                examples,
                languages=names,
            ),
        )
        others = Campaign.objects.filter(suite=campaign.suite_id).exclude(pk=campaign.pk)
        having = others.filter(items__in=CampaignItem.objects.exclude(role=Role.LABEL)).distinct()
        self.offer("campaign", having.order_by("-created_at").values_list("key", "title"))
        if len(languages) > 1:
            self.offer("language", [(language.code, language.name) for language in languages])
        else:
            del self.fields["language"]

    def _add_help(self, name: str, sentence: str) -> None:
        field = self.fields[name]
        field.help_text = format_html("{} {}", field.help_text, sentence)


class ItemForm(OptionsForm[ItemOptions]):
    """One text with a known answer."""

    options = ItemOptions

    @classmethod
    def of(cls, item: CampaignItem, answers: Iterable[str]) -> Self:
        """Return the form of one item; the text of a case is not offered."""
        values = {"text": item.text, "expected": item.expected, "explanation": item.explanation}
        form = cls(initial=values, auto_id=f"item-{item.pk}-%s")
        form.offer("expected", [(answer, answer) for answer in answers])
        if item.case_id is not None:
            del form.fields["text"]
        return form


class GuidelineForm(OptionsForm[GuidelineOptions]):
    """The next version of a guideline."""

    options = GuidelineOptions


class CampaignFilterForm(forms.Form):
    q = forms.CharField(label=_("Search"), required=False)
    state = forms.ChoiceField(label=_("State"), required=False, choices=[("", _("Any state")), *CampaignState.choices])
