"""The scores of judges as rows: as they are stored, and as the migration makes them of what was stored before."""

from __future__ import annotations

from importlib import import_module
from statistics import fmean
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from tests.webapp.judging.conftest import Answers, written
from webapp.judging.verdicts import pairs_of, verdicts_by, verdicts_of
from webapp.sessions.models import MetricValue, Session

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
MIGRATION = import_module("webapp.judging.migrations.0007_fill_scores")


def test_a_row_has_what_pages_compute_and_the_migration_writes_the_same(
    answers: Answers, eventful: Session
) -> None:
    answers(1, written(2))
    answers(2, written(5))
    verdicts = verdicts_of([eventful.pk])
    (pair,) = pairs_of([eventful.pk], verdicts)
    stored = MetricValue.objects.filter(session=eventful).exclude(rater="")
    given = stored.values_list("profile", "key", "rater", "value")
    expected = [("", "judge", "wise (some/judge) on caravan input, wise (some/judge), prompts 1-abc", 72.5)]
    assert fmean(one.score or 0.0 for one in verdicts_by(pair, verdicts[eventful.pk])) == 72.5
    assert list(given) == expected
    stored.delete()
    for _ in range(2):
        MIGRATION.fill(apps, SimpleNamespace(connection=connection))
        assert list(given.all()) == expected
