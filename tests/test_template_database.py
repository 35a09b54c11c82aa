"""The template database: it is what migrations make, and a change of a migration makes it anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection

from tests import template_database

pytestmark = [pytest.mark.django_db, pytest.mark.storage, pytest.mark.both_engines]


def test_nothing_is_left_to_migrate() -> None:
    call_command("migrate", check_unapplied=True)


def test_the_process_has_a_copy_and_not_the_template() -> None:
    name = str(connection.settings_dict["NAME"])
    assert "test" in Path(name).name
    assert "template" not in Path(name).name


@pytest.mark.django_db(transaction=True)
def test_it_is_emptied_but_for_what_migrations_make() -> None:
    get_user_model().objects.create_user("somebody")
    kinds = set(ContentType.objects.values_list("pk", "model"))
    call_command("flush", interactive=False, verbosity=0)
    assert not get_user_model().objects.exists()
    assert kinds == set(ContentType.objects.values_list("pk", "model")) != set()


def test_another_migration_or_model_makes_another_template(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(template_database, "ROOT", tmp_path)
    digests = [template_database.digest()]
    for name in ("webapp/jobs/migrations/0001_initial.py", "webapp/jobs/models.py", "webapp/fields.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        for text in ("a = 1", "a = 2"):
            (tmp_path / name).write_text(text)
            digests.append(template_database.digest())
    assert len(set(digests)) == 7
