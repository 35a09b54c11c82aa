"""The values of a score are rows: one a metric, profile and rater."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from benchmark.metrics import values_of
from benchmark.suites import DEFAULT_SUITE, metrics_of
from webapp.sessions.models import MetricValue, Session
from webapp.sessions.scoring import score_session

pytestmark = [pytest.mark.storage, pytest.mark.both_engines, pytest.mark.django_db]


def rows_of(session: Session, profile: str) -> dict[str, float]:
    rows = MetricValue.objects.filter(session=session, profile=profile, rater="")
    return dict(rows.values_list("key", "value"))


def test_a_scored_session_has_a_row_a_metric_and_profile(eventful: Session) -> None:
    scores = eventful.scores.all()
    assert len(scores) == 2
    for score in scores:
        assert rows_of(eventful, score.profile) == values_of(metrics_of(DEFAULT_SUITE), score.figures) != {}


def test_scoring_again_mends_rows_and_takes_away_what_there_is_no_figure_of(eventful: Session) -> None:
    right = rows_of(eventful, "published")
    MetricValue.objects.filter(session=eventful, key="gu").update(value=-99.0)
    MetricValue.objects.filter(session=eventful, key="pc").delete()
    MetricValue.objects.create(session=eventful, profile="published", key="of_old", value=1.0)
    kept = MetricValue.objects.create(session=eventful, profile="published", rater="Ann", key="gu", value=7.0)
    score_session(session=eventful)
    assert rows_of(eventful, "published") == right
    assert MetricValue.objects.get(rater="Ann") == kept  # a rater's opinion is not the rules'


def test_raters_have_a_row_each_and_nobody_two(eventful: Session) -> None:
    for rater in ("Ann", "Ben"):
        MetricValue.objects.create(session=eventful, profile="", rater=rater, key="judge", value=80.0)
    with pytest.raises(IntegrityError), transaction.atomic():
        MetricValue.objects.create(session=eventful, profile="", rater="Ann", key="judge", value=70.0)


OLD_COLUMNS = {"pc": "double precision", "gu": "double precision", "gf": "double precision"}
OLD_COLUMNS |= {"pv": "boolean", "issues": "integer"}


def test_figures_that_were_columns_are_copied_into_rows_and_only_once(
    eventful: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The migration's statements on this database; its transaction takes the columns away again."""
    migration = import_module("webapp.sessions.migrations.0010_fill_metric_values")
    monkeypatch.setattr(migration, "BATCH", 1)
    MetricValue.objects.all().delete()
    connection.check_constraints()  # PostgreSQL alters no table that has any to check
    with connection.cursor() as cursor:
        for name, kind in OLD_COLUMNS.items():
            cursor.execute(f"ALTER TABLE caravan_sessions_score ADD COLUMN {name} {kind}")
        figures = "pc = 0.75, gu = -1.5, pv = %s, issues = 3"  # gf stays null
        for profile, valid in (("published", False), ("paper", True)):
            cursor.execute(
                f"UPDATE caravan_sessions_score SET {figures} WHERE profile = %s", [valid, profile]
            )
    for _ in range(2):
        migration.fill(apps, SimpleNamespace(connection=connection))
        common = {"pc": 0.75, "gu": -1.5, "issues": 3.0}
        assert rows_of(eventful, "published") == {**common, "pv": 0.0}
        assert rows_of(eventful, "paper") == {**common, "pv": 1.0}
        assert MetricValue.objects.count() == 8
