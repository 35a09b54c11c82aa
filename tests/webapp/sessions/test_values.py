"""The values of a score are rows: one a metric, profile and rater."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.test import Client

from benchmark.metrics import values_of
from benchmark.suites import FIRST, metrics_of
from tests.markup import tight
from webapp.catalogue.models import Task, World
from webapp.sessions.models import MetricValue, Session, Status
from webapp.sessions.scoring import score_session
from webapp.sessions.selectors import sessions
from webapp.sessions.services import Setup, create_session

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


def rows_of(session: Session, profile: str) -> dict[str, float]:
    rows = MetricValue.objects.filter(session=session, profile=profile, rater="")
    return dict(rows.values_list("key", "value"))


def test_a_scored_session_has_a_row_a_metric_and_profile(eventful: Session) -> None:
    scores = eventful.scores.all()
    assert len(scores) == 2
    for score in scores:
        assert rows_of(eventful, score.profile) == values_of(metrics_of(FIRST), score.figures) != {}


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


@pytest.fixture
def ordered(starter_tasks: list[Task], starter_world: World) -> dict[str, Session]:
    """Ended sessions by what stands in their names; `none` has no value and is the newest."""
    made = {}
    for name, values in {
        "high": {"gu": 9.0, "issues": 0.0},
        "low": {"gu": -2.5, "issues": 4.0},
        "none": {},
    }.items():
        made[name] = create_session(task=starter_tasks[0], world=starter_world, setup=Setup(), start=False)
        Session.objects.filter(pk=made[name].pk).update(status=Status.FINISHED)
        for key, value in values.items():
            MetricValue.objects.create(session=made[name], profile="published", key=key, value=value)
    other = {"profile": "paper", "rater": ""}, {"profile": "published", "rater": "Ann"}
    for own in other:  # neither counts for the order
        MetricValue.objects.create(session=made["low"], key="gu", value=100.0, **own)
    return made


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("gu", ["high", "low", "none"]),
        ("-gu", ["low", "high", "none"]),
        ("issues", ["high", "low", "none"]),  # fewer are better
        ("-issues", ["low", "high", "none"]),
        ("", ["none", "low", "high"]),
    ],
)
def test_sessions_stand_in_the_order_of_a_metric(
    ordered: dict[str, Session], order: str, expected: list[str]
) -> None:
    assert list(sessions(order=order)) == [ordered[name] for name in expected]


def test_a_raters_values_order_the_list_and_stand_in_it(
    as_researcher: Client, ordered: dict[str, Session]
) -> None:
    for rater, values in {"Ann": {"low": 90.0, "high": 12.34}, "Ben": {"none": 50.0}}.items():
        for name, value in values.items():
            given = {"profile": "", "rater": rater, "key": "judge", "value": value}
            MetricValue.objects.create(session=ordered[name], **given)
    for order, expected in {
        "judge@Ann": ["low", "high", "none"],
        "-judge@Ann": ["high", "low", "none"],
        "judge@Ben": ["none", "low", "high"],
    }.items():
        assert list(sessions(order=order)) == [ordered[name] for name in expected]
    page = tight(as_researcher.get("/sessions/", {"order": "judge@Ann"}).content.decode())
    assert "S by Ben, worst first" in page and 'score, 0 to 100: Ann">S</th>' in page
    assert page.index('<td class="n">90.0</td>') < page.index('<td class="n">12.3</td>')
    plain = tight(as_researcher.get("/sessions/", {"order": "judge@Nobody"}).content.decode())
    assert ">S</th>" not in plain and ">90.0<" not in plain


def test_the_list_is_ordered_by_what_is_chosen_and_keeps_its_filters(
    as_researcher: Client, ordered: dict[str, Session]
) -> None:
    page = as_researcher.get("/sessions/", {"order": "-gu", "status": "finished"})
    assert [session.pk for session in page.context["page"]] == [
        ordered[name].pk for name in ("low", "high", "none")
    ]
    assert page.context["query"] == "status=finished&order=-gu"
    assert "PC %, best first" in page.content.decode() and "by Ann" not in page.content.decode()
    assert as_researcher.get("/sessions/?order=nonsense").status_code == 200
