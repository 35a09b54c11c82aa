from urllib.parse import urlsplit

from django.db import migrations, models


def bind_known(apps, schema_editor):
    """Keys go where they went; of models that share a variable the oldest decides."""
    endpoints, servers = (apps.get_model("endpoints", name) for name in ("ModelEndpoint", "KeyServer"))
    for endpoint in endpoints.objects.exclude(key_variable="").order_by("pk"):
        parts = urlsplit(endpoint.base_url)
        port = "" if parts.port in (None, {"http": 80, "https": 443}.get(parts.scheme)) else f":{parts.port}"
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        bound = {"server": f"{parts.scheme}://{host}{port}"}
        servers.objects.get_or_create(variable=endpoint.key_variable, defaults=bound)


class Migration(migrations.Migration):

    dependencies = [
        ('endpoints', '0003_tests_are_found_again'),
    ]

    operations = [
        migrations.CreateModel(
            name='KeyServer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('variable', models.CharField(max_length=100, unique=True)),
                ('server', models.CharField(max_length=400)),
            ],
        ),
        migrations.RunPython(bind_known, migrations.RunPython.noop),
    ]
