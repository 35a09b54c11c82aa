from typing import Any

from django.db import migrations, models


def mark_labels(apps: Any, schema_editor: Any) -> None:
    """Until now every page of a group's plans showed what the scorer finds."""
    labels = apps.get_model("labelling", "Label").objects.using(schema_editor.connection.alias)
    labels.filter(item__study__suite="grouptravel", source="page").update(ticks=True)


class Migration(migrations.Migration):
    dependencies = [("labelling", "0002_decision_swapped")]

    operations = [
        migrations.AddField(
            model_name="labelstudy",
            name="show_ticks",
            field=models.BooleanField(default=True, verbose_name="Show what the scorer finds met and missed"),
        ),
        migrations.AlterField(
            model_name="labelstudy",
            name="show_ticks",
            field=models.BooleanField(default=False, verbose_name="Show what the scorer finds met and missed"),
        ),
        migrations.AddField(
            model_name="label", name="ticks", field=models.BooleanField(default=False)
        ),
        migrations.RunPython(mark_labels, migrations.RunPython.noop),
    ]
