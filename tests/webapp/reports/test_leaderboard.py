"""The page of a leaderboard."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmark.core.model_use import ModelUse
from benchmark.suites import measures_of
from tests.markup import tight
from tests.webapp.runs.conftest import end
from webapp.catalogue.models import Task
from webapp.reports.folding import catch_up
from webapp.reports.leaderboard import ranking_columns
from webapp.sessions.models import Run

pytestmark = pytest.mark.django_db

Whole = Callable[..., Run]


@pytest.fixture
def whole(make_run: Callable[..., Run], starter_tasks: list[Task]) -> Whole:
    """A run over a collection of three tasks, with the utility of each and what a session cost."""
    Task.objects.filter(pk__in=[task.pk for task in starter_tasks[3:]]).delete()

    def make_scored_run(name: str, *utilities: float, cost: float | None = 0.5, **setup: Any) -> Run:
        run = make_run(tasks=len(utilities), name=name, **setup)
        costs, unknown = ({}, 2) if cost is None else ({"USD": cost}, 0)
        spent = ModelUse(
            "e", "agent", calls=2, prompt=900, completion=100, counted=2, costs=costs, uncosted=unknown
        )
        others = ModelUse("e", "travellers", calls=9, prompt=7, counted=9, costs={"USD": 70.0})
        for session, gu in zip(run.sessions.order_by("task__position"), utilities, strict=True):
            end(session, gu=gu, models=(spent, others))
        catch_up([run])
        return run

    return make_scored_run


def page_of(client: Client, query: str = "") -> str:
    return tight(client.get(f"/reports/leaderboard/?{query}").content.decode())


def lines(page: str) -> list[str]:
    return [
        re.sub(r"<[^>]*>", " ", row)
        for row in page.split('id="ranked"')[1].split("</table>")[0].split("<tr>")[2:]
    ]


def test_whole_runs_are_ranked_with_what_their_agents_took(as_researcher: Client, whole: Whole) -> None:
    whole("poor", 1, 2, 3, cost=0.2)
    whole("rich", 4, 5, 9, cost=0.9)
    whole("dear", 1, 2, 2, cost=0.9)
    found = lines(page_of(as_researcher))
    assert [next(name for name in ("poor", "rich", "dear") if name in line) for line in found] == [
        "rich",
        "poor",
        "dear",
    ]
    assert "0.9000 USD" in found[0] and "1,000" in found[0]
    assert ["yes" in line for line in found] == [True, True, False]


def test_who_is_not_ranked_is_named_with_the_reason(
    as_researcher: Client, whole: Whole, make_run: Callable[..., Run]
) -> None:
    whole("whole", 1, 2, 3)
    whole("part", 9, 9)
    make_run(tasks=3, name="going")
    page = page_of(as_researcher)
    left = page.split('id="unranked"')[1]
    assert len(lines(page)) == 1
    assert "has 2 of 3 tasks" in left and "still running" in left


def test_runs_under_other_conditions_are_ranked_apart(as_researcher: Client, whole: Whole) -> None:
    whole("one", 1, 2, 3)
    whole("two", 1, 2, 4)
    apart = whole("apart", 9, 9, 9)
    apart.setup["sandbox"] = {"mode": "isolated", "cache": "amap"}
    apart.save()
    page = page_of(as_researcher)
    assert "apart" not in "".join(lines(page)) and "other conditions: isolated · amap" in page
    name = re.search(r"<option>(isolated[^<]*)</option>", page)
    assert name is not None
    assert len(lines(page_of(as_researcher, f"conditions={name[1]}"))) == 1


def test_a_cost_that_is_not_known_is_no_zero_and_tokens_take_its_place(
    as_researcher: Client, whole: Whole
) -> None:
    whole("unpriced", 1, 2, 3, cost=None)
    page = page_of(as_researcher)
    assert "–" in lines(page)[0] and "USD" not in page
    assert '"x": [1000.0]' in page


def test_runs_at_one_place_of_the_drawing_are_named_together(as_researcher: Client, whole: Whole) -> None:
    whole("alike", 1, 2, 3)
    whole("even", 1, 2, 3)
    whole("rich", 4, 5, 9)
    texts = re.findall(r'"text": \["([^"]*)"\]', page_of(as_researcher))
    assert sorted(filter(None, texts)) in (["alike, even", "rich"], ["even, alike", "rich"])
    assert texts.count("") == 1


def test_a_long_name_has_lines_that_fit_and_stands_where_there_is_room(
    as_researcher: Client, whole: Whole
) -> None:
    whole("a run with a name that is long", 1, 2, 3, cost=1)
    whole("dear", 4, 5, 9, cost=9)
    page = page_of(as_researcher)
    texts = [
        text for found in re.findall(r'"text": (\[[^\]]*\])', page) for text in json.loads(unescape(found))
    ]
    assert "a run with a name<br>that is long" in texts
    places = re.findall(r'"textposition": "([^"]*)"', page)
    assert sorted(places) == ["middle left", "middle right"]


def test_the_file_holds_the_same(as_researcher: Client, whole: Whole) -> None:
    whole("=one", 1, 2, 3)
    answer = as_researcher.get("/reports/leaderboard.csv?figure=pc")
    [row] = csv.DictReader(StringIO(answer.content.decode()))
    assert (row["rank"], row["gu"], row["cost"], row["currency"]) == ("1", "2.0", "0.5", "USD")
    assert row["run"] != "=one"


def test_what_is_unknown_is_not_found_or_the_first_choice(as_researcher: Client, whole: Whole) -> None:
    assert "There are no runs yet." in page_of(as_researcher)
    whole("one", 1, 2, 3)
    assert as_researcher.get("/reports/leaderboard/?collection=no").status_code == 404
    assert len(lines(page_of(as_researcher, "figure=no&profile=no&beside=no&conditions=no"))) == 1


def test_more_runs_ask_no_more_queries(as_researcher: Client, whole: Whole) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            page_of(as_researcher)
        return len(queries)

    whole("one", 1, 2, 3)
    count()
    few = count()
    whole("two", 1, 2, 3)
    whole("three", 3, 2, 3)
    assert count() == few


def test_a_visitor_sees_nothing(client: Client) -> None:
    assert client.get("/reports/leaderboard/").status_code in {302, 403}


def test_published_models_stand_below_without_a_rank_and_the_best_is_bold(
    as_researcher: Client, whole: Whole
) -> None:
    whole("poor", 1, 2, 3)
    whole("good", 4, 5, 6)
    assert 'id="published"' not in page_of(as_researcher, "figure=gu")
    page = page_of(as_researcher, "figure=gu&published=yes")
    own, published = page.split('id="ranked"')[1].split("</table>")[0].split('id="published"')
    assert "<b>5.00</b>" in own and "DeepSeek" not in own
    row = next(row for row in published.split("<tr>") if "DeepSeek-V4-Pro" in row)
    assert "<b>10.47</b>" in row and "–" in row.split("DeepSeek")[0] and "Table 1" in row
    assert "never ranked among your runs" in page
    assert (
        "DeepSeek"
        not in as_researcher.get("/reports/leaderboard.csv?figure=gu&published=yes").content.decode()
    )


def test_only_ranked_runs_are_set_beside_the_papers_conditions(as_researcher: Client, whole: Whole) -> None:
    whole("good", 4, 5, 6)
    whole("unfinished", 1)
    page = page_of(as_researcher, "figure=gu&published=yes")
    row = next(row for row in page.split("<tr>") if "650" in row)
    assert [words.strip() for words in re.findall(r">([^<>]+)<", row) if words.strip()] == [
        "tasks",
        "650",
        "3",
    ]


def test_published_models_stand_there_without_any_ranked_run(as_researcher: Client, whole: Whole) -> None:
    whole("unfinished", 1)
    page = page_of(as_researcher, "figure=gu&published=yes")
    assert "No run can be ranked under these conditions." in page
    [head, *rows] = lines(page)
    assert "Published in" in head and any("DeepSeek-V4-Pro" in row for row in rows)
    assert "never ranked among your runs" in page


def test_it_is_told_where_the_paper_has_no_such_figure(as_researcher: Client, whole: Whole) -> None:
    whole("good", 4, 5, 6)
    page = page_of(as_researcher, "figure=rules&published=yes")
    assert "The paper gives no result for the figure that runs are ranked by." in page


def test_no_run_is_ranked_by_a_figure_that_only_describes() -> None:
    keys = {column.key for column in ranking_columns(measures_of("travelbench", "published"))}
    assert "overall" in keys and not {"steps", "turns"} & keys
