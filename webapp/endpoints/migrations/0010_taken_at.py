from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("endpoints", "0009_failed_at"),
    ]

    operations = [
        migrations.AddField(
            model_name="modelslot",
            name="taken_at",
            field=models.DateTimeField(null=True),
        ),
    ]
