"""What a server listed at /models was stored as it came, and some servers repeat the key there."""

import os

from django.db import migrations

SHORTEST = 6
"""Characters. What is shorter is no secret (benchmark.models.key_mask)."""


def mask_keys(apps, schema_editor):
    """Put *** in the place of each key. Where this process does not have the key the list is forgotten: the next
    test of the endpoint brings it again.
    """
    endpoints = apps.get_model("endpoints", "ModelEndpoint").objects
    for endpoint in endpoints.exclude(key_variable="").exclude(findings={}).order_by("pk"):
        key = os.environ.get(endpoint.key_variable, "").strip()
        found = endpoint.findings if key else {**endpoint.findings, "served": [], "lists": None}
        masked = without(key, found) if len(key) >= SHORTEST else found
        if masked != endpoint.findings:
            endpoints.filter(pk=endpoint.pk).update(findings=masked)


def without(key, value):
    """The same value without the key in any of its texts."""
    if isinstance(value, str):
        return value.replace(key, "***")
    if isinstance(value, dict):
        return {name: without(key, each) for name, each in value.items()}
    return [without(key, each) for each in value] if isinstance(value, list) else value


class Migration(migrations.Migration):
    dependencies = [("endpoints", "0006_tests_are_jobs")]

    operations = [migrations.RunPython(mask_keys, migrations.RunPython.noop)]
