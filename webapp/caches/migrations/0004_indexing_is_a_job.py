from django.db import migrations


def to_jobs(apps, schema_editor):
    """What is still to be done becomes a job."""
    job, model = apps.get_model("jobs", "Job"), apps.get_model("caches", "ToolCache")
    asked = model.objects.exclude(index_due_at=None).order_by("index_due_at").values_list("name", flat=True)
    job.objects.bulk_create(job(kind="cache_index", subject=name, lane="short") for name in asked)


def from_jobs(apps, schema_editor):
    """What is still to be done is found in the column again."""
    job, model = apps.get_model("jobs", "Job"), apps.get_model("caches", "ToolCache")
    asked = job.objects.filter(kind="cache_index", state="open")
    for name, since in asked.values_list("subject", "created_at"):
        model.objects.filter(name=name).update(index_due_at=since)
    asked.delete()


class Migration(migrations.Migration):
    dependencies = [("caches", "0003_indexing_is_found_again"), ("jobs", "0001_one_row_a_job")]

    operations = [
        migrations.RunPython(to_jobs, from_jobs),
        migrations.RemoveField(model_name="toolcache", name="index_due_at"),
    ]
