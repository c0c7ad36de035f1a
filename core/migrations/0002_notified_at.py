from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0001_jobs_move_here'),
        ('curation', '0009_jobs_moved_to_core'),
    ]

    operations = [
        migrations.RenameField('job', 'rung_at', 'notified_at'),
        migrations.AlterField('job', 'notified_at', models.DateTimeField(help_text='When the workers were last notified.', null=True)),
        migrations.AlterField('job', 'checkpoint', models.JSONField(default=dict, help_text='Where to resume after a crash.')),
    ]
