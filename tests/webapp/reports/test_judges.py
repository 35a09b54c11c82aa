"""Which verdicts are of one judge, and that reports, runs and sessions hold the same ones."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from html import unescape
from io import StringIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from tests.webapp.runs.conftest import end
from tests.webapp.runs.test_run_pages import cells
from webapp.judging.verdicts import verdicts_in
from webapp.reports.folding import catch_up
from webapp.reports.judges import JudgeFilter
from webapp.reports.selectors import ANYONE, report_of
from webapp.sessions.models import Run, Session

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
Judge = Callable[..., None]


def words(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", unescape(strip_tags(response.content.decode())))


def lines(client: Client, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(client.get(address).content.decode())))


def scores(run: Run, wanted: JudgeFilter = ANYONE) -> list[float | None]:
    report = report_of([run], "published", wanted)
    return [verdict.score for one in report.runs[0].sessions for verdict in one.verdicts]


@pytest.fixture
def sessions(played_run: Run) -> list[Session]:
    return list(played_run.sessions.filter(status="finished").order_by("created_at"))


@pytest.fixture
def swapped_judge_run(played_run: Run, sessions: list[Session], judge: Judge) -> Run:
    """All four sessions at S 100 by one model, then three of them at S 0 by another under the same name."""
    for number, session in enumerate(sessions):
        judge(session, 5, by="swapped", anew=number == 0, model="fixed5", prompts="1-a")
    for number, session in enumerate(sessions[:3]):
        judge(session, 1, by="swapped", anew=number == 0, model="fixed1", prompts="1-a")
    return played_run


@pytest.mark.both_engines
def test_two_models_under_one_name_are_two_judges(swapped_judge_run: Run) -> None:
    assert scores(swapped_judge_run) == scores(swapped_judge_run, JudgeFilter("swapped")) == [100.0] * 4
    assert scores(swapped_judge_run, JudgeFilter("swapped (fixed1)")) == [0.0] * 3
    report = report_of([swapped_judge_run], "published")
    assert [(pair.judge_label, pair.sessions) for pair in report.pairs] == [
        ("swapped (fixed5) on published input", 4),
        ("swapped (fixed1) on published input", 3),
    ]


def test_every_format_names_the_models(as_researcher: Client, swapped_judge_run: Run) -> None:
    address = f"/reports/report.{{}}?runs={swapped_judge_run.pk}"
    for ending in ("md", "html"):
        told = as_researcher.get(address.format(ending)).content.decode()
        assert "Judged by swapped (fixed5) on published input, calibrated by swapped (fixed5)." in told
        assert "swapped (fixed1) on published input with swapped (fixed1) has judged 3 sessions too" in told
    told = json.loads(as_researcher.get(address.format("json")).content)
    assert (told["judged_by"]["judge_model"], told["judged_by"]["meta_model"]) == ("fixed5", "fixed5")
    assert [(pair["judge_model"], pair["sessions"]) for pair in told["other_judges"]] == [("fixed1", 3)]
    rows = [row for row in lines(as_researcher, address.format("csv")) if row["part"] == "judges"]
    found = {(row["row"], row["column"]): row["value"] for row in rows}
    assert (found["1", "judge_model"], found["1", "in_figures"]) == ("fixed5", "yes")
    assert (found["2", "judge_model"], found["2", "in_figures"]) == ("fixed1", "no")


def test_a_pair_is_chosen_by_its_model(as_researcher: Client, swapped_judge_run: Run) -> None:
    page = as_researcher.get(f"/reports/?runs={swapped_judge_run.pk}").content.decode()
    addresses = re.findall(r'<option value="(swapped[^"]*)"', page)
    assert addresses == [
        "swapped (fixed5) on published input,swapped (fixed5)",
        "swapped (fixed1) on published input,swapped (fixed1)",
    ]
    assert "Judged by swapped (fixed1)" in words(
        as_researcher, f"/reports/?runs={swapped_judge_run.pk}&judge={addresses[1]}"
    )


def test_names_with_commas_can_be_asked_for(sessions: list[Session], played_run: Run, judge: Judge) -> None:
    judge(sessions[0], 5, model="a,b%")
    judge(sessions[0], 1, model="c", anew=True)
    pairs = report_of([played_run], "published").pairs
    for pair in pairs:
        wanted = JudgeFilter.of(str(JudgeFilter.exactly(pair, pairs)))
        assert [one for one in pairs if wanted.is_met_by(one)] == [pair]


def test_other_prompts_are_another_pair_and_told_apart_by_their_version(
    as_researcher: Client, sessions: list[Session], played_run: Run, judge: Judge
) -> None:
    judge(sessions[0], 5, model="m", prompts="1-old")
    judge(sessions[0], 1, model="m", prompts="2-new", anew=True)
    assert scores(played_run) == [0.0]
    assert scores(played_run, JudgeFilter(prompts="1-old")) == [100.0]
    page = words(as_researcher, f"/reports/?runs={played_run.pk}")
    assert "Their prompts have the version 2-new." in page
    assert "strict (m) on published input with strict (m) and prompts 1-old has judged 1 session too" in page
    assert "strict (m) on published input with strict (m), 1 session, prompts 1-old" in page
    chosen = words(as_researcher, f"/reports/?runs={played_run.pk}&judge=strict,strict,1-old")
    assert "Their prompts have the version 1-old." in chosen


def test_the_same_prompts_in_two_languages_are_one_pair(
    sessions: list[Session], played_run: Run, judge: Judge
) -> None:
    first, second = sessions[0], next(one for one in sessions if one.task_id != sessions[0].task_id)
    second.task.language = "en"
    second.task.save()
    judge(first, 5, prompts="1-zh")
    judge(second, 5, prompts="1-en")
    [pair] = report_of([played_run], "published").pairs
    assert (pair.prompts, pair.sessions) == (("1-en", "1-zh"), 2)
    judge(first, 1, prompts="1-zh2", anew=True)
    found = {pair.prompts: pair.sessions for pair in report_of([played_run], "published").pairs}
    assert found == {("1-en", "1-zh2"): 2, ("1-zh",): 1}


def test_a_session_and_its_run_show_what_the_report_has(
    as_researcher: Client, swapped_judge_run: Run, sessions: list[Session], judge: Judge
) -> None:
    judge(sessions[0], 3, by="swapped", anew=True, model="fixed5", prompts="1-a")
    [main, *_] = json.loads(as_researcher.get(f"/reports/report.json?runs={swapped_judge_run.pk}").content)[
        "parts"
    ]["main_results"]["rows"]
    assert main["judge"]["value"] == 93.75
    head = as_researcher.get(f"/sessions/{sessions[0].pk}/head/").content.decode()
    assert "<b>75.0 ± 35.4</b>" in head and "judge (swapped)</span>" in head
    who = "swapped (fixed5) on published input, calibrated by swapped (fixed5)"
    told = f"Judged by {who}, prompts 1-a. The mean of 2 judgements."
    assert f"{told} 1 other pair of judge and meta-judge scored it too." in head
    page = words(as_researcher, f"/runs/{swapped_judge_run.pk}/")
    shown = as_researcher.get(f"/runs/{swapped_judge_run.pk}/").content.decode()
    assert cells(shown, "all")[:2] == ["5", "4"] and cells(shown, "all")[6] == "93.8 2 of 3"
    assert cells(shown, sessions[0].pk)[-1] == "75.0"
    assert "Judged by swapped (fixed5) on published input, calibrated by swapped (fixed5)" in page
    assert "swapped (fixed1) on published input with swapped (fixed1) has judged 3 sessions too" in page
    rows = {row["session"]: row for row in lines(as_researcher, f"/runs/{swapped_judge_run.pk}/sessions.csv")}
    assert [rows[one.pk]["judge"] for one in sessions] == ["75.0", "100.0", "100.0", "100.0"]
    assert {rows[one.pk]["judge_model"] for one in sessions} == {"fixed5"}
    [compared] = lines(as_researcher, f"/runs/compare.csv?runs={swapped_judge_run.pk}")
    assert (compared["judge"], compared["judged"], compared["judge_model"]) == ("93.75", "4", "fixed5")


@pytest.mark.both_engines
def test_where_the_runs_judge_did_not_score_a_session_its_newest_one_is_shown(
    as_researcher: Client, played_run: Run, sessions: list[Session], judge: Judge
) -> None:
    for session in sessions[1:]:
        judge(session, 5, by="many")
    judge(sessions[0], 3, by="older")
    judge(sessions[0], 1, by="newer")
    head = as_researcher.get(f"/sessions/{sessions[0].pk}/head/").content.decode()
    assert "<b>0.0</b>" in head and "judge (newer)" in head
    rows = {row["session"]: row for row in lines(as_researcher, f"/runs/{played_run.pk}/sessions.csv")}
    assert (rows[sessions[0].pk]["judge"], rows[sessions[0].pk]["judge_name"]) == ("", "")


def test_without_a_judge_its_columns_are_empty(as_researcher: Client, played_run: Run) -> None:
    page = words(as_researcher, f"/runs/{played_run.pk}/")
    assert "No judge has rated these sessions." in page
    assert {row["judge"] for row in lines(as_researcher, f"/runs/{played_run.pk}/sessions.csv")} == {""}
    [compared] = lines(as_researcher, f"/runs/compare.csv?runs={played_run.pk}")
    assert (compared["judge"], compared["judged"], compared["judge_name"]) == ("", "0", "")


@pytest.mark.both_engines
def test_runs_are_compared_over_the_tasks_that_were_judged_in_both(
    as_researcher: Client, played_run: Run, make_run: Callable[..., Run], judge: Judge
) -> None:
    other = make_run(tasks=3, name="other")
    for session in other.sessions.all():
        end(session)
        judge(session, 3)
    judge(played_run.sessions.filter(status="finished")[0], 5)
    first, second = lines(as_researcher, f"/runs/compare.csv?runs={played_run.pk},{other.pk}")
    assert (first["judge"], second["judge"], second["judge_change"]) == ("100.0", "50.0", "-50.0")
    assert (first["judged"], second["judged"]) == ("1", "3")


def test_judged_pages_ask_the_database_as_often_for_many_sessions_as_for_few(
    as_researcher: Client, make_run: Callable[..., Run], judge: Judge
) -> None:
    def count(address: str) -> int:
        as_researcher.get(address)
        with CaptureQueriesContext(connection) as queries:
            assert as_researcher.get(address).status_code == 200
        return len(queries)

    runs = [make_run(tasks=2), make_run(tasks=6, trials=3)]
    for run in runs:
        for session in run.sessions.all():
            end(session)
            judge(session, 4)
            judge(session, 2, by="other")
    catch_up(runs)
    for address in ("/runs/{}/", "/runs/{}/sessions.csv", "/runs/compare/?runs={}", "/reports/?runs={}"):
        assert len({count(address.format(run.pk)) for run in runs}) == 1, address
    with CaptureQueriesContext(connection) as queries:
        verdicts_in(runs)
    assert len(queries) == 2
