"""A crowd campaign takes people from one platform, and each of them works in one browser.

People who take part already are bound to the first browser that comes with their id after this migration: the passes
given out before do not tell browsers apart.
"""

from collections import Counter
from typing import Any

from django.db import migrations, models

PLATFORMS = [
    ("", "No platform: people with an account only"),
    ("prolific", "Prolific"),
    ("mturk", "Amazon Mechanical Turk"),
    ("toloka", "Toloka"),
    ("crowd", "Another platform"),
]
NAMES = [name for name, _ in PLATFORMS if name]


def derive_platforms(apps: Any, schema_editor: Any) -> None:
    """Choose the platform most people of a campaign came from, else the one its completion address belongs to.

    Where neither says anything, none is chosen: a maintainer can do so on the page of the campaign, also when it is open.
    """
    campaigns = apps.get_model("annotation", "Campaign").objects
    participations = apps.get_model("annotation", "Participation").objects
    for campaign in campaigns.all():
        came = Counter(
            participations.filter(campaign=campaign, annotator__platform__in=NAMES).values_list(
                "annotator__platform", flat=True
            )
        )
        # Of two with as many people the first in the list: the same on every machine.
        platform = max(NAMES, key=lambda name: came[name]) if came else campaign.platform.lower()
        if platform not in NAMES:
            platform = next((name for name in NAMES[:3] if name in campaign.completion_url.lower()), "")
        campaigns.filter(pk=campaign.pk).update(platform=platform if campaign.mode == "crowd" else "")


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0007_opening_in_chunks"),
    ]

    operations = [
        migrations.AddField(
            "participation",
            "session_digest",
            models.CharField(
                blank=True,
                default="",
                editable=False,
                help_text="Hash of the secret in the browser that began; empty for accounts and after a release.",
                max_length=64,
            ),
        ),
        migrations.AddField(
            "participation",
            "return_digest",
            models.CharField(
                blank=True,
                default="",
                editable=False,
                help_text="Hash of the code that moves it to another.",
                max_length=64,
            ),
        ),
        migrations.RunPython(derive_platforms, migrations.RunPython.noop),
        migrations.AlterField(
            "campaign",
            "platform",
            models.CharField(
                blank=True,
                choices=PLATFORMS,
                default="",
                help_text="The link for platforms takes people from this one only.",
                max_length=40,
            ),
        ),
        migrations.AddConstraint(
            "campaign",
            models.CheckConstraint(
                condition=models.Q(platform__in=[name for name, _ in PLATFORMS]), name="known_platform"
            ),
        ),
    ]
