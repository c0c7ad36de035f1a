from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('curation', '0008_decisions_about_suites'),
        ('core', '0001_jobs_move_here'),
        ('evaluation', '0005_jobs_moved_to_core'),
        ('generation', '0003_jobs_moved_to_core'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel('Job')]),
    ]
