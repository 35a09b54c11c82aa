from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("labelling", "0003_scorers_ticks")]

    operations = [
        migrations.AddField(
            model_name="labelstudy",
            name="show_profile",
            field=models.BooleanField(default=False, verbose_name="Show the user's profile"),
        ),
    ]
