"""Maintainers always acted in the whole instance, whatever language their grant named. Now the grant says so."""

from typing import Any

from django.db import migrations, models

ROLES = [("annotator", "Annotator"), ("expert", "Language expert"), ("maintainer", "Maintainer")]
NO_LANGUAGE = ~models.Q(role__in=("maintainer",)) | models.Q(language="")


def widen_maintainers(apps: Any, schema_editor: Any) -> None:
    """Each maintainer keeps one grant, the oldest, without a language. What they may do does not change."""
    grants = apps.get_model("accounts", "RoleGrant").objects.filter(role="maintainer")
    kept: set[int] = set()
    # A grant without a language first: renaming another one would break the rule of one grant per role and language.
    for grant in grants.order_by("language", "granted_at", "id"):
        if grant.user_id in kept:
            grant.delete()
        elif grant.language:
            grants.filter(pk=grant.pk).update(language="")
        kept.add(grant.user_id)
    apps.get_model("accounts", "Invitation").objects.filter(role="maintainer").update(language="")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_sign_in_attempts"),
    ]

    operations = [
        migrations.RunPython(widen_maintainers, migrations.RunPython.noop),
        migrations.AlterField("invitation", "role", models.CharField(choices=ROLES, max_length=12)),
        migrations.AlterField("rolegrant", "role", models.CharField(choices=ROLES, max_length=12)),
        migrations.AddConstraint(
            "invitation",
            models.CheckConstraint(condition=NO_LANGUAGE, name="invited_maintainers_have_no_language"),
        ),
        migrations.AddConstraint(
            "rolegrant",
            models.CheckConstraint(condition=NO_LANGUAGE, name="maintainers_have_no_language"),
        ),
    ]
