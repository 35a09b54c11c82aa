from django.db import migrations, models

FIRST = "grouptravel"


def fill_suite(apps, schema_editor):
    """The benchmark of a run's sessions; of a run without any, the one that its setup names."""
    run = apps.get_model("caravan_sessions", "Run").objects
    session = apps.get_model("caravan_sessions", "Session")._base_manager
    played = dict(session.exclude(run=None).order_by().values_list("run", "suite").distinct())
    for pk, setup in list(run.values_list("pk", "setup")):
        suite = played.get(pk) or setup.get("suite") or FIRST
        if suite != FIRST:
            run.filter(pk=pk).update(suite=suite)


class Migration(migrations.Migration):
    """What setups say of the benchmark stays where it is: an earlier version reads it there."""

    dependencies = [("caravan_sessions", "0020_outages")]

    operations = [
        migrations.AddField("run", "suite", models.CharField(db_index=True, default=FIRST, max_length=40)),
        migrations.RunPython(fill_suite, migrations.RunPython.noop),
    ]
