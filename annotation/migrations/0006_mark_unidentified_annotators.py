"""Places in the lists of labels of Multilingual HateCheck were stored as if each were one person: say that they are not.

Their pseudonyms stay, because published releases name them. They took no part in a campaign, so that is taken away.
"""

from typing import Any

from django.db import migrations

PLATFORM = "import"
PLACE = "place "


def mark_places(apps: Any, schema_editor: Any) -> None:
    suite, annotator = apps.get_model("curation", "Suite"), apps.get_model("annotation", "Annotator")
    participation = apps.get_model("annotation", "Participation")
    for key in suite.objects.filter(format="mhc").values_list("key", flat=True):
        prefix = f"{key}:"
        found = annotator.objects.filter(platform=PLATFORM, external_id__startswith=prefix)
        for one in found:
            place = one.external_id.removeprefix(prefix)
            if place.isdigit():
                one.external_id, one.is_identified = f"{prefix}{PLACE}{place}", False
                one.save(update_fields=["external_id", "is_identified"])
                participation.objects.filter(annotator=one).delete()


class Migration(migrations.Migration):
    dependencies = [("annotation", "0005_unidentified_annotators"), ("curation", "0001_initial")]

    operations = [migrations.RunPython(mark_places, migrations.RunPython.noop)]
