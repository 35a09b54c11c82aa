"""`manage.py judge`: a run or sessions judged here, and what the exit code says."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError

from tests.model_server import ModelServer
from tests.seating import Make, endpoint_at
from webapp.catalogue.models import Task, World
from webapp.judging.models import JudgeBatch, Judgement, Status
from webapp.runs.services import create_run
from webapp.sessions.models import Run, Session
from webapp.sessions.services import Setup
from worker.foreground import play
from worker.management.commands import judge as command

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def finished_run(starter_world: World, starter_tasks: list[Task]) -> Run:
    """A run of one easy task, twice, that passes for finished."""
    tasks = [task for task in starter_tasks if task.task_id == "starter_01"]
    made = create_run(name="r", tasks=tasks, world=starter_world, setup=Setup(), trials=2, start=False)
    made.sessions.update(status="finished")
    return made


@pytest.fixture
def run(finished_run: Run, recorded_session: Make) -> Run:
    """The same, played."""
    for session in finished_run.sessions.all():
        recorded_session("easy", run_id=finished_run.pk, trial_id=session.trial_id, seed=session.seed)
        session.delete()
    return finished_run


def judge(*arguments: str) -> str:
    out = StringIO()
    call_command("judge", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def refusal_of(*arguments: str) -> CommandError:
    with pytest.raises(CommandError) as error:
        judge(*arguments)
    return error.value


def test_a_run_is_judged_several_times_to_its_figures(server: ModelServer, run: Run) -> None:
    endpoint_at(server.url, "good-judge", input_price=1.0, output_price=1.0)
    told = judge(run.pk, "--model", "good-judge", "--repeats", "2")
    batch = JudgeBatch.objects.get()
    assert (batch.run, batch.judgements.count()) == (run, 4)
    assert "4 judged, 0 unusable, 0 without an answer, 0 stopped" in told
    lines = {line.strip().split("  ")[0]: line for line in told.splitlines()}
    assert "4 judgements rate every dimension" in told and "4 also have a calibration" in told
    assert "± 0.00" in lines["hallucination (5 = free of it)"] and "±" in lines["S"]
    assert lines["judge"].split()[1] == "4" and "USD" in lines["judge"]
    assert len(server.ledger.entries) == 8


@pytest.mark.parametrize(("options", "form"), [((), "published"), (("--input", "paper"), "paper")])
def test_the_input_is_an_option_and_is_told(
    server: ModelServer, run: Run, options: tuple[str, ...], form: str
) -> None:
    endpoint_at(server.url, "good-judge")
    told = judge(run.pk, "--model", "good-judge", *options)
    again = json.loads(judge(run.pk, "--model", "good-judge", "--json", "--ask-anew", *options))
    assert again["progress"]["judged"] == again["figures"]["scored"] == 2 and again["use"][0]["calls"] == 2
    assert {batch.form for batch in JudgeBatch.objects.all()} == {form} and f"{form} input" in told
    report = StringIO()
    call_command("report", run.pk, "--format", "json", stdout=report)
    pairs = json.loads(report.getvalue())
    assert pairs["judged_by"]["form"] == form
    assert {row["judge_input"] for row in pairs["parts"]["judges"]["rows"]} == {form}


def test_without_a_meta_judge_it_is_said_so_everywhere(server: ModelServer, run: Run) -> None:
    endpoint_at(server.url, "good-judge")
    told = judge(run.pk, "--model", "good-judge", "--no-meta-judge")
    assert "2 judged, 0 unusable" in told and len(server.ledger.entries) == 2
    assert "2 judgements rate every dimension and count in the means of dimensions.\n" in told
    report = StringIO()
    call_command("report", run.pk, "--format", "md", stdout=report)
    assert "calibrated by no meta-judge" in report.getvalue()
    judge(run.pk, "--model", "good-judge")
    out = StringIO()
    call_command("report", run.pk, "--format", "json", "--meta-judge", "no meta-judge", stdout=out)
    assert json.loads(out.getvalue())["judged_by"]["meta_judge"] == ""


def test_a_report_is_asked_for_by_the_judges_input(server: ModelServer, run: Run) -> None:
    endpoint_at(server.url, "good-judge")
    forms = ("published", "caravan")
    for form in forms:
        judge(run.pk, "--model", "good-judge", "--input", form)
    for form, other in (forms, forms[::-1]):
        out = StringIO()
        wanted = f"good-judge on {form} input"
        call_command("report", run.pk, "--format", "json", "--judge", wanted, stdout=out)
        told = json.loads(out.getvalue())
        assert told["judged_by"]["form"] == form
        assert [pair["form"] for pair in told["other_judges"]] == [other]


def test_what_has_no_score_is_told_by_the_exit_code_and_by_name(server: ModelServer, run: Run) -> None:
    endpoint_at(server.url, "seven-judge")
    pk = run.sessions.values_list("pk", flat=True)[0]
    out = StringIO()
    with pytest.raises(CommandError) as error:
        call_command("judge", pk, "--model", "seven-judge", stdout=out, stderr=StringIO())
    assert (error.value.returncode, str(error.value)) == (1, "1 judgement of 1 has no score")
    assert (
        f"{pk}, Unusable answer: hallucination (5 = free of it): is not between 1 and 5 (7)" in out.getvalue()
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["RUN", "--model", "nobody"], "there is no model “nobody”"),
        (["nothing", "--model", "good-judge"], "no run or session of this name: nothing"),
        (["RUN", "nothing", "--model", "good-judge"], " is a run: name one run, or any number of sessions"),
        (["RUN", "--model", "good-judge", "--meta-model", "nobody"], "there is no model “nobody”"),
        (["RUN", "--model", "good-judge", "--repeats", "0"], "1 to 20 times"),
    ],
)
def test_bad_input_is_refused(
    server: ModelServer, finished_run: Run, arguments: list[str], words: str
) -> None:
    endpoint_at(server.url, "good-judge")
    error = refusal_of(*(finished_run.pk if word == "RUN" else word for word in arguments))
    assert error.returncode == 2 and words in str(error)
    assert not Judgement.objects.exists()


def test_interrupted_it_says_what_is_left(
    server: ModelServer, finished_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_judge", raise_interrupt)
    endpoint_at(server.url, "good-judge")
    error = refusal_of(finished_run.pk, "--model", "good-judge")
    assert error.returncode == 130 and "2 judgements left" in str(error)
    assert set(Judgement.objects.values_list("status", flat=True)) == {Status.QUEUED}


def test_of_a_run_what_its_report_counts_is_judged(server: ModelServer, finished_run: Run) -> None:
    endpoint_at(server.url, "good-judge")
    crashed, stopped = finished_run.sessions.order_by("pk")
    Session.objects.filter(pk=crashed.pk).update(status="crashed")
    Session.objects.filter(pk=stopped.pk).update(status="stopped")
    told = judge(finished_run.pk, "--model", "good-judge")
    assert Judgement.objects.get().session_id == crashed.pk
    assert "1 judgement, " in told and "1 session is left out, since a researcher stopped it" in told
    assert "A researcher stopped" in str(refusal_of(stopped.pk, "--model", "good-judge"))


@pytest.mark.usefixtures("hasty")
def test_what_could_not_be_scored_when_it_ended_is_scored_here(
    finished_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_locked(**_: object) -> None:
        raise OperationalError("database is locked")

    finished_run.sessions.update(status="queued")
    monkeypatch.setattr("worker.sessions.handover.score_session", raise_locked)
    play(finished_run, threads=2, report=lambda _: None)
    assert not finished_run.sessions.filter(scores=None).exists()
