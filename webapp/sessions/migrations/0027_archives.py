import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import webapp.sessions.archive_files


class Migration(migrations.Migration):
    dependencies = [("caravan_sessions", "0026_prompt_sets_and_sampling")]

    operations = [
        migrations.CreateModel(
            name="SessionArchive",
            fields=[
                (
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="archive",
                        serialize=False,
                        to="caravan_sessions.session",
                    ),
                ),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("events", models.PositiveIntegerField()),
                ("archived_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        # The column stays as it is: SQLite would copy the table of all events.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="event",
                    name="payload",
                    field=webapp.sessions.archive_files.PayloadField(),
                )
            ]
        ),
    ]
