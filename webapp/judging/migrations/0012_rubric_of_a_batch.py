from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("judging", "0011_one_judge_in_all_languages")]
    operations = [
        migrations.AddField(
            model_name="judgebatch",
            name="rubric",
            field=models.CharField(blank=True, default="", max_length=40),
        )
    ]
