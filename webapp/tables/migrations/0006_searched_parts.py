import django.db.models.deletion
from django.db import migrations, models

ADDED = (
    # not as Django does it on SQLite, where it would write all rows anew, and lose the trigger of `tables_said`
    "ALTER TABLE tables_said ADD COLUMN complete {boolean} NOT NULL DEFAULT {false}",
    "ALTER TABLE tables_saidtext ADD COLUMN about text NOT NULL DEFAULT ''",
    "CREATE INDEX tables_said_incomplete ON tables_said (id) WHERE complete = {false}",
)
TAKEN = (
    "DROP INDEX tables_said_incomplete",
    "ALTER TABLE tables_saidtext DROP COLUMN about",
    "ALTER TABLE tables_said DROP COLUMN complete",
)


def add(apps, schema_editor):
    """Columns, which old rows have empty."""
    on_sqlite = schema_editor.connection.vendor == "sqlite"
    words = {"boolean": "bool", "false": "0"} if on_sqlite else {"boolean": "boolean", "false": "false"}
    for statement in ADDED:
        schema_editor.execute(statement.format(**words))


def take(apps, schema_editor):
    """The columns gone."""
    for statement in TAKEN:
        schema_editor.execute(statement)


def leave_messages(apps, schema_editor):
    """The messages alone in the texts, each line with the event's number, as they were before."""
    texts = apps.get_model("tables", "SaidText").objects
    for row in texts.exclude(about="").iterator(chunk_size=500):
        lines = zip(row.about.split("\n"), row.text.split("\n"))
        told = ((about.split("\t"), text) for about, text in lines)
        row.text = "\n".join(f"{seq}\t{text}" for (part, seq, _who, _error), text in told if part == "messages")
        row.save(update_fields=["text"])


class Migration(migrations.Migration):

    dependencies = [("tables", "0005_session_search_index")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add, take)],
            state_operations=[
                migrations.AddField(
                    "sessionsearchindex", "complete", models.BooleanField(default=False, db_default=False)
                ),
                migrations.AddField(
                    "saidtext", "about", models.TextField(blank=True, default="", db_default="")
                ),
            ],
        ),
        migrations.CreateModel(
            name="ResultText",
            fields=[
                (
                    "index",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="results",
                        serialize=False,
                        to="tables.sessionsearchindex",
                    ),
                ),
                ("text", models.BinaryField()),
                ("about", models.BinaryField()),
            ],
        ),
        migrations.RunPython(migrations.RunPython.noop, leave_messages),
    ]
