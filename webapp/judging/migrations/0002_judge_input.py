"""What a judge is shown; older batches were shown Caravan's own input."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="judgebatch",
            name="form",
            field=models.CharField(default="caravan", max_length=12),
        ),
        migrations.AlterField(
            model_name="judgebatch",
            name="form",
            field=models.CharField(default="published", max_length=12),
        ),
        migrations.AddField(
            model_name="judgement",
            name="tries",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="judgement",
            name="status",
            field=models.CharField(
                choices=[
                    ("queued", "Queued"),
                    ("judged", "Judged"),
                    ("broken", "Unusable answer"),
                    ("failed", "No answer"),
                    ("stopped", "Stopped"),
                    ("empty", 'No conversation, score 0'),
                ],
                db_index=True,
                default="queued",
                max_length=10,
            ),
        ),
    ]
