"""Jobs move from curation to core. Their table keeps its name, so nothing is copied: only Django's state changes."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import core.jobs.models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('curation', '0008_decisions_about_suites'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Job',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(default=core.jobs.models.new_job_key, max_length=40, unique=True)),
                        ('kind', models.CharField(max_length=80)),
                        ('title', models.CharField(max_length=200)),
                        ('payload', models.JSONField(default=dict)),
                        ('queue', models.CharField(default='light', max_length=20)),
                        ('state', models.CharField(choices=[('queued', 'Waiting'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Stopped')], default='queued', max_length=10)),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('not_before', models.DateTimeField(default=django.utils.timezone.now)),
                        ('rung_at', models.DateTimeField(help_text='When the doorbell last rang for it.', null=True)),
                        ('started_at', models.DateTimeField(null=True)),
                        ('finished_at', models.DateTimeField(null=True)),
                        ('worker', models.CharField(blank=True, max_length=120)),
                        ('lease_until', models.DateTimeField(null=True)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('max_attempts', models.PositiveSmallIntegerField(default=5)),
                        ('cancel_requested', models.BooleanField(default=False)),
                        ('done', models.PositiveIntegerField(default=0)),
                        ('total', models.PositiveIntegerField(null=True)),
                        ('message', models.CharField(blank=True, max_length=300)),
                        ('checkpoint', models.JSONField(default=dict, help_text='Where to go on after a crash.')),
                        ('result', models.JSONField(null=True)),
                        ('error', models.TextField(blank=True)),
                        ('result_url', models.CharField(blank=True, max_length=300)),
                        ('requested_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='jobs', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'db_table': 'curation_job',
                        'ordering': ['-created_at', '-id'],
                        'indexes': [models.Index(fields=['state', 'not_before'], name='curation_jo_state_0315b6_idx'), models.Index(fields=['requested_by', '-created_at'], name='curation_jo_request_5915b3_idx')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='known_job_state')],
                    },
                ),
            ],
        ),
    ]
