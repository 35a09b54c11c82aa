import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import webapp.fields
import webapp.sessions.models


def _rename(source, target):
    """What the tables of Django say of runs, such as permissions, goes on saying it."""

    def rename(apps, schema_editor):
        types = apps.get_model("contenttypes", "ContentType").objects
        if not types.filter(app_label=target, model="run").exists():
            types.filter(app_label=source, model="run").update(app_label=target)

    return rename


class Migration(migrations.Migration):
    """The row of a run belongs to the sessions app. The table stays as it is."""

    dependencies = [
        ("caravan_sessions", "0014_a_session_is_a_job"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("runs", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Run",
                    fields=[
                        (
                            "id",
                            models.CharField(
                                default=webapp.sessions.models.new_run_id,
                                editable=False,
                                max_length=12,
                                primary_key=True,
                                serialize=False,
                            ),
                        ),
                        ("name", models.CharField(max_length=100)),
                        ("setup", webapp.fields.OrderedJSONField(default=dict)),
                        ("seed", models.IntegerField(default=0)),
                        ("trials", models.PositiveSmallIntegerField(default=1)),
                        ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                        (
                            "created_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={"db_table": "runs_run", "ordering": ["-created_at"]},
                ),
                migrations.AlterField(
                    model_name="session",
                    name="run",
                    field=models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sessions",
                        to="caravan_sessions.run",
                    ),
                ),
            ],
        ),
        migrations.RunPython(_rename("runs", "caravan_sessions"), _rename("caravan_sessions", "runs")),
    ]
