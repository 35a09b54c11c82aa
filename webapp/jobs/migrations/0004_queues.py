from django.db import migrations, models

QUEUES = {
    "judging": ("judgement", "comparison"),
    "tools": ("weight_search", "task_set"),
    "maintenance": ("score", "search_index"),
}
"""The queue of each kind of jobs that were long; all others talk with models."""


def name_queues(apps, schema_editor):
    rows = apps.get_model("jobs", "Job").objects.filter(lane="long")
    for queue, kinds in QUEUES.items():
        rows.filter(kind__in=kinds).update(lane=queue)
    rows.update(lane="models")


def forget_queues(apps, schema_editor):
    apps.get_model("jobs", "Job").objects.exclude(lane="short").update(lane="long")


class Migration(migrations.Migration):
    dependencies = [("jobs", "0003_freed_at")]

    operations = [
        migrations.RunPython(migrations.RunPython.noop, forget_queues),
        migrations.AlterField(
            model_name="job",
            name="lane",
            field=models.CharField(
                choices=[
                    ("short", "short jobs"),
                    ("models", "models"),
                    ("judging", "judging"),
                    ("tools", "tools"),
                    ("maintenance", "maintenance"),
                ],
                default="models",
                max_length=11,
            ),
        ),
        migrations.RunPython(name_queues, migrations.RunPython.noop),
    ]
