"""Copy the figures that are columns of scores into rows, in batches that each are a transaction of their own."""

from django.db import migrations, transaction

BATCH = 20_000
"""Scores whose figures are copied at once."""
COLUMNS = {"pc": "pc", "gu": "gu", "gf": "gf", "pv": "CASE WHEN pv THEN 1.0 ELSE 0.0 END", "issues": "issues"}
"""By the key of the metric: what gives its value."""
COPY = """
INSERT INTO caravan_sessions_metricvalue (session_id, profile, rater, "key", "value")
SELECT session_id, profile, '', '{key}', {value} FROM caravan_sessions_score
WHERE id >= %s AND id < %s AND {key} IS NOT NULL
ON CONFLICT DO NOTHING
"""


def fill(apps, schema_editor):
    """A second run, after one that was broken off, copies what is left."""
    scores = apps.get_model("caravan_sessions", "Score").objects.using(schema_editor.connection.alias)
    ids = scores.order_by("pk").values_list("pk", flat=True)
    first, last = ids.first(), ids.last()
    for begin in range(first or 0, (last or 0) + 1, BATCH) if last else ():
        with transaction.atomic(schema_editor.connection.alias), schema_editor.connection.cursor() as cursor:
            for key, value in COLUMNS.items():
                cursor.execute(COPY.format(key=key, value=value), [begin, begin + BATCH])


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("caravan_sessions", "0009_metric_values")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
