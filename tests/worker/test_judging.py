"""Judgements made over real HTTP: what is stored of good answers, of bad ones, and of none."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from benchmark.core.events import SessionFinished
from benchmark.judging import PUBLISHED, Pair
from benchmark.judging import Judgement as Judged
from benchmark.suites import suite_named
from benchmark.suites.grouptravel.judging.rubric import CARAVAN, DIMENSIONS
from tests.model_server import ModelServer
from tests.seating import endpoint_at
from tests.threads import start_in_thread
from webapp.catalogue.models import Task, World
from webapp.endpoints.models import ModelEndpoint, ModelSlot
from webapp.forms import ChoiceRefused
from webapp.jobs.kinds import retry_of
from webapp.jobs.models import Job
from webapp.jobs.services import LeaseLost, due, renew
from webapp.judging import selectors, services
from webapp.judging.jobs import JUDGEMENT
from webapp.judging.models import JudgeBatch, Judgement, Status
from webapp.judging.verdicts import verdicts_by, verdicts_of
from webapp.prompts.services import create_set
from webapp.runs.services import create_run
from webapp.sessions.log import _cached_logs, row_of, whole_log
from webapp.sessions.models import Event, Session
from webapp.sessions.services import Setup, create_session, request_stop
from worker.sessions import advance
from worker.steppers.judgements import advance_judgement


@pytest.fixture
def sessions(recorded_session: Callable[..., Session]) -> list[Session]:
    """Two finished sessions of two tasks."""
    return [recorded_session("easy"), recorded_session("medium")]


def make_judgements(batch: JudgeBatch, *, hurry: bool = True) -> list[Judgement]:
    """All judgements of a batch, made without the pauses between attempts."""
    for _ in range(200):
        if hurry:
            Job.objects.update(due_at=None)
            ModelEndpoint.objects.update(not_before=None)
        due = selectors.due_in(batch)
        if not due:
            break
        for pk in due:
            advance_judgement(pk)
    return list(batch.judgements.order_by("pk"))


def start(server: ModelServer, sessions: list[Session], model: str, **given: object) -> JudgeBatch:
    judge = endpoint_at(server.url, model, json_mode=True, input_price=1.0, output_price=2.0, **given)
    return services.start_batch(sessions=sessions, judge=judge)


@pytest.mark.storage
def test_a_judged_session_has_ratings_evidence_calibration_and_score(
    server: ModelServer, sessions: list[Session]
) -> None:
    batch = start(server, sessions[:1], "good-judge")
    (row,) = make_judgements(batch)
    assert (row.status, row.rated, row.faults, row.meta_faults) == (Status.JUDGED, True, [], [])
    assert list(row.ratings) == list(DIMENSIONS) and row.prompts == batch.input.prompts.edition
    there = {event.seq for event in whole_log(sessions[0].pk)}
    assert all(set(rating["turns"]) <= there and rating["turns"] for rating in row.ratings.values())
    expected = 100 * sum((score - 1) / 4 for score in row.scores.values()) / 5 * row.meta_score / 5
    assert row.score == pytest.approx(expected)
    assert '"hallucination"' in row.raw and '"reasoning"' in row.meta_raw
    assert [call["seat"] for call in row.calls] == ["judge", "meta_judge"]
    told = [entry.tokens for entry in server.ledger.entries]
    assert [call["tokens"]["prompt"] for call in row.calls] == [tokens.prompt for tokens in told]
    assert all(call["cost"] > 0 for call in row.calls)
    verdict = verdicts_of([sessions[0].pk, "unknown"])[sessions[0].pk][0]
    assert verdict.pair == Pair(*["good-judge"] * 2, 0, *["good-judge"] * 2, (row.prompts,))
    assert (verdict.ratings, verdict.meta, verdict.score) == (row.scores, 4, row.score)


def test_a_judge_by_other_words_is_another_judge(server: ModelServer, sessions: list[Session]) -> None:
    judge = endpoint_at(server.url, "good-judge", json_mode=True)
    language = sessions[0].task.language
    path = f"judge_caravan/{language}/judge_system.txt"
    words = suite_named("grouptravel").library.files[path].text
    strict = create_set(name="strict", suite="grouptravel", files={path: f"{words}BE STRICT.\n"})
    rows = [
        row
        for version in (None, strict)
        for row in make_judgements(
            services.start_batch(sessions=sessions[:1], judge=judge, form=CARAVAN, prompt_set=version)
        )
    ]
    assert [row.status for row in rows] == [Status.JUDGED] * 2 and rows[0].prompts != rows[1].prompts
    assert {row.source_session for row in rows} == {""}
    pairs = [verdict.pair for verdict in verdicts_of([sessions[0].pk])[sessions[0].pk]]
    assert len(set(pairs)) == 2


@pytest.mark.parametrize(
    ("model", "fault", "dimension"),
    [("broken-judge", "no_json", ""), ("seven-judge", "out_of_range", "hallucination")],
)
@pytest.mark.parametrize(("form", "tries"), [(PUBLISHED, 11), (CARAVAN, 1)])
def test_an_unusable_answer_is_kept_and_gives_no_score(
    server: ModelServer,
    sessions: list[Session],
    model: str,
    fault: str,
    dimension: str,
    form: str,
    tries: int,
) -> None:
    judge = endpoint_at(server.url, model, json_mode=True)
    (row,) = make_judgements(services.start_batch(sessions=sessions[:1], judge=judge, form=form))
    assert (row.status, row.score, row.meta_score, row.rated) == (Status.BROKEN, None, None, False)
    assert [(one["kind"], one["dimension"]) for one in row.faults] == [(fault, dimension)]
    assert row.raw and len(row.calls) == len(server.ledger.entries) == tries
    assert len(row.scores) == (4 if dimension else 0)
    assert verdicts_of([sessions[0].pk]) == {}


def test_an_answer_that_can_not_be_read_is_asked_for_again_and_the_next_one_counts(
    server: ModelServer, sessions: list[Session]
) -> None:
    batch = start(server, sessions[:1], "broken-judge")
    for tries in (1, 2, 3):
        assert advance_judgement(selectors.due_in(batch)[0])
        waiting = batch.judgements.get()
        assert (waiting.status, waiting.tries, waiting.score) == (Status.QUEUED, tries, None)
    answer_well()
    batch.refresh_from_db()
    (row,) = make_judgements(batch)
    assert (row.status, row.tries, len(row.scores), len(row.calls)) == (Status.JUDGED, 0, 5, 5)


def test_a_meta_judge_is_asked_again_as_the_judge_is(server: ModelServer, sessions: list[Session]) -> None:
    judge, meta = endpoint_at(server.url, "good-judge"), endpoint_at(server.url, "seven-judge")
    (row,) = make_judgements(services.start_batch(sessions=sessions[:1], judge=judge, meta_judge=meta))
    assert [call["seat"] for call in row.calls] == ["judge", *["meta_judge"] * 11]
    assert (row.status, row.score) == (Status.BROKEN, None)


def test_a_crash_without_a_conversation_counts_0_and_nobody_is_asked(
    server: ModelServer, sessions: list[Session], starter_tasks: list[Task], starter_world: World
) -> None:
    silent = create_session(task=starter_tasks[0], world=starter_world, setup=Setup(), start=False)
    crash(silent)
    crash(sessions[1])
    batch = start(server, selectors.sessions_named([silent.pk, sessions[1].pk]), "good-judge")
    rows = {row.session_id: row for row in make_judgements(batch)}
    none, spoken = rows[silent.pk], rows[sessions[1].pk]
    assert (none.status, none.score, none.rated, none.calls) == (Status.EMPTY, 0.0, False, [])
    assert spoken.status == Status.JUDGED and len(server.ledger.entries) == 2
    assert services.retry_batch(batch=batch) == 0
    figures = selectors.figures_of(batch)
    assert (figures.rated, figures.empty) == (1, 1)
    assert figures.score is not None and figures.score.mean == pytest.approx(spoken.score / 2)
    found = verdicts_of([silent.pk, sessions[1].pk])
    (zero,), (rated,) = found[silent.pk], found[sessions[1].pk]
    assert zero.pair == rated.pair and (zero.ratings, zero.meta, zero.score) == ({}, None, 0.0)


def crash(session: Session) -> None:
    """End a session as one that crashed."""
    finished = SessionFinished(reason="connection_error")
    opening = [event for event in whole_log(session.pk) if event.body.type != "session_finished"]
    event = replace(opening[-1], seq=opening[-1].seq + 1, body=finished, actor="system")
    Event.objects.filter(session=session, type="session_finished").delete()
    row_of(session.pk, event).save()
    Session.objects.filter(pk=session.pk).update(status="crashed")
    _cached_logs.forget()


def test_ratings_of_two_inputs_are_two_judges(server: ModelServer, sessions: list[Session]) -> None:
    judge = endpoint_at(server.url, "good-judge", json_mode=True)
    forms: tuple[str, ...] = (PUBLISHED, CARAVAN)
    for form in forms:
        make_judgements(services.start_batch(sessions=sessions[:1], judge=judge, form=form))
    said = verdicts_of([sessions[0].pk])[sessions[0].pk]
    pairs = [verdict.pair for verdict in said]
    assert len({*pairs}) == 2 and [pair.form for pair in pairs] == [*forms]
    assert len({pair.judge_label for pair in pairs}) == 2
    assert [len(verdicts_by([pair], said)) for pair in pairs] == [1, 1]


def test_without_a_meta_judge_the_ratings_are_the_score(server: ModelServer, sessions: list[Session]) -> None:
    judge = endpoint_at(server.url, "good-judge", json_mode=True)
    for calibrated in (False, True):
        batch = services.start_batch(sessions=sessions[:1], judge=judge, calibrated=calibrated)
        (row,) = make_judgements(batch)
        assert (row.status, row.rated) == (Status.JUDGED, True)
        if not calibrated:
            assert row.score == pytest.approx(100 * sum((r - 1) / 4 for r in row.scores.values()) / 5)
            assert ([call["seat"] for call in row.calls], row.meta_score) == (["judge"], None)
    alone, both = verdicts_of([sessions[0].pk])[sessions[0].pk]
    assert alone.pair != both.pair and alone.pair.meta_label == "no meta-judge"
    assert (alone.pair.meta_judge, alone.pair.meta_model) == ("", "")


def test_without_a_meta_judge_an_unusable_answer_is_asked_for_again(
    server: ModelServer, sessions: list[Session]
) -> None:
    judge = endpoint_at(server.url, "broken-judge", json_mode=True)
    batch = services.start_batch(sessions=sessions[:1], judge=judge, calibrated=False)
    (row,) = make_judgements(batch)
    assert (row.status, row.score, len(row.calls)) == (Status.BROKEN, None, 11)


def test_a_meta_judge_that_is_not_to_be_asked_is_refused(
    server: ModelServer, sessions: list[Session]
) -> None:
    judge, meta = endpoint_at(server.url, "good-judge"), endpoint_at(server.url, "seven-judge")
    with pytest.raises(ChoiceRefused, match="exactly one of the two"):
        services.start_batch(sessions=sessions[:1], judge=judge, meta_judge=meta, calibrated=False)
    assert not JudgeBatch.objects.exists()


def test_a_meta_judge_that_says_nothing_usable_leaves_the_ratings_without_a_score(
    server: ModelServer, sessions: list[Session]
) -> None:
    judge, meta = endpoint_at(server.url, "good-judge"), endpoint_at(server.url, "seven-judge")
    batch = services.start_batch(sessions=sessions[:1], judge=judge, meta_judge=meta)
    (row,) = make_judgements(batch)
    assert (row.status, row.rated, row.meta_score, row.score) == (Status.BROKEN, True, None, None)
    assert row.meta_faults[0]["kind"] == "out_of_range" and row.meta_raw
    (verdict,) = verdicts_of([sessions[0].pk])[sessions[0].pk]
    assert (len(verdict.ratings), verdict.meta, verdict.score) == (5, None, None)


def test_an_invented_citation_is_flagged_and_the_rating_kept(
    server: ModelServer, sessions: list[Session]
) -> None:
    (row,) = make_judgements(start(server, sessions[:1], "invents-citations"))
    assert row.status == Status.JUDGED and row.score is not None
    assert row.ratings["hallucination"]["unknown"] == [999_999]
    assert [one["kind"] for one in row.faults] == ["unknown_turn"]


@pytest.mark.storage
def test_a_judge_that_stops_halfway_leaves_what_it_judged_and_can_be_asked_again(
    server: ModelServer, sessions: list[Session]
) -> None:
    word = sessions[1].task.cities[0]
    batch = start(server, sessions, f"stops-halfway:without={word}", patience_s=4.0)
    first, second = make_judgements(batch)
    assert (first.status, second.status) == (Status.JUDGED, Status.FAILED)
    failed = [(call["outcome"], call["attempt"]) for call in second.calls]
    assert len(failed) > 2 and failed == [("server", n) for n in range(1, len(failed) + 1)]
    assert sum(call["retry_in_s"] or 0 for call in second.calls) == pytest.approx(4, abs=1)
    assert "503" in second.problem and second.raw == "" and second.score is None
    answer_well()
    job = Job.objects.get(subject=str(second.pk))
    retry = retry_of(job)
    assert retry
    retry(job)
    batch.refresh_from_db()
    again = make_judgements(batch)
    assert [row.status for row in again] == [Status.JUDGED] * 2
    assert (again[0].score, again[0].ended_at) == (first.score, first.ended_at)
    assert len(again[1].calls) == len(failed) + 2 and again[1].problem == ""


def test_a_judge_that_fails_says_why_while_it_is_asked_again(
    server: ModelServer, sessions: list[Session]
) -> None:
    batch = start(server, sessions[:1], "good-judge:fail=503")
    assert advance_judgement(selectors.due_in(batch)[0])
    waiting = batch.judgements.get()
    assert (waiting.status, waiting.unanswered) == (Status.QUEUED, 1) and "503" in waiting.problem
    due_at = Job.objects.get(kind=JUDGEMENT.name).due_at
    assert due_at is not None and due_at > timezone.now()
    answer_well()
    batch.refresh_from_db()
    (row,) = make_judgements(batch)
    assert (row.status, row.problem) == (Status.JUDGED, "")


def answer_well() -> None:
    """Batches have good judges from now on."""
    ModelEndpoint.objects.update(model="good-judge")
    setup = ModelEndpoint.objects.first().setup().model_dump()
    JudgeBatch.objects.update(judge_setup=setup, meta_setup=setup)


@pytest.mark.parametrize("model", ["seven-judge", "broken-judge"])
def test_an_unusable_answer_stays_until_another_has_come(
    server: ModelServer, sessions: list[Session], model: str
) -> None:
    batch = start(server, sessions[:1], model)
    (before,) = make_judgements(batch)
    JudgeBatch.objects.update(
        judge_setup={**batch.judge_setup, "model": "good-judge:fail=503", "patience_s": 0.0}
    )
    services.retry_batch(batch=batch)
    batch.refresh_from_db()
    kept = ("raw", "scores", "ratings", "faults", "prompts")
    (away,) = make_judgements(batch)
    assert (away.status, away.awaits) == (Status.FAILED, True) and "503" in away.problem
    assert [getattr(away, name) for name in kept] == [getattr(before, name) for name in kept]
    answer_well()
    services.retry_batch(batch=batch)
    batch.refresh_from_db()
    (after,) = make_judgements(batch)
    assert (after.status, after.awaits, after.faults) == (Status.JUDGED, False, [])
    assert after.raw != before.raw and len(after.scores) == 5


def test_an_unusable_meta_answer_stays_until_another_has_come(
    server: ModelServer, sessions: list[Session]
) -> None:
    judge, meta = endpoint_at(server.url, "good-judge"), endpoint_at(server.url, "seven-judge")
    batch = services.start_batch(sessions=sessions[:1], judge=judge, meta_judge=meta)
    (before,) = make_judgements(batch)
    assert before.meta_raw and services.retry_batch(batch=batch) == 1
    waiting = batch.judgements.get()
    assert (waiting.meta_raw, waiting.meta_faults) == (before.meta_raw, before.meta_faults)
    assert waiting.tries == 0
    answer_well()
    batch.refresh_from_db()
    (after,) = make_judgements(batch)
    assert (after.status, after.meta_score, after.meta_faults) == (Status.JUDGED, 4, [])
    assert after.raw == before.raw


def test_what_the_model_can_not_read_is_not_asked(server: ModelServer, sessions: list[Session]) -> None:
    (row,) = make_judgements(start(server, sessions[:1], "good-judge", context_limit=400, max_tokens=100))
    assert (row.status, row.calls) == (Status.FAILED, []) and "context limit is 400" in row.problem
    assert not server.ledger.entries


@pytest.mark.storage
def test_a_failed_attempt_waits_in_the_database(server: ModelServer, sessions: list[Session]) -> None:
    batch = start(server, sessions[:1], "good-judge:fail=429:retry_after=30")
    begun = time.monotonic()
    make_judgements(batch, hurry=False)
    assert time.monotonic() - begun < 8
    row = batch.judgements.get()
    job = Job.objects.get(kind=JUDGEMENT.name)
    assert (row.status, row.unanswered, job.expires_at) == (Status.QUEUED, 1, None)
    assert job.due_at is not None and job.due_at > timezone.now()
    assert due(kind=JUDGEMENT) == []


@pytest.mark.storage
def test_after_a_kill_another_worker_goes_on_where_the_first_was(
    server: ModelServer, sessions: list[Session]
) -> None:
    batch = start(server, sessions[:1], "good-judge")
    (pk,) = selectors.due_in(batch)
    assert advance_judgement(pk)  # the judge
    assert services.claim(judgement_id=pk)  # a worker that dies before the meta-judge answers
    assert not advance_judgement(pk) and due(kind=JUDGEMENT) == []
    Job.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert due(kind=JUDGEMENT) == [str(pk)]
    (row,) = make_judgements(batch)
    assert (row.status, [call["seat"] for call in row.calls]) == (Status.JUDGED, ["judge", "meta_judge"])


@pytest.mark.storage
def test_a_late_worker_changes_nothing(server: ModelServer, sessions: list[Session]) -> None:
    batch = start(server, sessions[:1], "good-judge")
    (pk,) = selectors.due_in(batch)
    late = services.claim(judgement_id=pk)
    assert late is not None
    Job.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    (row,) = make_judgements(batch)
    with pytest.raises(LeaseLost):
        services.store_judged(claimed=late, judged=Judged("late"), prompts="", key="", calls=())
    assert not renew(claimed=late)
    row.refresh_from_db()
    assert row.status == Status.JUDGED and row.raw != "late"


@pytest.mark.storage
def test_a_late_worker_changes_nothing_while_another_is_at_it(
    server: ModelServer, sessions: list[Session]
) -> None:
    batch = start(server, sessions[:1], "good-judge")
    (pk,) = selectors.due_in(batch)
    late = services.claim(judgement_id=pk)
    Job.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert late and services.claim(judgement_id=pk)
    before = Judgement.objects.values().get(pk=pk), Job.objects.values().get(subject=str(pk))
    for write in (
        partial(services.store_judged, judged=Judged("late"), prompts="late", key="", calls=()),
        partial(services.store_empty, prompts="late"),
        partial(services.postpone, after_s=9, problem="late"),
        partial(services.end, status=Status.FAILED, problem="late"),
    ):
        with pytest.raises(LeaseLost):
            write(claimed=late)
    assert before == (Judgement.objects.values().get(pk=pk), Job.objects.values().get(subject=str(pk)))


@pytest.mark.storage
def test_a_step_that_kills_its_worker_again_and_again_is_given_up(
    server: ModelServer, sessions: list[Session]
) -> None:
    batch = start(server, sessions[:1], "good-judge")
    Job.objects.update(attempts=JUDGEMENT.attempts)
    (row,) = make_judgements(batch)
    assert row.status == Status.FAILED and "5 workers" in row.problem and not row.calls


@pytest.mark.storage
def test_what_the_same_judge_was_asked_is_not_asked_again(
    server: ModelServer, sessions: list[Session]
) -> None:
    """The source of the ratings is the session that was asked about; another meta-judge is asked for itself alone."""
    judge, other = (endpoint_at(server.url, name) for name in ("good-judge", "sloppy-judge"))

    def ask(**given: object) -> tuple[Judgement, int]:
        before = len(server.ledger.entries)
        batch = services.start_batch(**{"sessions": sessions[:1], "judge": judge, **given})  # type: ignore[arg-type]
        row = make_judgements(batch)[-1]
        return row, len(server.ledger.entries) - before

    first, asked = ask()
    assert (asked, first.source_session) == (2, "")
    row, asked = ask()
    assert (asked, row.source_session, row.calls) == (0, sessions[0].pk, [])
    assert (row.score, row.ratings, row.raw) == (first.score, first.ratings, first.raw)
    assert (row.meta_score, row.meta_reasoning, row.status) == (4, first.meta_reasoning, Status.JUDGED)

    plain, asked = ask(calibrated=False)
    assert (asked, plain.meta_score, plain.meta_raw) == (0, None, "")
    assert plain.score == pytest.approx(first.score * 5 / 4)
    assert ask(meta_judge=other)[1] == 1
    assert ask(judge=other)[1] == 2 and ask(form=CARAVAN)[1] == 2
    assert ask(repeats=2)[1] == 2, "the first of the two is there; the second is another draw"
    fresh, asked = ask(reuses_ratings=False)
    assert (asked, fresh.source_session) == (2, "")
    ModelEndpoint.objects.filter(pk=judge.pk).update(max_tokens=7777)
    judge.refresh_from_db()
    assert ask()[1] == 2, "other settings"


def test_an_unusable_answer_is_never_re_used(server: ModelServer, sessions: list[Session]) -> None:
    judge = endpoint_at(server.url, "broken-judge")
    for _ in range(2):
        make_judgements(services.start_batch(sessions=sessions[:1], judge=judge))
    broken = Judgement.objects.filter(status=Status.BROKEN, source_session="")
    assert broken.count() == 2 and all(len(row.calls) == 11 for row in broken)


@pytest.mark.storage
def test_no_more_requests_at_once_than_the_endpoint_takes(
    server: ModelServer, sessions: list[Session], transactional_db: None
) -> None:
    judge = endpoint_at(server.url, "good-judge:slow=0.3", concurrency=2)
    batch = services.start_batch(sessions=sessions, judge=judge, repeats=3)
    assert len(selectors.due_in(batch)) == 2

    def work() -> None:
        while selectors.is_going(batch):
            for pk in selectors.due_in(batch):
                advance_judgement(pk)

    for thread in [start_in_thread(work) for _ in range(4)]:
        thread.join()
    assert set(batch.judgements.values_list("status", flat=True)) == {Status.JUDGED}
    assert server.ledger.highest["good-judge:slow=0.3"] == 2
    assert len(server.ledger.entries) == 12
    assert not ModelSlot.objects.exclude(holder="").exists()


@pytest.mark.storage
def test_stopping_breaks_the_request_off_and_leaves_the_rest_unasked(
    server: ModelServer, sessions: list[Session], transactional_db: None
) -> None:
    batch = start(server, sessions, "good-judge:slow=30")
    thread = start_in_thread(lambda: services.stop_batch(batch=batch), after_s=0.5)
    begun = time.monotonic()
    advance_judgement(selectors.due_in(batch)[0])
    thread.join()
    assert time.monotonic() - begun < 10
    first, second = batch.judgements.order_by("pk")
    assert (first.status, second.status) == (Status.STOPPED, Status.STOPPED)
    assert [call["outcome"] for call in first.calls] == ["cancelled"] and second.calls == []
    assert len(server.ledger.entries) == 1


@pytest.mark.parametrize(
    ("given", "field"),
    [({"sessions": []}, "sessions"), ({"repeats": 0}, "repeats"), ({"repeats": 21}, "repeats")],
)
def test_what_can_not_be_judged_is_refused(
    server: ModelServer, sessions: list[Session], given: dict[str, object], field: str
) -> None:
    judge = endpoint_at(server.url, "good-judge")
    with pytest.raises(ChoiceRefused) as refusal:
        services.start_batch(**{"sessions": sessions, "judge": judge, **given})  # type: ignore[arg-type]
    assert refusal.value.field == field and not JudgeBatch.objects.exists()


def test_what_a_researcher_stopped_is_refused(server: ModelServer, sessions: list[Session]) -> None:
    judge = endpoint_at(server.url, "good-judge")
    sessions[1].status = "stopped"
    with pytest.raises(ChoiceRefused, match=f"stopped .* {sessions[1].pk}"):
        services.start_batch(sessions=sessions, judge=judge)
    sessions[1].status = "crashed"
    assert services.start_batch(sessions=sessions, judge=judge).judgements.count() == 2


def test_a_session_that_goes_on_and_a_retired_model_are_refused(
    server: ModelServer, sessions: list[Session], starter_world: World
) -> None:
    judge = endpoint_at(server.url, "good-judge")
    going = create_session(task=sessions[0].task, world=starter_world, setup=Setup(), start=False)
    with pytest.raises(ChoiceRefused, match=going.pk):
        services.start_batch(sessions=[sessions[0], going], judge=judge)
    judge.retired = True
    with pytest.raises(ChoiceRefused, match="retired"):
        services.start_batch(sessions=sessions, judge=judge)
    assert not Judgement.objects.exists()


@pytest.mark.storage
def test_the_sessions_of_a_run_are_judged_as_they_end_each_once(
    server: ModelServer, starter_tasks: list[Task], starter_world: World
) -> None:
    judge = endpoint_at(server.url, "good-judge", json_mode=True)
    run = create_run(
        name="r", tasks=starter_tasks[:2], world=starter_world, setup=Setup(), judge=judge, start=False
    )
    batch = JudgeBatch.objects.get(run=run)
    first, second = run.sessions.order_by("created_at")
    while advance(first.pk, paced=False):
        pass
    services.judge_scored(session_id=first.pk)
    request_stop(run.sessions.filter(pk=second.pk))
    advance(second.pk)
    assert [(row.session_id, row.status) for row in make_judgements(batch)] == [(first.pk, Status.JUDGED)]
