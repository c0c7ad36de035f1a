"""Give every case the gold label of its functionality, and say which cases without a template are about a group."""

from typing import Any

from django.db import migrations
from django.db.models import OuterRef, Subquery


def fill_gold_labels(apps: Any, schema_editor: Any) -> None:
    """Until now the gold label of a case was that of its functionality."""
    case, functionality = apps.get_model("curation", "TestCase"), apps.get_model("curation", "Functionality")
    label = functionality.objects.filter(pk=OuterRef("functionality")).values("gold_label")[:1]
    case.objects.filter(gold_label="").update(gold_label=Subquery(label))


def fill_identities(apps: Any, schema_editor: Any) -> None:
    """A case that was written as it is has no template to tell; its target groups do."""
    cases = apps.get_model("curation", "TestCase").objects.filter(template=None, is_about_identity=False)
    cases.exclude(target=None).update(is_about_identity=True)


def link_groups_of_sets(apps: Any, schema_editor: Any) -> None:
    """A target that joins several groups stands for the protected groups of all its members."""
    targets = apps.get_model("curation", "TargetGroup").objects
    for target in targets.filter(name__contains=" + "):
        members = targets.filter(language=target.language_id, name__in=target.name.split(" + "))
        target.groups.add(*{group for member in members for group in member.groups.all()})


class Migration(migrations.Migration):
    dependencies = [("curation", "0012_gold_labels_and_contrast_sets_of_cases")]

    operations = [
        migrations.RunPython(fill_gold_labels, migrations.RunPython.noop),
        migrations.RunPython(fill_identities, migrations.RunPython.noop),
        migrations.RunPython(link_groups_of_sets, migrations.RunPython.noop),
    ]
