"""Whether a meta-judge is asked; in all older batches one was."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0002_judge_input")]

    operations = [
        migrations.AddField(
            model_name="judgebatch",
            name="calibrated",
            field=models.BooleanField(default=True),
        ),
    ]
