from django.db import migrations, models


def replace_names(apps, schema_editor):
    """Replace the names of people in the audit log by pseudonyms; the name is shown while the account exists."""
    events = apps.get_model("accounts", "AuditEvent").objects.exclude(actor=None)
    for number in events.order_by().values_list("actor_id", flat=True).distinct():
        events.filter(actor_id=number).update(actor_name=f"person-{number}")


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_maintainers_have_no_language'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='auditevent',
            name='known_action',
        ),
        migrations.RemoveConstraint(
            model_name='signinattempt',
            name='known_secret',
        ),
        migrations.AddField(
            model_name='user',
            name='session_number',
            field=models.PositiveIntegerField(default=0, help_text='Sessions that began under a lower one are over.'),
        ),
        migrations.AlterField(
            model_name='auditevent',
            name='action',
            field=models.CharField(choices=[('person_invited', 'Person Invited'), ('invitation_accepted', 'Invitation Accepted'), ('invitation_withdrawn', 'Invitation Withdrawn'), ('role_granted', 'Role Granted'), ('role_taken', 'Role Taken'), ('person_deleted', 'Person Deleted'), ('person_suspended', 'Person Suspended'), ('person_reinstated', 'Person Reinstated'), ('sessions_ended', 'Sessions Ended'), ('signed_in', 'Signed In'), ('credentials_changed', 'Credentials Changed'), ('sign_in_failed', 'Sign In Failed'), ('sign_in_locked', 'Sign In Locked'), ('token_created', 'Token Created'), ('token_revoked', 'Token Revoked'), ('job_requested', 'Job Requested'), ('job_cancelled', 'Job Cancelled'), ('catalogue_changed', 'Catalogue Changed'), ('suite_changed', 'Suite Changed'), ('suite_imported', 'Suite Imported'), ('lexicon_changed', 'Lexicon Changed'), ('template_changed', 'Template Changed'), ('version_submitted', 'Version Submitted'), ('version_approved', 'Version Approved'), ('version_rejected', 'Version Rejected'), ('cases_generated', 'Cases Generated'), ('case_changed', 'Case Changed'), ('case_excluded', 'Case Excluded'), ('exclusion_lifted', 'Exclusion Lifted'), ('release_requested', 'Release Requested'), ('release_built', 'Release Built'), ('release_documented', 'Release Documented'), ('release_deleted', 'Release Deleted'), ('release_published', 'Release Published'), ('release_withdrawn', 'Release Withdrawn'), ('release_access_decided', 'Release Access Decided'), ('release_downloaded', 'Release Downloaded'), ('campaign_changed', 'Campaign Changed'), ('campaign_opened', 'Campaign Opened'), ('campaign_closed', 'Campaign Closed'), ('annotator_changed', 'Annotator Changed'), ('label_undone', 'Label Undone'), ('labels_imported', 'Labels Imported'), ('case_adjudicated', 'Case Adjudicated'), ('verdicts_decided', 'Verdicts Decided'), ('generation_requested', 'Generation Requested'), ('candidates_decided', 'Candidates Decided'), ('prompt_changed', 'Prompt Changed'), ('model_registered', 'Model Registered'), ('evaluation_requested', 'Evaluation Requested'), ('predictions_imported', 'Predictions Imported'), ('dataset_imported', 'Dataset Imported'), ('attack_built', 'Attack Built'), ('split_built', 'Split Built')], max_length=40),
        ),
        migrations.AlterField(
            model_name='signinattempt',
            name='secret',
            field=models.CharField(choices=[('password', 'password'), ('code', 'code of the second factor'), ('reset', 'password reset'), ('invitation', 'invitation')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='auditevent',
            constraint=models.CheckConstraint(condition=models.Q(('action__in', ['person_invited', 'invitation_accepted', 'invitation_withdrawn', 'role_granted', 'role_taken', 'person_deleted', 'person_suspended', 'person_reinstated', 'sessions_ended', 'signed_in', 'credentials_changed', 'sign_in_failed', 'sign_in_locked', 'token_created', 'token_revoked', 'job_requested', 'job_cancelled', 'catalogue_changed', 'suite_changed', 'suite_imported', 'lexicon_changed', 'template_changed', 'version_submitted', 'version_approved', 'version_rejected', 'cases_generated', 'case_changed', 'case_excluded', 'exclusion_lifted', 'release_requested', 'release_built', 'release_documented', 'release_deleted', 'release_published', 'release_withdrawn', 'release_access_decided', 'release_downloaded', 'campaign_changed', 'campaign_opened', 'campaign_closed', 'annotator_changed', 'label_undone', 'labels_imported', 'case_adjudicated', 'verdicts_decided', 'generation_requested', 'candidates_decided', 'prompt_changed', 'model_registered', 'evaluation_requested', 'predictions_imported', 'dataset_imported', 'attack_built', 'split_built'])), name='known_action'),
        ),
        migrations.AddConstraint(
            model_name='signinattempt',
            constraint=models.CheckConstraint(condition=models.Q(('secret__in', ['password', 'code', 'reset', 'invitation'])), name='known_secret'),
        ),
        migrations.RunPython(replace_names, migrations.RunPython.noop),
    ]
