"""Gold labels on cases, mixed functionalities, contrast sets and perturbation sets."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('curation', '0011_unlabelled_cases_of_imported_suites'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='releasecase',
            name='contrast_set',
            field=models.CharField(blank=True, db_default='', default='', max_length=80),
        ),
        migrations.AddField(
            model_name='releasecase',
            name='perturbation_set',
            field=models.CharField(blank=True, db_default='', default='', max_length=60),
        ),
        migrations.AddField(
            model_name='template',
            name='gold_label',
            field=models.CharField(blank=True, db_default='', default='', help_text='Only for a mixed functionality: the label of its cases.', max_length=60),
        ),
        migrations.AddField(
            model_name='testcase',
            name='contrast_set',
            field=models.CharField(blank=True, db_default='', default='', max_length=80),
        ),
        migrations.AddField(
            model_name='testcase',
            name='gold_label',
            field=models.CharField(default='', max_length=60),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='testcase',
            name='perturbation_set',
            field=models.CharField(blank=True, db_default='', default='', max_length=60),
        ),
        migrations.AlterField(
            model_name='caseverdict',
            name='adjudicated',
            field=models.CharField(blank=True, help_text='keep or exclude, where a person decided.', max_length=10),
        ),
        migrations.AlterField(
            model_name='functionality',
            name='gold_label',
            field=models.CharField(blank=True, help_text='The gold label of its cases; empty where they have several (mixed).', max_length=60),
        ),
        migrations.AlterField(
            model_name='release',
            name='terms',
            field=models.TextField(blank=True, help_text='What a person must accept before a download on request.'),
        ),
        migrations.AlterField(
            model_name='releasecase',
            name='is_about_identity',
            field=models.BooleanField(db_default=False, default=False, help_text='Its template is filled with the words for each group; without a template, it has a target group.'),
        ),
        migrations.AlterField(
            model_name='template',
            name='relation',
            field=models.CharField(blank=True, choices=[('perturbs', 'perturbs'), ('contrasts', 'contrasts with')], max_length=10),
        ),
        migrations.AlterField(
            model_name='testcase',
            name='is_about_identity',
            field=models.BooleanField(db_default=False, default=False, help_text='Its template is filled with the words for each group; without a template, it has a target group.'),
        ),
    ]
