from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("runs", "0001_initial"),
        ("caravan_sessions", "0015_run"),
        ("judging", "0006_run_of_sessions"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="Run")]),
    ]
