from django.db import migrations


class Migration(migrations.Migration):
    """Apart from the one before, since PostgreSQL changes no table with rows that wait for their checks."""

    dependencies = [("caravan_sessions", "0023_options")]

    operations = [migrations.RemoveField("session", "protocol")]
