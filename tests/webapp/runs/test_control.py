"""Limits of a run, and what a person asks of one that is there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmark.core.events import ErrorRaised, ModelCalled, SessionFinished
from benchmark.core.events import Event as LogEvent
from benchmark.models import Usage
from tests.seating import endpoint_at
from tests.webapp.runs.conftest import end
from webapp.forms import ChoiceRefused
from webapp.jobs import services as jobs
from webapp.jobs.models import Job
from webapp.runs import control
from webapp.runs.budget import Budget, keep_to_budget
from webapp.runs.failures import causes
from webapp.runs.selectors import progress
from webapp.sessions.jobs import SESSION
from webapp.sessions.log import read_log, row_of
from webapp.sessions.models import Run, Session, Status
from webapp.sessions.services import claim
from webapp.sessions.spending import spend, spending_by_run

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
MOST_QUERIES = 28
MakeRun = Callable[..., Run]


def ids(run: Run) -> list[str]:
    return list(run.sessions.order_by("created_at").values_list("pk", flat=True))


def spends(run: Run, tokens: int, cost: float | None = None) -> None:
    """One request of its first session."""
    usage = Usage(prompt=tokens - 1, completion=1)
    call = ModelCalled(seat="Agent", endpoint="m", tokens=usage, cost=cost, currency="USD" if cost else "")
    spend(session=run.sessions.order_by("created_at")[0], calls=[call])


def crash(session: Session, detail: str) -> None:
    """End a session of this error."""
    raised = ErrorRaised(where="Agent, speak", kind="runtime_error", detail=detail)
    for seq, body in enumerate((raised, SessionFinished(reason="runtime_error")), session.last_seq + 1):
        row_of(session.pk, LogEvent(seq, "system", "research", body, session.created_at)).save()
    Session.objects.filter(pk=session.pk).update(last_seq=session.last_seq + 2)
    end(session, Status.CRASHED, "runtime_error")


def test_no_more_sessions_begin_at_once_than_the_run_allows(make_run: MakeRun) -> None:
    run, other = make_run(tasks=4), make_run(tasks=1)
    control.set_limits(run, at_once=2, budget=None)
    first, second, third, fourth = ids(run)
    assert jobs.due(kind=SESSION) == [first, second, *ids(other)]
    held = claim(session_id=fourth)
    assert held is not None and claim(session_id=second) is not None
    assert claim(session_id=first) is None and claim(session_id=third) is None
    assert jobs.due(kind=SESSION) == ids(other)
    jobs.release(claimed=held)
    assert claim(session_id=first) is None  # one that was begun keeps its place
    again = claim(session_id=fourth)
    assert again is not None
    jobs.finish(claimed=again)
    assert jobs.due(kind=SESSION)[:1] == [first] and claim(session_id=first) is not None


def test_a_run_that_has_spent_its_budget_is_paused_until_it_is_given_more(make_run: MakeRun) -> None:
    run = make_run(tasks=2)
    control.set_limits(run, at_once=None, budget=Budget(100))
    spends(run, 99)
    assert not keep_to_budget(run.pk) and not progress([run])[run.pk].resting
    spends(run, 1, cost=0.5)
    assert keep_to_budget(run.pk) and keep_to_budget(run.pk)
    run.refresh_from_db()
    assert run.budget_used_up and progress([run])[run.pk].resting
    assert not any(claim(session_id=pk) for pk in ids(run))
    with pytest.raises(ChoiceRefused, match="used up"):
        control.resume(run)
    control.set_limits(run, at_once=None, budget=Budget(101))
    control.resume(run)
    run.refresh_from_db()
    assert not run.budget_used_up and claim(session_id=ids(run)[0]) is not None
    assert (spending_by_run([run.pk])[run.pk].prompt, spending_by_run([run.pk])[run.pk].costs) == (
        100,
        {"USD": 0.5},
    )


def test_a_budget_in_money_needs_prices(make_run: MakeRun) -> None:
    priced = endpoint_at("http://127.0.0.1:9/v1", "priced", input_price=1.0, output_price=2.0)
    unpriced = endpoint_at("http://127.0.0.1:9/v1", "unpriced")
    run = make_run(agent="llm", agent_model=priced, users="llm", user_model=unpriced)
    with pytest.raises(ChoiceRefused, match=r"these have none: unpriced\."):
        control.set_limits(run, at_once=None, budget=Budget(1, "USD"))
    fine = make_run(agent="llm", agent_model=priced)
    control.set_limits(fine, at_once=None, budget=Budget(1, "USD"))
    spends(fine, 10_000, cost=1.0)
    assert keep_to_budget(fine.pk)


def test_like_failures_are_one_cause_and_are_played_again_once(
    as_researcher: Client, make_run: MakeRun
) -> None:
    run = make_run(tasks=3, trials=2, seed=5)
    one, two, three, four, *_ = run.sessions.order_by("created_at")
    crash(one, "status 429, request 8f0a11bc22de33f4, wait 20 s")
    crash(two, "status 429, request 9911bc22de33f4aa, wait 7 s")
    crash(three, "no connection <script>")
    end(four, Status.STOPPED, "stopped")
    found = causes(run)
    assert [(cause.reason, cause.count) for cause in found] == [
        ("runtime_error", 2),
        ("runtime_error", 1),
        ("stopped", 1),
    ]
    page = as_researcher.get(run.get_absolute_url()).content.decode()
    assert "Retry these 2" in page and "no connection &lt;script&gt;" in page
    for _ in range(2):
        as_researcher.post(f"/runs/{run.pk}/retry/", {"cause": found[0].key})
    new = run.sessions.filter(status=Status.QUEUED, trial_id=0)
    assert {(s.task_id, s.seed) for s in new} == {(s.task_id, s.seed) for s in (one, two)}
    assert progress([run])[run.pk].sessions == 6
    assert set(run.retried.values_list("pk", flat=True)) == {one.pk, two.pk}
    fresh = new.get(task=one.task)
    assert [e.body for e in read_log(fresh)] == [e.body for e in read_log(one)][:-2]
    assert set(jobs.due(kind=SESSION)) >= set(new.values_list("pk", flat=True))
    assert control.retry(run) == 1 and control.retry(run) == 0
    for path in ("/sessions/", one.get_absolute_url()):
        assert f'played again in run <a href="/runs/{run.pk}/">' in as_researcher.get(path).content.decode()
    assert one.get_absolute_url() in as_researcher.get(run.get_absolute_url()).content.decode()


def test_a_session_is_played_again_from_the_page_of_jobs(as_researcher: Client, make_run: MakeRun) -> None:
    run = make_run(tasks=1, trials=2, seed=5)
    one, other = run.sessions.order_by("created_at")
    claimed = claim(session_id=one.pk)
    assert claimed
    jobs.fail(claimed=claimed, error="runtime_error")
    crash(one, "no connection")
    address = f"/jobs/{claimed.job_id}/retry/"
    page = as_researcher.get("/jobs/").content.decode()
    assert f'action="{address}"' in page and "It crashed: an error ended it." in page
    assert "in a new job" in as_researcher.post(address, follow=True).content.decode()
    assert set(run.retried.values_list("pk", flat=True)) == {one.pk}
    (new,) = run.sessions.exclude(pk=other.pk)
    assert (new.task_id, new.seed, new.trial_id) == (one.task_id, one.seed, one.trial_id)
    assert "was retried already" in as_researcher.post(address, follow=True).content.decode()
    assert run.sessions.count() == 2


def test_added_trials_begin_as_if_they_had_been_asked_for_at_first(
    as_researcher: Client, make_run: MakeRun
) -> None:
    run, whole = make_run(tasks=2, trials=1, seed=7), make_run(tasks=2, trials=3, seed=7)
    control.pause(run)
    for _ in range(2):
        as_researcher.post(f"/runs/{run.pk}/trials/", {"trials": 3})
    run.refresh_from_db()

    def openings(of: Run) -> list[object]:
        rows = of.sessions.order_by("trial_id", "task__task_id")
        return [(s.trial_id, s.seed, [e.body for e in read_log(s)]) for s in rows]

    assert run.trials == 3 and openings(run) == openings(whole)
    assert progress([run])[run.pk].resting and not jobs.due(kind=SESSION)[6:]
    assert (
        b"Trials can be added, not taken away"
        in as_researcher.post(f"/runs/{run.pk}/trials/", {"trials": 2}).content
    )


def test_a_run_is_renamed_and_given_limits_from_its_page(as_researcher: Client, make_run: MakeRun) -> None:
    run = make_run()
    as_researcher.post(f"/runs/{run.pk}/name/", {"name": "another <name>"})
    given = {"at_once": 3, "budget": 1000, "budget_unit": "tokens"}
    as_researcher.post(f"/runs/{run.pk}/limits/", given)
    run.refresh_from_db()
    assert (run.name, run.at_once, run.budget, run.budget_unit) == ("another <name>", 3, 1000, "tokens")
    page = as_researcher.get(run.get_absolute_url()).content.decode()
    assert "another &lt;name&gt;" in page and "at most 3" in page
    refused = as_researcher.post(f"/runs/{run.pk}/limits/", {"at_once": 0}).content.decode()
    assert "wrong-field" in refused and '<details class="run-change" open' in refused


def test_deleting_asks_first_and_takes_the_lease_from_whoever_works(
    as_researcher: Client, make_run: MakeRun
) -> None:
    run, other = make_run(tasks=2), make_run(tasks=1)
    spends(run, 10)
    crash(run.sessions.order_by("created_at")[1], "broken")
    control.retry(run)
    held = claim(session_id=ids(run)[0])
    assert held is not None
    asked = as_researcher.get(f"/runs/{run.pk}/delete/").content.decode()
    assert "2 of them have not ended" in " ".join(asked.split()) and Run.objects.filter(pk=run.pk).exists()
    assert as_researcher.post(f"/runs/{run.pk}/delete/")["Location"] == "/runs/"
    with pytest.raises(jobs.LeaseLost):
        jobs.fence(claimed=held)
    assert set(Session.objects.values_list("run", flat=True)) == {other.pk}
    assert not Run.objects.filter(pk=run.pk).exists()
    assert set(Job.objects.values_list("subject", flat=True)) == set(ids(other))


def test_the_page_asks_as_often_for_many_failures_as_for_few(
    as_researcher: Client, make_run: MakeRun
) -> None:
    def queries(tasks: int) -> int:
        run = make_run(tasks=tasks, trials=2)
        control.set_limits(run, at_once=2, budget=Budget(100))
        for session in run.sessions.filter(trial_id=0):
            crash(session, f"broken {session.seed}")
        as_researcher.get(run.get_absolute_url())
        with CaptureQueriesContext(connection) as captured:
            assert "Failures by cause" in as_researcher.get(run.get_absolute_url()).content.decode()
        return len(captured)

    assert queries(2) == queries(6) <= MOST_QUERIES


@pytest.mark.parametrize("what", ["retry", "name", "limits", "trials", "delete"])
def test_only_researchers_change_a_run(client: Client, make_run: MakeRun, what: str) -> None:
    run = make_run()
    assert client.post(f"/runs/{run.pk}/{what}/", {"name": "x", "trials": 5}).status_code == 302
    run.refresh_from_db()
    assert (run.name, run.trials) == ("a run", 1)
