"""The scores of judges as rows: as they are stored, and as the migration makes them of what was stored before."""

from __future__ import annotations

from importlib import import_module
from statistics import fmean
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from tests.webapp.judging.conftest import Answers, written
from webapp.judging.models import Rater
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


def test_a_judge_is_a_rater_as_its_values_name_it_and_the_migration_makes_the_same(
    answers: Answers, eventful: Session
) -> None:
    answers(1, written(2))
    (rater,) = Rater.objects.all()
    assert rater.kind == "judge" and rater.endpoint is not None
    assert MetricValue.objects.exclude(rater="").get().rater == rater.key
    Rater.objects.all().delete()
    for _ in range(2):
        import_module("webapp.judging.migrations.0010_judges_are_raters").fill(
            apps, SimpleNamespace(connection=connection)
        )
        assert list(Rater.objects.values_list("key", "kind")) == [(rater.key, "judge")]
    answers(2, written(5))
    assert Rater.objects.count() == 1
