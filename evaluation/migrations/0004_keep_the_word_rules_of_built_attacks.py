"""What was called "paper" filtered the list of words before it was cut; the attacks built so keep their recipe.

They can be built again to the same bytes under the name that says what is done.
"""

from django.db import migrations


def rename_rules(apps, before, after):
    for attack in apps.get_model("evaluation", "Attack").objects.all():
        if attack.choices.get("rules") == before:
            attack.choices = {**attack.choices, "rules": after}
            attack.save(update_fields=["choices"])


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0003_replaced_attack_scores")]

    operations = [
        migrations.RunPython(
            lambda apps, editor: rename_rules(apps, "paper", "filled"),
            lambda apps, editor: rename_rules(apps, "filled", "paper"),
        )
    ]
