from django.db import migrations


def to_jobs(apps, schema_editor):
    """A scoring that began and has not ended becomes a job, with the attempts that this version has made."""
    job, scoring_try = apps.get_model("jobs", "Job"), apps.get_model("caravan_sessions", "ScoringTry")
    job.objects.bulk_create(
        job(kind="score", subject=row.pk, group=row.code_version, attempts=row.tries, expires_at=row.expires_at)
        for row in scoring_try.objects.all()
    )


def from_jobs(apps, schema_editor):
    """A scoring that was begun is a row of its own again; the others are found by their scores."""
    job, scoring_try = apps.get_model("jobs", "Job"), apps.get_model("caravan_sessions", "ScoringTry")
    scorings = job.objects.filter(kind="score", state="open")
    scoring_try.objects.bulk_create(
        scoring_try(pk=row.subject, code_version=row.group, tries=row.attempts, expires_at=row.expires_at)
        for row in scorings.exclude(expires_at=None)
    )
    scorings.delete()


class Migration(migrations.Migration):
    dependencies = [("caravan_sessions", "0012_suite"), ("jobs", "0001_one_row_a_job")]

    operations = [
        migrations.RunPython(to_jobs, from_jobs),
        migrations.DeleteModel(name="ScoringTry"),
    ]
