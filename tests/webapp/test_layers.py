"""The models of an app point to those of its own layer or of a lower one."""

from __future__ import annotations

import tomllib

from django.apps import apps

from tests import ROOT


def _layers() -> dict[str, int]:
    """How high each app stands, as the import rule in pyproject.toml has it."""
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (rule["layers"] for rule in rules if rule.get("containers") == ["webapp"])
    named = [(height, name) for height, layer in enumerate(reversed(layers)) for name in layer.split()]
    return {f"webapp.{name}": height for height, name in named if name not in ":|"}


def test_every_app_has_a_layer() -> None:
    assert {app.name for app in apps.get_app_configs() if app.name.startswith("webapp.")} == set(_layers())


def test_no_relation_leads_up() -> None:
    layers = _layers()
    relations = [
        (model, field.related_model)
        for app in apps.get_app_configs()
        for model in app.get_models()
        for field in model._meta.get_fields()
        if field.is_relation and not field.auto_created and app.name in layers
    ]
    assert len(relations) > 20
    heights = {model: layers.get(model._meta.app_config.name, -1) for pair in relations for model in pair}
    assert [(one, other) for one, other in relations if heights[one] < heights[other]] == []
