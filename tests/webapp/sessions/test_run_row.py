"""A run stays what it is when its row comes to the sessions app, and when it goes back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

pytestmark = [pytest.mark.storage, pytest.mark.django_db(transaction=True)]
BEFORE = [
    ("caravan_sessions", "0014_a_session_is_a_job"),
    ("judging", "0005_suite"),
    ("runs", "0001_initial"),
]


def _migrate(targets: list[tuple[str, str]]) -> Any:
    """The models as they are at these migrations."""
    MigrationExecutor(connection).migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


@pytest.fixture
def newest() -> Iterator[list[tuple[str, str]]]:
    """The last migrations, to which the database goes back."""
    found = MigrationExecutor(connection).loader.graph.leaf_nodes()
    yield found
    _migrate(found)


def _kind(models: Any, label: str) -> Any:
    return models.get_model("contenttypes", "ContentType").objects.get(app_label=label, model="run")


def test_a_run_keeps_its_row_its_batches_and_its_content_type(newest: list[tuple[str, str]]) -> None:
    earlier = [*(node for node in newest if node[0] not in dict(BEFORE)), *BEFORE]
    before = _migrate(earlier)
    run = before.get_model("runs", "Run").objects.create(pk="kept", name="Kept", setup={"agent": "a"})
    endpoint = before.get_model("endpoints", "ModelEndpoint").objects.create(
        name="m", base_url="u", model="m"
    )
    before.get_model("judging", "JudgeBatch").objects.create(
        pk="b", run=run, judge=endpoint, meta_judge=endpoint, judge_setup={}, meta_setup={}
    )
    kind = _kind(before, "runs").pk

    after = _migrate(newest)
    kept = after.get_model("caravan_sessions", "Run").objects.get()
    assert (kept.pk, kept.setup) == ("kept", {"agent": "a"})
    assert [batch.pk for batch in kept.judge_batches.all()] == ["b"]
    assert _kind(after, "caravan_sessions").pk == kind

    assert _migrate(earlier).get_model("runs", "Run").objects.get().name == "Kept"
