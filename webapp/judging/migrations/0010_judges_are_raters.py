"""A rater for each judge whose scores are stored."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def fill(apps: Any, schema_editor: Any) -> None:
    """One row a judge, found by what its values name it."""
    alias = schema_editor.connection.alias
    raters = apps.get_model("judging", "Rater").objects.using(alias)
    values = apps.get_model("caravan_sessions", "MetricValue").objects.using(alias)
    there = set(raters.values_list("key", flat=True))
    named = values.exclude(rater="").order_by().values_list("rater", flat=True).distinct()
    new = [raters.model(kind="judge", name=name, key=name) for name in named if name not in there]
    raters.bulk_create(new, batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("judging", "0009_rater"), ("caravan_sessions", "0019_fill_spending")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
