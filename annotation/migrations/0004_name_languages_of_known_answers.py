"""Texts with a known answer that are there already get their language and source.

A text that equals an example of the catalogue is that example. Every other text was written for its campaign, so it is
taken to be in the campaign's language; where a campaign has none, the text stays without.
"""

from typing import Any

from django.db import migrations
from django.db.models import OuterRef, Subquery


def name_languages(apps: Any, schema_editor: Any) -> None:
    items = apps.get_model("annotation", "CampaignItem").objects.exclude(role="label").filter(source="")
    items.filter(text="").update(source="cases")
    examples = apps.get_model("curation", "Functionality").objects.exclude(example="").exclude(example_language=None)
    for text, language in examples.values_list("example", "example_language"):
        items.filter(text=text).update(source="examples", language=language)
    campaign = apps.get_model("annotation", "Campaign").objects.filter(pk=OuterRef("campaign"))
    items.update(source="own", language=Subquery(campaign.values("language")[:1]))


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0003_known_answers_have_a_language_and_source"),
        ("curation", "0005_name_languages_of_published_examples"),
    ]
    operations = [migrations.RunPython(name_languages, migrations.RunPython.noop, elidable=True)]
