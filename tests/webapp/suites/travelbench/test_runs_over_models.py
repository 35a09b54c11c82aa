"""A run of all three subtasks over models, judged, to its figures and its report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from django.db import transaction
from django.test import Client

from benchmark.suites.travelbench.report import subsets
from tests.markup import tight
from tests.model_server import ModelServer, model_server
from tests.seating import endpoint_at, play
from webapp.catalogue.models import Task, TaskCollection, World
from webapp.endpoints.models import ModelEndpoint
from webapp.exchange.gathering import run_export
from webapp.jobs.models import Job
from webapp.judging import selectors, services
from webapp.judging.models import JudgeBatch, Judgement, Status
from webapp.judging.values import store_scores
from webapp.reports.selectors import report_of
from webapp.runs.figures import figures_of
from webapp.runs.selectors import outcomes
from webapp.runs.services import create_run
from webapp.runs.verdicts import judging_of, with_judge
from webapp.sessions.models import Run
from webapp.sessions.services import Setup
from worker.steppers.judgements import advance_judgement

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.either_engine]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


def finish(batch: JudgeBatch) -> None:
    while due := selectors.due_in(batch):
        for pk in due:
            advance_judgement(pk)
        Job.objects.update(due_at=None)


MakeJudgedRun = Callable[[str], Run]


@pytest.fixture
def judged_run(server: ModelServer, shipped_tasks: dict[str, Task], starter_world: World) -> MakeJudgedRun:
    """A run of a task of each subtask, by a model in the agent's seat; a judge rates it, if one is named."""

    def make_judged_run(judge: str) -> Run:
        agent = ModelEndpoint.objects.filter(model="good-agent").first() or endpoint_at(
            server.url, "good-agent"
        )
        setup = Setup(agent="llm", agent_model=agent, users="scripted")
        tasks = [shipped_tasks[f"travelbench-{name}-starter-3"] for name in ("single", "multi", "unsolved")]
        run = create_run(
            name=f"by {judge or 'nobody'}", tasks=tasks, world=starter_world, setup=setup, start=False
        )
        for session in run.sessions.all():
            play(session)
        if judge:
            rater = endpoint_at(server.url, judge)
            rated = run.sessions.exclude(task__facets__subtask="unsolved")
            finish(
                services.start_batch(sessions=list(rated), judge=rater, meta_judge=rater, form="published")
            )
        return run

    return make_judged_run


@pytest.fixture
def run(judged_run: MakeJudgedRun) -> Run:
    """A task of each subtask, by a model in the agent's seat, judged."""
    return judged_run("good-judge")


def test_it_has_an_overall_score_and_a_report(run: Run, as_researcher: Client) -> None:
    assert set(run.sessions.values_list("status", flat=True)) == {"finished"}
    own = outcomes([run])
    (judged,) = with_judge(own, judging_of([run], own)).values()
    found = figures_of(judged, "travelbench").values
    scores = [found[name] for name in ("single", "multi")]
    assert found["unsolved"] is not None and None not in scores
    subsets = [round(score, 2) for score in (*scores, found["unsolved"] * 100)]  # type: ignore[arg-type]
    assert found["overall"] == round(sum(subsets) / 3, 2)
    assert run_export(run).averages["overall"] == found["overall"]
    page = tight(as_researcher.get(f"/reports/?runs={run.pk}").content.decode())
    assert "Main results by subset" in page


def test_a_dimension_that_a_judge_left_out_counts_alike_on_the_run_s_page_and_in_its_report(run: Run) -> None:
    """The published program takes the mean of dimensions, of which three have none, and no mean of sessions."""
    row = Judgement.objects.get(session__task__facets__subtask="multi", status=Status.JUDGED)
    weight = (row.score or 0) / (100 * (sum(row.scores.values()) / 4 - 1) / 4)
    row.scores, row.score = {"presentation": 3}, 50 * weight
    with transaction.atomic():
        row.save()
        store_scores(row.session_id)
    own = outcomes([run])
    (judged,) = with_judge(own, judging_of([run], own)).values()
    found = figures_of(judged, "travelbench").values
    (told,) = subsets.build(report_of([run], "published")).rows
    figures = dict(zip((column.key for column in subsets.COLUMNS), told, strict=True))
    assert found["multi"] == pytest.approx(50 * weight / 4) == figures["multi_final"]
    assert found["judge"] != found["multi"] and found["overall"] == figures["overall"]


def test_the_leaderboard_ranks_by_the_score_that_only_a_whole_run_has(
    judged_run: MakeJudgedRun, run: Run, as_researcher: Client
) -> None:
    unjudged = judged_run("")
    played = {session.task_id for session in run.sessions.all()}
    Task.objects.exclude(pk__in=played).delete()
    page = tight(as_researcher.get("/reports/leaderboard/?collection=starter-travelbench").content.decode())
    assert '<option value="overall" selected>' in page and "Only whole runs have the figure" in page
    row, *others = re.findall(r"<tr>.*?</tr>", page.split('id="ranked"')[1].split("<tbody>")[1])
    own = outcomes([run])
    (judged,) = with_judge(own, judging_of([run], own)).values()
    overall = figures_of(judged, "travelbench").values["overall"]
    assert f">{run.name}</a>" in row and not others
    assert re.findall(r'<td class="n">([^<]*)', row)[1] == f"{overall:.2f}"
    assert f"{unjudged.name}</a> <small>has judge on 0 of 2 tasks" in page.split('id="unranked"')[1]
    by_tasks = as_researcher.get("/reports/leaderboard/?collection=starter-travelbench&figure=unsolved")
    page = tight(by_tasks.content.decode())
    assert "Only whole runs have" not in page and page.count("<tr>") == 3
    row = as_researcher.get("/reports/leaderboard.csv?collection=starter-travelbench").content.decode()
    assert f"{overall}" in row
    one_kind = TaskCollection.objects.create(name="one-kind")
    Task.objects.filter(pk__in=played, facets__subtask="unsolved").update(collection=one_kind)
    page = tight(as_researcher.get("/reports/leaderboard/?collection=one-kind").content.decode())
    assert '<option value="unsolved" selected>' in page and f">{run.name}</a>" in page.split('id="ranked"')[1]
