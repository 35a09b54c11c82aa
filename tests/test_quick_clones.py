"""What migrations of tests are made of is what Django makes."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, migrations, models
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState, StateApps
from django.db.models.fields import Field
from django.db.models.fields.related import RelatedField

from tests.quick_clones import _clone, _copy_unbound, _mutate_state, _mutate_state_at_once


@pytest.mark.django_db
def test_a_copy_of_a_field_is_what_django_would_make_of_it() -> None:
    states = MigrationLoader(connection).project_state().models.values()
    fields = [field for state in states for field in state.fields.values()]
    assert any(isinstance(field, RelatedField) for field in fields)
    copies = [_copy_unbound(field) for field in fields]
    for field, copy in zip(fields, copies, strict=True):
        made = _clone(field)
        assert type(copy) is type(made) and copy.deconstruct() == made.deconstruct()
        assert vars(copy).keys() <= vars(made).keys()
        if isinstance(copy, RelatedField):
            assert copy.remote_field is not field.remote_field and copy.remote_field.field is copy
    numbers = [copy.creation_counter for copy in copies]
    assert numbers == sorted(set(numbers)) and numbers[0] > max(field.creation_counter for field in fields)


@pytest.mark.django_db
def test_a_field_of_a_model_is_made_anew() -> None:
    from webapp.catalogue.models import Task

    field: Field[object, object] = Task._meta.get_field("collection")  # type: ignore[assignment]
    assert not hasattr(_copy_unbound(field), "model")


def test_models_that_a_migration_changes_at_once_know_each_other_as_after_one_operation_at_a_time() -> None:
    migration = Migration("houses", "kept")
    migration.operations = [
        migrations.CreateModel("Street", [("id", models.AutoField(primary_key=True))]),
        migrations.AddField("House", "street", models.ForeignKey("kept.Street", models.CASCADE)),
        migrations.AddField("Street", "name", models.TextField()),
        migrations.RenameModel("House", "Home"),
        migrations.RenameField("Home", "street", "road"),
        migrations.DeleteModel("Shed"),
        migrations.AlterField("Garden", "house", models.OneToOneField("kept.Home", models.CASCADE)),
    ]
    before = ProjectState()
    house: list[tuple[str, Field[Any, Any]]] = [("house", models.ForeignKey("kept.House", models.CASCADE))]
    for name, fields in (("House", []), ("Garden", house), ("Shed", house)):
        key = ("id", models.AutoField(primary_key=True))
        before.add_model(ModelState("kept", name, [key, *[(name, field.clone()) for name, field in fields]]))
    assert before.apps.get_models()
    by_one, at_once = before.clone(), _mutate_state_at_once(migration, before)
    _mutate_state(migration, by_one, preserve=False)
    assert _describe(at_once) == _describe(by_one) and "kept.Home" in _describe(at_once)
    assert {model._meta.object_name for model in before.apps.get_models()} == {"House", "Garden", "Shed"}


def _describe(state: ProjectState) -> dict[str, set[tuple[str, str, object]]]:
    """The fields of each model, with those of others that point at it, which are models of the same state."""
    apps: StateApps = state.apps
    described = {}
    for model in apps.get_models():
        fields = model._meta.get_fields(include_hidden=True)
        related = {field.related_model for field in fields if field.related_model}
        assert all(apps.get_model(each._meta.label) is each for each in related)  # type: ignore[union-attr]
        described[model._meta.label] = {
            (field.name, type(field).__name__, getattr(field.related_model, "__name__", ""))
            for field in fields
        }
    return described
