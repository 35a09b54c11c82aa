"""The page of a report and its files."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.html import strip_tags

from benchmark.suites import measures_of
from benchmark.suites.grouptravel.judging.rubric import DIMENSIONS
from benchmark.suites.grouptravel.report import PARTS
from benchmark.text.latex import escape_latex
from tests.markup import tight
from tests.webapp.runs.conftest import end, use
from webapp.judging.wording import dimension_words
from webapp.reports.files import FORMATS
from webapp.reports.models import SessionFigures
from webapp.reports.selectors import labels_of
from webapp.reports.wording import Words
from webapp.sessions.models import Run, Session

pytestmark = [pytest.mark.django_db]


def words(page: str) -> str:
    return re.sub(r"\s+", " ", unescape(strip_tags(page)))


def page_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def charts(page: str) -> dict[str, dict[str, Any]]:
    found = re.findall(r'<template id="(\S+)-json">(.*?)</template>', page)
    return {name: json.loads(told) for name, told in found}


@pytest.fixture
def pair(played_run: Run, make_run: Callable[..., Run]) -> tuple[Run, Run]:
    other = make_run(tasks=3, trials=1, name="the second")
    for session in other.sessions.all():
        end(session, gu=9.0, uses={"search_poi": use(20, hits=20)})
    return played_run, other


def test_every_pair_is_shown_with_interval_and_corrected_p(
    as_researcher: Client, pair: tuple[Run, Run]
) -> None:
    page = words(page_of(as_researcher, f"/reports/?runs={pair[0].pk},{pair[1].pk}"))
    _before, _head, matrix = page.partition("Every run against every other")
    assert "difference p p (Holm)" in matrix
    row = re.search(r"GU, group utility the first .*? the second (.*?) PC", matrix)
    assert row and re.fullmatch(r"3 0 0 3 −1\.00 −5\.33 ?−\d\.\d\d to −\d\.\d\d 0\.\d+ 0\.\d+", row[1]), row


def test_a_page_without_matplotlib_says_how_to_install_it(
    as_researcher: Client, played_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("webapp.reports.views.matplotlib_is_here", lambda: False)
    command = "pip install -r requirements-figures.txt"
    page = page_of(as_researcher, f"/reports/?runs={played_run.pk}")
    assert command in page and "/figures/" not in page
    (chart, *_others) = charts(page)
    answer = as_researcher.get(f"/reports/figures/{chart}.svg?runs={played_run.pk}")
    assert command in answer.content.decode() and answer.status_code != 200


@pytest.mark.storage
def test_the_page_shows_every_part_and_names_its_counterpart(
    as_researcher: Client, pair: tuple[Run, Run]
) -> None:
    page = page_of(as_researcher, f"/reports/?runs={pair[0].pk},{pair[1].pk}")
    for part in PARTS:
        assert f'id="{part.name}"' in page
        assert part.counterpart in page
    text = words(page)
    assert "the first | <b>run</b>" in text
    assert "5 sessions" in text
    assert "No judge has rated these sessions" in text
    assert "There are no human ratings." in text
    assert "same call three times" not in text


def test_charts_have_the_figures_of_their_tables_in_the_colours_of_their_runs(
    as_researcher: Client, pair: tuple[Run, Run]
) -> None:
    found = charts(page_of(as_researcher, f"/reports/?runs={pair[0].pk}&runs={pair[1].pk}"))
    issues = found["validity_issues"]
    assert issues["layout"]["xaxis"]["type"] == "log"
    assert issues["data"][0]["x"] == [8, 6]
    assert issues["data"][0]["marker"]["color"] == "var(--run1)"
    assert [trace["name"] for trace in issues["data"]] == [
        "the first | &lt;b&gt;run&lt;/b&gt;"
    ]  # who has any
    assert issues["layout"]["xaxis"]["range"][0] == pytest.approx(-0.30103)  # 0.5, below the smallest count
    sizes = [trace for trace in found["group_size-2"]["data"] if trace["name"] == "the second"]
    assert sizes[0]["marker"]["color"] == "var(--run2)"
    assert set(sizes[0]["y"]) == {9.0}


def test_axes_name_a_quantity_and_its_unit(as_researcher: Client, pair: tuple[Run, Run]) -> None:
    found = charts(page_of(as_researcher, f"/reports/?runs={pair[0].pk},{pair[1].pk}"))
    titles = {
        name: [chart["layout"][axis].get("title", {}).get("text") for axis in ("xaxis", "yaxis")]
        for name, chart in found.items()
    }
    assert titles["tool_calls-0"] == ["tool calls per task", "% of tasks"]
    assert titles["compromises-0"] == ["compromises per task", "% of tasks"]
    assert titles["tools_and_utility"] == ["tool calls per task", "GU, points"]
    assert [titles[f"group_size-{n}"] for n in range(3)] == [
        ["people in the group", "%"],
        ["people in the group", "%"],
        ["people in the group", "points"],
    ]
    assert titles["completion"][0] == "% of sessions"


def test_runs_side_by_side_share_a_scale(as_researcher: Client, pair: tuple[Run, Run]) -> None:
    found = charts(page_of(as_researcher, f"/reports/?runs={pair[0].pk},{pair[1].pk}"))
    axes = [chart["layout"]["yaxis"] for name, chart in found.items() if name.startswith("tool_calls")]
    assert len(axes) == 3
    assert axes[0]["range"][1] >= 100
    assert axes == [axes[0]] * 3


def test_names_of_runs_are_text_in_charts_too(as_researcher: Client, played_run: Run) -> None:
    [trace] = charts(page_of(as_researcher, f"/reports/?runs={played_run.pk}"))["tools_and_utility"]["data"]
    assert trace["name"] == "the first | &lt;b&gt;run&lt;/b&gt;"


def test_a_page_needs_no_inline_script_or_style(as_researcher: Client, played_run: Run) -> None:
    page = page_of(as_researcher, f"/reports/?runs={played_run.pk}")
    scripts = re.findall(r"<script([^>]*)>", page)
    assert all("src=" in script or 'type="application/json"' in script for script in scripts)
    assert "<style" not in page
    assert " style=" not in page


def test_judged_sessions_fill_the_judges_parts(
    as_researcher: Client, played_run: Run, judge: Callable[[Session, int], None]
) -> None:
    for session in played_run.sessions.filter(status="finished"):
        judge(session, 4)
    page = page_of(as_researcher, f"/reports/?runs={played_run.pk}")
    assert "Judged by strict on published input, calibrated by strict." in words(page)
    assert "the first | <b>run</b>: 4 of 5 sessions judged." in words(page)
    assert dimension_words("hallucination") in words(page)
    assert charts(page)["judge_dimensions"]["data"][0]["x"] == [75.0] * 5


def test_one_judge_is_chosen_on_the_page_and_stays_in_its_addresses(
    as_researcher: Client, played_run: Run, judge: Callable[..., None]
) -> None:
    for session in played_run.sessions.filter(status="finished"):
        judge(session, 5, by="lenient")
    judge(session, 1, by="harsh")
    address = f"/reports/?runs={played_run.pk}"
    page = page_of(as_researcher, address)
    assert '<option value="lenient on published input,lenient" selected>' in page
    assert "harsh on published input with harsh has judged 1 session too" in words(page)
    page = page_of(as_researcher, address + "&judge=harsh,harsh")
    assert '<option value="harsh on published input,harsh" selected>' in page
    assert "Judged by harsh" in words(page)
    assert f"/reports/report.csv?runs={played_run.pk}&amp;profile=published&amp;judge=harsh,harsh" in page
    told = json.loads(page_of(as_researcher, f"/reports/report.json?runs={played_run.pk}&judge=harsh"))
    assert {name: told["judged_by"][name] for name in ("judge", "meta_judge", "sessions")} == {
        "judge": "harsh",
        "meta_judge": "harsh",
        "sessions": 1,
    }
    assert [pair["judge"] for pair in told["other_judges"]] == ["lenient"]
    page = page_of(as_researcher, address + "&judge=nobody")
    assert "No session of these runs has a judgement of nobody." in words(page)
    assert as_researcher.get(f"/reports/report.md?runs={played_run.pk}&judge=nobody").status_code == 404


def test_without_runs_one_chooses(as_researcher: Client, played_run: Run) -> None:
    assert f'value="{played_run.pk}"' in page_of(as_researcher, "/reports/")
    assert "There are no runs yet" not in page_of(as_researcher, "/reports/")


def test_what_is_asked_for_and_is_not_there_is_told(as_researcher: Client, played_run: Run) -> None:
    for address in ("/reports/?runs=nobody", "/reports/?runs=nobody%00"):
        response = as_researcher.get(address)
        assert response.status_code == 404
        assert "There is no run nobody." in words(response.content.decode())
    page = words(page_of(as_researcher, f"/reports/?runs={played_run.pk},nobody&profile=bogus"))
    assert "There is no run nobody. There is no profile bogus." in page
    assert "Main results" in page
    for query in (f"runs={played_run.pk},nobody", f"runs={played_run.pk}&profile=bogus"):
        assert as_researcher.get(f"/reports/report.csv?{query}").status_code == 404


def test_more_runs_than_a_report_holds_are_named(
    as_researcher: Client, pair: tuple[Run, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.reports.request.MOST_RUNS", 1)
    page = words(page_of(as_researcher, f"/reports/?runs={pair[0].pk},{pair[1].pk}"))
    assert "A report can have at most 1 runs; left out: the second." in page


@pytest.mark.parametrize("ending", ["md", "html", "csv", "json"])
def test_every_file_tells_how_far_a_run_is(
    as_researcher: Client, make_run: Callable[..., Run], ending: str
) -> None:
    run = make_run(tasks=2, trials=2, name="going on")
    end(run.sessions.all()[0])
    text = page_of(as_researcher, f"/reports/report.{ending}?runs={run.pk}")
    told = {
        "md": f"going on ({run.pk}): 1 session counted, 1 of 4 ended",
        "html": "<small>1 session counted, 1 of 4 ended</small>",
        "csv": "runs,,1,ended,1,,,\r\nruns,,1,planned,4,,,",
        "json": '"ended": 1,\n   "planned": 4',
    }
    assert told[ending] in text
    page = words(page_of(as_researcher, f"/reports/?runs={run.pk}"))
    assert "1 session counted, 1 of 4 ended" in page
    assert "going on is still running: its figures will change." in page


@pytest.mark.parametrize("mark", ["=", "+", "-", "@", "\t"])
def test_a_name_is_no_formula_to_a_spreadsheet(
    as_researcher: Client, make_run: Callable[..., Run], mark: str
) -> None:
    run = make_run(name=f"{mark}1+1")
    run.name = f"{mark}1+1"
    run.save()
    end(run.sessions.all()[0], gu=-4.0)
    label = labels_of([run])[run.pk]
    quoted = label if mark == "\t" else f"'{label}"
    for address, column in (("main_results.csv", "run"), ("report.csv", "value")):
        found = list(csv.DictReader(StringIO(page_of(as_researcher, f"/reports/{address}?runs={run.pk}"))))
        assert quoted in [row[column] for row in found]
    rows = csv.DictReader(StringIO(page_of(as_researcher, f"/reports/main_results.csv?runs={run.pk}")))
    assert next(rows)["gu"] == "-4.0"


def test_a_browser_without_javascript_is_told_of_the_tables(as_researcher: Client, played_run: Run) -> None:
    page = tight(page_of(as_researcher, f"/reports/?runs={played_run.pk}"))
    assert '<noscript><p class="hint">Charts need JavaScript. The table under each' in page


def test_a_run_without_sessions_has_a_report_without_figures(
    as_researcher: Client, make_run: Callable[..., Run]
) -> None:
    assert "0 sessions" in words(page_of(as_researcher, f"/reports/?runs={make_run().pk}"))


def test_sessions_without_scores_of_the_profile_are_told(as_researcher: Client, played_run: Run) -> None:
    page = words(page_of(as_researcher, f"/reports/?runs={played_run.pk}&profile=paper"))
    assert "5 ended sessions have no scores under this profile yet" in page
    assert "Show profile published" in page


def test_a_large_run_is_counted_step_by_step(
    as_researcher: Client, played_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    SessionFigures.objects.all().delete()
    monkeypatch.setattr("webapp.reports.views.FOLDED_AT_ONCE", 3)
    page = page_of(as_researcher, f"/reports/?runs={played_run.pk}")
    assert "2 sessions have not been counted yet" in words(page)
    assert 'http-equiv="refresh"' in page
    assert "Main results" in page_of(as_researcher, f"/reports/?runs={played_run.pk}")


@pytest.mark.parametrize(
    "address", ["/reports/", "/reports/report.csv?runs=x", "/reports/completion.csv?runs=x"]
)
def test_only_researchers_see_reports(as_annotator: Client, address: str) -> None:
    assert as_annotator.get(address).status_code == 403


@pytest.mark.parametrize(
    "address", ["report.pdf?runs=%s", "nothing.csv?runs=%s", "report.csv?runs=nobody&x=%s"]
)
def test_there_are_no_other_files(as_researcher: Client, played_run: Run, address: str) -> None:
    assert as_researcher.get(f"/reports/{address}" % played_run.pk).status_code == 404


def test_the_data_of_each_part_is_a_file(as_researcher: Client, pair: tuple[Run, Run]) -> None:
    query = f"?runs={pair[0].pk},{pair[1].pk}"
    for part in PARTS:
        response = as_researcher.get(f"/reports/{part.name}.csv{query}")
        assert response["Content-Disposition"] == f'attachment; filename="{part.name}.csv"'
    found = list(csv.DictReader(StringIO(page_of(as_researcher, f"/reports/main_results.csv{query}"))))
    assert found[-1]["run"] == "the second"
    assert (float(found[-1]["gu"]), found[-1]["judge"]) == (9.0, "")
    assert {"gu_low", "gu_high"} <= set(found[0])


@pytest.mark.parametrize("ending", [None, *FORMATS])
def test_every_format_says_what_figures_are_and_whose_tables_are_named(
    as_researcher: Client, played_run: Run, ending: str | None
) -> None:
    address = f"/reports/report.{ending}" if ending else "/reports/"
    text = page_of(as_researcher, f"{address}?runs={played_run.pk}").replace("&#x27;", "'")
    said = Words(measures_of("grouptravel", "published"))
    write = escape_latex if ending == "tex" else str
    assert text.count(write(said.counterparts)) == 1
    once = text if ending else words(text)
    for meaning in said.meanings.values():
        assert write(str(meaning)) in once


def test_another_run_is_made_the_one_that_others_are_compared_with(
    as_researcher: Client, pair: tuple[Run, Run], judge: Callable[..., None]
) -> None:
    first, second = pair
    judge(first.sessions.filter(status="finished")[0], 4, by="strict")
    page = page_of(as_researcher, f"/reports/?runs={first.pk},{second.pk}&profile=published&judge=strict")
    [led] = re.findall(r'href="\?([^"]+)">make it the first<', page)
    assert unescape(led) == f"runs={second.pk},{first.pk}&profile=published&judge=strict"
    told = json.loads(page_of(as_researcher, f"/reports/report.json?{unescape(led)}"))
    assert {row["against"] for row in told["parts"]["differences"]["rows"]} == {"the second"}
    alone = page_of(as_researcher, f"/reports/?runs={first.pk}")
    assert "make it the first" not in alone


def test_plans_without_issues_are_counted(as_researcher: Client, make_run: Callable[..., Run]) -> None:
    run = make_run(tasks=2, trials=1)
    sessions = run.sessions.all()
    end(sessions[0], pv=None)
    assert "No plan has been scored." in words(page_of(as_researcher, f"/reports/?runs={run.pk}"))
    end(sessions[1])
    page = words(page_of(as_researcher, f"/reports/?runs={run.pk}"))
    assert "The 1 plan that has been scored has no issue." in page


def test_one_csv_file_holds_every_cell(as_researcher: Client, played_run: Run) -> None:
    found = list(
        csv.DictReader(StringIO(page_of(as_researcher, f"/reports/report.csv?runs={played_run.pk}")))
    )
    calls = [row for row in found if row["part"] == "interaction" and row["column"] == "calls"]
    assert [float(row["value"]) for row in calls] == [(6 + 7 + 8 + 9) / 5]
    assert {row["part"] for row in found} >= {"main_results", "completion", "validity_issues"}


def test_json_tells_runs_profile_and_estimates(as_researcher: Client, played_run: Run) -> None:
    told = json.loads(page_of(as_researcher, f"/reports/report.json?runs={played_run.pk}"))
    [run] = told["runs"]
    assert (told["profile"], run["counted"]) == ("published", 5)
    assert (run["agent"], run["agent_model"], run["users"], run["seats"]) == ("reference", "", "scripted", "")
    assert [*told["parts"]] == [part.name for part in PARTS]
    assert set(told["parts"]["main_results"]["rows"][0]["gu"]) == {"value", "low", "high"}
    assert told["parts"]["main_results"]["rows"][0]["judge"]["value"] is None


def test_markdown_has_a_table_a_part_and_no_markup_of_names(as_researcher: Client, played_run: Run) -> None:
    text = page_of(as_researcher, f"/reports/report.md?runs={played_run.pk}")
    assert "## Main results (Table 1)" in text
    assert "the first \\| &lt;b>run&lt;/b>" in text
    rows = [line for line in text.splitlines() if line.startswith("| the first")]
    assert rows
    assert all(len(re.findall(r"(?<!\\)\|", row)) >= 4 for row in rows)


def test_the_html_file_needs_nothing_but_itself(as_researcher: Client, played_run: Run) -> None:
    page = page_of(as_researcher, f"/reports/report.html?runs={played_run.pk}")
    own = page.replace((Path("static/vendor/plotly/plotly-basic.min.js")).read_text(encoding="utf-8"), "")
    assert len(own) < len(page) - 1_000_000
    assert "src=" not in own
    assert "<link" not in own
    assert "href=" not in re.sub(r'href="#\w+"', "", own)
    assert charts(own)["completion"]["data"]


def test_run_pages_lead_to_their_report(as_researcher: Client, pair: tuple[Run, Run]) -> None:
    first, second = pair
    assert f'/reports/?runs={first.pk}"' in page_of(as_researcher, f"/runs/{first.pk}/")
    both = page_of(as_researcher, f"/runs/compare/?runs={first.pk},{second.pk}")
    assert f'/reports/?runs={first.pk},{second.pk}"' in both


@pytest.mark.parametrize(
    ("ending", "start"), [("md", "# Report"), ("json", "{"), ("csv", "part,"), ("html", "<!doctype")]
)
def test_the_command_writes_each_format(
    played_run: Run, tmp_path: Path, ending: str, start: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"report.{ending}"
    call_command("report", played_run.pk, "--format", ending, "--out", str(out))
    assert out.read_text(encoding="utf-8").lstrip().lower().startswith(start.lower())
    assert f"1 run, 5 sessions: {out}" in capsys.readouterr().out
    call_command("report", played_run.pk, "--format", ending)
    assert start.lower() in capsys.readouterr().out.lower()


def test_the_command_refuses_what_it_cannot_report(played_run: Run, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="there is no run nobody"):
        call_command("report", played_run.pk, "nobody")
    with pytest.raises(CommandError, match="nobody of this name has judged these runs; no one has"):
        call_command("report", played_run.pk, "--judge", "nobody")
    with pytest.raises(CommandError, match="No such file or directory"):
        call_command("report", played_run.pk, "--out", str(tmp_path / "missing" / "r.md"))


def test_labels_of_people_fill_their_part(
    played_run: Run, judge: Callable[..., None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = played_run.sessions.filter(status="finished").first()
    judge(session, 4)
    judge(session, 2, anew=True)
    labels = [
        {"session": pk, "dimension": DIMENSIONS[0], "score": score, "annotator": who}
        for pk, who, score in (
            (session and session.pk, "ann", 3),
            (session and session.pk, "bo", 5),
            ("x", "bo", 1),
        )
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, labels)) + "\n\n", encoding="utf-8")
    call_command("report", played_run.pk, "--format", "json", "--labels", str(path))
    told = json.loads(capsys.readouterr().out)["parts"]["judge_and_people"]["rows"]
    assert told[0] == {"dimension": DIMENSIONS[0], "sessions": 1, "judge_human": 1.0, "human_human": 1.0}


GOOD = {"session": "s", "dimension": "hallucination", "score": 3, "annotator": "ann"}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "line 2: no JSON"),
        ("[]", "line 2: no object"),
        (json.dumps(GOOD | {"score": 6}), "line 2, score: is not a whole number from 1 to 5"),
        (json.dumps(GOOD | {"score": True}), "line 2, score"),
        (json.dumps(GOOD | {"dimension": "charm"}), "line 2, dimension: is none of hallucination"),
        (json.dumps({name: GOOD[name] for name in ("session", "dimension", "score")}), "line 2, annotator"),
        (json.dumps(GOOD), "line 2: ann has rated this on line 1"),
    ],
)
def test_a_bad_label_is_told_with_its_line_and_field(
    played_run: Run, tmp_path: Path, line: str, problem: str
) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n{line}\n", encoding="utf-8")
    with pytest.raises(CommandError, match=problem):
        call_command("report", played_run.pk, "--labels", str(path))


def test_a_file_of_labels_has_a_bound(played_run: Run, tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    with path.open("wb") as file:
        file.truncate(32 * 2**20 + 1)
    with pytest.raises(CommandError, match=r"labels\.jsonl: larger than 32 MB"):
        call_command("report", played_run.pk, "--labels", str(path))
