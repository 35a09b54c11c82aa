"""The rows that reports read: made as scores are stored, caught up with where they were not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmark.judging import Pair
from webapp.reports.folding import catch_up, fold
from webapp.reports.judges import JudgeFilter
from webapp.reports.models import SessionFigures
from webapp.reports.selectors import ANYONE, count_unscored, labels_of, report_of
from webapp.sessions.models import Run, Score, Session
from webapp.sessions.scoring import rescore

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.mark.both_engines
def test_a_scored_session_is_folded_from_its_log_and_its_tools(eventful: Session) -> None:
    row = SessionFigures.objects.get(session=eventful)
    assert row.counted == 1
    assert (row.calls, row.hits + row.misses) == (2, 2)
    assert row.issues["published"] == eventful.scores.get(profile="published").figures["pv_issue_counts"]
    assert sum(row.issues["published"].values()) > 0


@pytest.mark.both_engines
def test_scores_of_bulk_loads_and_of_earlier_versions_are_caught_up_with(played_run: Run) -> None:
    SessionFigures.objects.all().delete()
    assert report_of([played_run], "published").runs[0].sessions == []
    assert catch_up([played_run], most=2) == 3
    told: list[tuple[int, int]] = []
    assert catch_up([played_run], progress=lambda done, whole: told.append((done, whole))) == 0
    assert told == [(3, 3)]
    assert len(report_of([played_run], "published").runs[0].sessions) == 5


@pytest.mark.both_engines
def test_what_is_scored_again_is_folded_again_and_once(eventful: Session) -> None:
    whole = SessionFigures.objects.filter(session=eventful)
    [right] = whole.values()
    whole.update(counted=9, calls=9, hits=9, misses=9, issues={})
    Score.objects.update(tried="0")
    with CaptureQueriesContext(connection) as queries:
        assert rescore(session_id=eventful.pk)
    assert [*whole.values()] == [right]
    written = (query["sql"] for query in queries if query["sql"].startswith("INSERT"))
    assert sum(SessionFigures._meta.db_table in sql for sql in written) == 1


def test_folding_what_is_stored_gives_what_scoring_folded(eventful: Session) -> None:
    [right] = SessionFigures.objects.values()
    SessionFigures.objects.all().delete()
    fold([eventful.pk])
    assert [*SessionFigures.objects.values()] == [right]


@pytest.mark.both_engines
def test_stopped_sessions_do_not_count_and_crashed_ones_do(played_run: Run) -> None:
    [figures] = report_of([played_run], "published").runs
    assert sorted(session.reason for session in figures.sessions) == ["plan_generated"] * 4 + [
        "runtime_error"
    ]
    assert count_unscored([played_run], "published") == 0
    assert count_unscored([played_run], "paper") == 5


def test_verdicts_come_with_their_sessions(played_run: Run, judge: Callable[[Session, int], None]) -> None:
    session = played_run.sessions.filter(status="finished").first()
    assert session is not None
    judge(session, 5)
    report = report_of([played_run], "published")
    assert [verdict.score for one in report.runs[0].sessions for verdict in one.verdicts] == [100.0]
    assert report.pair == Pair("strict", "strict", 1)


def test_a_report_has_one_pair_of_judges(played_run: Run, judge: Callable[..., None]) -> None:
    first, second, *_ = played_run.sessions.filter(status="finished").order_by("pk")
    judge(first, 5, by="lenient")
    judge(second, 5, by="lenient")
    judge(first, 1, by="harsh")

    def scores(wanted: JudgeFilter = ANYONE) -> list[float | None]:
        report = report_of([played_run], "published", wanted)
        return [verdict.score for one in report.runs[0].sessions for verdict in one.verdicts]

    assert (
        scores()
        == scores(JudgeFilter("lenient"))
        == scores(JudgeFilter("lenient", "lenient"))
        == [100.0, 100.0]
    )
    assert scores(JudgeFilter("harsh")) == [0.0]
    assert [pair.judge for pair in report_of([played_run], "published").others] == ["harsh"]


def test_of_as_many_sessions_the_judge_asked_last_counts(played_run: Run, judge: Callable[..., None]) -> None:
    session = played_run.sessions.filter(status="finished").first()
    judge(session, 5, by="lenient")
    judge(session, 1, by="harsh")
    pair = report_of([played_run], "published").pair
    assert pair is not None and pair.judge == "harsh"
    judge(session, 3, by="lenient", anew=True)
    report = report_of([played_run], "published")
    assert report.pair == Pair("lenient", "lenient", 1)
    assert [len(one.verdicts) for one in report.runs[0].sessions if one.verdicts] == [2]


def test_a_judge_of_sessions_that_do_not_count_is_none(played_run: Run, judge: Callable[..., None]) -> None:
    judge(played_run.sessions.get(status="stopped"), 5)
    assert report_of([played_run], "published").pair is None


@pytest.mark.both_engines
def test_the_number_of_queries_does_not_grow_with_the_sessions(
    make_run: Callable[..., Run], played_run: Run
) -> None:
    def queries(runs: list[Run]) -> int:
        with CaptureQueriesContext(connection) as found:
            assert catch_up(runs) == 0
            report_of(runs, "published")
        return len(found)

    from tests.webapp.runs.conftest import end

    large = make_run(tasks=6, trials=4, name="large")
    for session in large.sessions.all():
        end(session)
    catch_up([large])
    assert queries([played_run]) == queries([played_run, large]) <= 17


def test_runs_of_one_name_are_told_apart(make_run: Callable[..., Run]) -> None:
    runs: list[Any] = [make_run(name="same"), make_run(name="same"), make_run(name="other")]
    labels = labels_of(runs)
    assert labels[runs[2].pk] == "other"
    assert labels[runs[0].pk] == f"same · {runs[0].pk}"
    assert len(set(labels.values())) == 3


def test_long_names_are_cut_between_words_and_told_in_full(make_run: Callable[..., Run]) -> None:
    long, word = "Qwen3-235B with temperature 0.7 and three trials of scripted travellers", "x" * 80
    runs = [make_run(name=long), make_run(name=word)]
    labels = labels_of(runs)
    assert labels[runs[0].pk] == "Qwen3-235B with temperature 0.7 and three…"
    assert labels[runs[1].pk] == "x" * 47 + "…"
    assert [run.name for run in report_of(runs, "published").runs] == [long, word]


def test_runs_that_go_on_tell_how_far_they_are(played_run: Run, make_run: Callable[..., Run]) -> None:
    report = report_of([played_run, make_run(tasks=2)], "published")
    assert [(run.ended, run.planned, run.going) for run in report.runs] == [(6, 6, False), (0, 2, True)]
