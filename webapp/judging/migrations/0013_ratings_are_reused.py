from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0012_rubric_of_a_batch")]
    operations = [
        migrations.AddField(
            model_name="judgebatch", name="reuses_ratings", field=models.BooleanField(default=True)
        ),
        migrations.AddField(
            model_name="judgement",
            name="request_key",
            field=models.CharField(blank=True, db_index=True, default="", max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="judgement",
            name="source_session",
            field=models.CharField(blank=True, default="", max_length=40),
            preserve_default=False,
        ),
    ]
