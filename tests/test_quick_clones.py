"""The copies of fields that migrations of tests are made of are those that Django makes."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.models.fields import Field
from django.db.models.fields.related import RelatedField

from tests.quick_clones import _clone, _copy_unbound


@pytest.mark.django_db
def test_a_copy_of_a_field_is_what_django_would_make_of_it() -> None:
    models = MigrationLoader(connection).project_state().models.values()
    fields = [field for model in models for field in model.fields.values()]
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
