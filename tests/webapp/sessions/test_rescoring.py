"""Scores name their profile and the code that made them; outdated ones are made again, and the log stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from benchmark.suites import SUITES, suite_named
from benchmark.suites.grouptravel.scoring import CODE_VERSION, PROFILES
from webapp.catalogue.models import Task, World
from webapp.jobs import services
from webapp.jobs.models import Job
from webapp.jobs.services import due, open_jobs
from webapp.sessions import scoring
from webapp.sessions.jobs import SCORE
from webapp.sessions.models import Event, MetricValue, Score, Session
from webapp.sessions.scoring import outdated_sessions, rescore, score_session
from webapp.sessions.selectors import values_in
from webapp.sessions.services import Setup, create_session
from worker.sessions import advance
from worker.steppers.scores import score
from worker.sweeper import Sweeper

pytestmark = pytest.mark.storage


def log_of(session: Session) -> list[Any]:
    return list(Event.objects.filter(session=session).values_list("seq", "type", "payload", "at"))


def test_an_ended_session_is_scored_by_every_profile(eventful: Session) -> None:
    scores = {score.profile: score for score in eventful.scores.all()}
    assert set(scores) == set(PROFILES)
    assert {score.code_version for score in scores.values()} == {CODE_VERSION}
    assert all(len(score.digest) == 64 for score in scores.values())
    assert not outdated_sessions().exists()


def test_scores_of_another_version_are_made_again_without_touching_the_log(eventful: Session) -> None:
    before, right = log_of(eventful), Score.objects.get(session=eventful, profile="published").figures
    Score.objects.update(code_version="0", tried="0", figures={})
    MetricValue.objects.filter(key="gu").delete()
    assert [session.pk for session in outdated_sessions()] == [eventful.pk]
    assert rescore(session_id=eventful.pk)
    score = Score.objects.get(session=eventful, profile="published")
    assert (score.code_version, score.figures) == (CODE_VERSION, right)
    assert values_in(score)["gu"] == right["gu"]
    assert log_of(eventful) == before and not outdated_sessions().exists()


def test_the_paper_knows_the_city_of_departure_from_the_task(eventful: Session) -> None:
    task = eventful.task
    home = task.definition["metadata"]["departure_city"]
    figures = Score.objects.get(session=eventful, profile="paper").figures
    assert home and figures["pv_issue_counts"]["missing_required_leg"]
    assert "no_departure_city" not in {part["reason"] for part in figures["evidence"]["not_checkable"]}
    (named,) = {
        issue["message"]["params"]["from_city"]
        for issue in figures["evidence"]["validity"]
        if issue["message"]["key"] == "no_departure"
    }
    assert named == home
    del task.definition["metadata"]["departure_city"]
    task.save()
    Score.objects.update(tried="0")
    assert rescore(session_id=eventful.pk)
    figures = Score.objects.get(session=eventful, profile="paper").figures
    assert "missing_required_leg" not in figures["pv_issue_counts"]
    assert "no_departure_city" in {part["reason"] for part in figures["evidence"]["not_checkable"]}


def test_a_profile_that_is_lacking_is_added(eventful: Session) -> None:
    Score.objects.filter(profile="paper").delete()
    assert rescore(session_id=eventful.pk)
    assert eventful.scores.filter(profile="paper").exists()


def test_what_is_up_to_date_is_left_alone(eventful: Session) -> None:
    made = Score.objects.get(session=eventful, profile="paper").scored_at
    assert not rescore(session_id=eventful.pk)
    assert Score.objects.get(session=eventful, profile="paper").scored_at == made


def test_what_can_not_be_scored_any_more_keeps_its_scores(
    eventful: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no such pack")

    right = Score.objects.get(session=eventful, profile="published").figures
    Score.objects.filter(profile="published").update(code_version="0", tried="0")
    Score.objects.filter(profile="paper").delete()
    monkeypatch.setattr(scoring, "pack_for_scores", fail)
    assert rescore(session_id=eventful.pk)
    score = Score.objects.get(session=eventful, profile="published")
    assert (score.code_version, score.figures) == ("0", right)
    assert not outdated_sessions().exists()


def test_what_can_not_be_scored_at_all_is_not_due_for_ever(
    eventful: Session, as_researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no such pack")

    MetricValue.objects.all().delete()
    Score.objects.all().delete()
    assert outdated_sessions().exists()
    monkeypatch.setattr(scoring, "pack_for_scores", fail)
    score_session(session=eventful)
    assert {(score.code_version, len(values_in(score))) for score in eventful.scores.all()} == {("", 0)}
    assert not outdated_sessions().exists()
    assert as_researcher.get(f"/sessions/{eventful.pk}/panel/scores/").status_code == 200


def test_a_database_that_is_away_says_nothing_of_a_session(
    eventful: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OperationalError

    Score.objects.all().delete()
    monkeypatch.setattr(scoring, "pack_for_scores", fail)
    for _ in range(SCORE.attempts + 1):
        with pytest.raises(OperationalError):
            score_session(session=eventful)
    assert outdated_sessions().exists() and due(kind=SCORE) == [eventful.pk]


class WorkerKilled(BaseException):
    """What ends a worker in the middle of a scoring: its transaction is rolled back, and nothing else happens."""


@pytest.fixture
def sweep(eventful: Session, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Sweeps, and does what was enqueued; every scoring is killed, or ends. What was held before is over."""

    def once(*, killed: bool = False) -> list[str]:
        Job.objects.filter(kind=SCORE.name).update(expires_at=None)
        with monkeypatch.context() as patched:
            patched.setattr(services, "send_work", lambda _kind, subject, **_: score(subject))
            if killed:
                patched.setattr(scoring, "pack_for_scores", kill)
                with pytest.raises(WorkerKilled):
                    Sweeper().sweep(0.0)
                return []
            return Sweeper().sweep(0.0)

    def kill(*_: object) -> None:
        raise WorkerKilled

    return once


UNSCORED, OUTDATED = "unscored", "outdated"


def make(kind: str, session: Session) -> None:
    """Take from a session its scores, or make them those of another version."""
    own = Score.objects.filter(session=session)
    if kind == UNSCORED:
        own.delete()
    else:
        own.update(tried="0", code_version="0")


def versions(session: Session) -> set[str]:
    return {score.code_version for score in session.scores.all()}


@pytest.mark.parametrize("kind", [UNSCORED, OUTDATED])
class TestScoringsThatKill:
    def test_a_worker_that_was_killed_once_or_twice_proves_nothing(
        self, kind: str, eventful: Session, sweep: Callable[..., list[str]]
    ) -> None:
        for kills in (1, 2):
            make(kind, eventful)
            for _ in range(kills):
                sweep(killed=True)
            assert sweep() and versions(eventful) == {CODE_VERSION}
            assert sweep() == [] and not open_jobs(SCORE).exists()

    def test_the_third_death_is_the_last(
        self, kind: str, eventful: Session, sweep: Callable[..., list[str]], caplog: pytest.LogCaptureFixture
    ) -> None:
        make(kind, eventful)
        for _ in range(SCORE.attempts):
            sweep(killed=True)
        assert sweep() and versions(eventful) == {"" if kind == UNSCORED else "0"}
        assert sweep() == [] and "3 workers ended while they scored" in caplog.text

    def test_another_version_tries_again(
        self,
        kind: str,
        eventful: Session,
        sweep: Callable[..., list[str]],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        make(kind, eventful)
        for _ in range(SCORE.attempts):
            sweep(killed=True)
        suite = suite_named(eventful.suite)
        later = replace(suite, scoring=replace(suite.scoring, code_version="next"))
        monkeypatch.setattr(f"{SUITES[suite.name]}.SUITE", later)
        assert sweep() and versions(eventful) == {"next"}

    def test_what_another_worker_is_scoring_is_left_to_it(
        self, kind: str, eventful: Session, sweep: Callable[..., list[str]]
    ) -> None:
        make(kind, eventful)
        before = versions(eventful)
        sweep(killed=True)
        for _ in range(SCORE.attempts + 1):
            score_session(session=eventful)
            rescore(session_id=eventful.pk)
        assert versions(eventful) == before and open_jobs(SCORE).get().attempts == 1


def test_the_sweeper_asks_for_outdated_scores_ever_more_rarely(
    eventful: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(services, "send_work", lambda _kind, subject, **_: sent.append(subject))
    Score.objects.update(tried="0")
    sweeping = Sweeper()
    for second in range(0, 8, 2):
        sweeping.sweep(float(second))
    assert sent == [eventful.pk] * 3
    rescore(session_id=eventful.pk)
    sweeping.sweep(100.0)
    Score.objects.update(tried="0")
    sweeping.sweep(110.0)
    assert len(sent) == 3
    sweeping.sweep(131.0)
    assert len(sent) == 4


def test_a_late_scorer_stores_nothing(eventful: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def overtake_job(*_: object) -> Any:
        Job.objects.filter(kind=SCORE.name).update(token=99)
        return catalogue(*_)

    catalogue = scoring.pack_for_scores
    Score.objects.update(tried="0", code_version="0")
    monkeypatch.setattr(scoring, "pack_for_scores", overtake_job)
    assert rescore(session_id=eventful.pk)
    assert versions(eventful) == {"0"} and open_jobs(SCORE).exists()


@pytest.mark.usefixtures("hasty")
def test_a_session_that_has_ended_is_scored_though_its_worker_died_then(
    starter_world: World, starter_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(**_: object) -> None:
        raise WorkerKilled

    session = create_session(task=starter_tasks[0], world=starter_world, setup=Setup(), start=False)
    with monkeypatch.context() as patched:
        patched.setattr("worker.sessions.handover.score_session", die)
        with pytest.raises(WorkerKilled):
            advance(session.pk, budget_s=None, paced=False)
    session.refresh_from_db()
    assert session.ended and due(kind=SCORE) == [], "its worker may be scoring it"
    Job.objects.update(due_at=timezone.now())
    assert due(kind=SCORE) == [session.pk]
    assert score(session.pk) and versions(session) == {CODE_VERSION} and due(kind=SCORE) == []
    assert not score(session.pk)


def test_the_panel_names_profile_and_version_and_why_the_profiles_differ(
    as_researcher: Client, eventful: Session
) -> None:
    page = as_researcher.get(f"/sessions/{eventful.pk}/?tab=scores").content.decode()
    assert f"By the published profile, scoring code version {CODE_VERSION}." in page
    assert "The paper" in page and 'id="stricter"' in page
    assert "nobody asked" in page


def test_scores_of_the_first_version_are_still_shown(as_researcher: Client, eventful: Session) -> None:
    """Their evidence has neither mends nor messages until they are made again."""
    score = Score.objects.get(session=eventful, profile="published")
    evidence = score.figures["evidence"]
    for issue in evidence["validity"]:
        del issue["mend"], issue["participants"]
    for fields in evidence["completeness"]["users"].values():
        fields[:] = [{name: f[name] for name in ("path", "found", "missed", "invented")} for f in fields]
    del evidence["fairness"], evidence["not_checkable"]
    score.save()
    Score.objects.filter(profile="paper").delete()
    for tab in ("scores", "plan"):
        assert as_researcher.get(f"/sessions/{eventful.pk}/?tab={tab}").status_code == 200
