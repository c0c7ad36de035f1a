"""Forms of campaigns."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from annotation.campaigns.known_answers import available_examples, languages_of
from annotation.campaigns.models import CampaignState
from annotation.campaigns.options import (
    CampaignOptions,
    ChangeCampaignOptions,
    GuidelineOptions,
    ItemsOptions,
    NewCampaignOptions,
    PlatformOptions,
)
from annotation.models import Campaign, Guideline
from core.errors import DomainError
from core.options.forms import OptionsForm
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
        named = [(one.key, f"{one.language.name}, version {one.version}: {one.title}") for one in guidelines]
        self.offer("guideline", named)

    def sections(self) -> Iterator[tuple[str, list[BoundField], bool]]:
        """Yield the sections; those stand open, too, in which something was chosen."""
        for title, fields, is_open in super().sections():
            given = [one.name for one in fields if self.initial.get(one.name)]
            yield title, fields, is_open or any(self.initial[name] != self.fields[name].initial for name in given)

    def say(self, error: DomainError) -> None:
        """Say a refusal beside the field it is about, where the form has it."""
        field = error.fields.get("field")
        self.add_error(field if field in self.fields else None, str(error))


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
        names = ", ".join(language.name for language in languages)
        examples = available_examples(campaign).count()
        self.fields["items"].help_text += f" Write them in the language of the campaign: {names}."
        self.fields["number"].help_text += f" The catalogue has {examples} example{'s' * (examples != 1)} in {names}."
        if len(languages) > 1:
            self.offer("language", [(language.code, language.name) for language in languages])
        else:
            del self.fields["language"]


class GuidelineForm(OptionsForm[GuidelineOptions]):
    """The next version of a guideline."""

    options = GuidelineOptions


class CampaignFilterForm(forms.Form):
    q = forms.CharField(label="Search", required=False)
    state = forms.ChoiceField(label="State", required=False, choices=[("", "Any state"), *CampaignState.choices])
