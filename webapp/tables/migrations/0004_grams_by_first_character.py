from django.db import migrations


SQLITE = (
    "DROP TRIGGER tables_said_gone",
    "ALTER TABLE tables_said_grams RENAME TO tables_said_grams_before",
    "CREATE VIRTUAL TABLE tables_said_grams USING fts5(grams, tokenize='ascii', detail=none{options})",
    "INSERT INTO tables_said_grams (rowid, grams) SELECT rowid, grams FROM tables_said_grams_before",
    "DROP TABLE tables_said_grams_before",
    """CREATE TRIGGER tables_said_gone AFTER DELETE ON tables_said BEGIN
        DELETE FROM tables_said_grams WHERE rowid = old.id;
    END""",
)


def _make_anew(schema_editor, options):
    if schema_editor.connection.vendor == "sqlite":
        for statement in SQLITE:
            schema_editor.execute(statement.format(options=options))


def make(apps, schema_editor):
    """Who looks for one character need not read all pairs that begin with it."""
    _make_anew(schema_editor, ", prefix='1'")


def unmake(apps, schema_editor):
    """Only pairs and words again."""
    _make_anew(schema_editor, "")


def read_anew(apps, schema_editor):
    """The rows of runs no longer hold what a run has no figure for."""
    apps.get_model("tables", "RunEntry").objects.update(stale=True)


class Migration(migrations.Migration):

    dependencies = [("tables", "0003_run_entry")]

    operations = [
        migrations.RunPython(make, unmake),
        migrations.RunPython(read_anew, migrations.RunPython.noop),
    ]
