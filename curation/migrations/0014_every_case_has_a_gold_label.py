"""Let no case be without a gold label. A step of its own: PostgreSQL alters no table with pending changes of rows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("curation", "0013_fill_gold_labels_and_groups")]

    operations = [
        migrations.AddConstraint(
            model_name="testcase",
            constraint=models.CheckConstraint(condition=~models.Q(gold_label=""), name="case_has_gold_label"),
        ),
    ]
