import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """New names in Python alone: the tables and columns, which a trigger and FTS5 know on SQLite, keep theirs."""

    dependencies = [
        ("tables", "0004_grams_by_first_character"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterModelTable("said", "tables_said"),
                migrations.RenameModel("Said", "SessionSearchIndex"),
                migrations.AlterField(
                    "sessionsearchindex",
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="search_index",
                        to="caravan_sessions.session",
                    ),
                ),
                migrations.RenameField("saidtext", "said", "index"),
                migrations.AlterField(
                    "saidtext",
                    "index",
                    models.OneToOneField(
                        db_column="said_id",
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="messages",
                        serialize=False,
                        to="tables.sessionsearchindex",
                    ),
                ),
            ],
        ),
    ]
