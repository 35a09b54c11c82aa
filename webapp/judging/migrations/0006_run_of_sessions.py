import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0005_suite"), ("caravan_sessions", "0015_run")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="judgebatch",
                    name="run",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judge_batches",
                        to="caravan_sessions.run",
                    ),
                ),
            ],
        ),
    ]
