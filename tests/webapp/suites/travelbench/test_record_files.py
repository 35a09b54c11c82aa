"""Published run records of TravelBench come in, in either form of file, and go out as they came."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.core.events import MessagePosted, ToolReturned
from tests.markup import tight
from tests.webapp.suites.travelbench.conftest import Play
from webapp.catalogue.models import Task
from webapp.sessions.log import whole_log
from webapp.sessions.models import Run, Session
from webapp.sessions.scoring import record_line, record_of, score_session

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]


def foreign(trace_id: str, *, prompt: str = "x", **fields: Any) -> dict[str, Any]:
    """A record that another program wrote."""
    calls = [
        {"id": "a", "name": "web_search", "arguments": {"query": "x"}},
        {"id": "b", "name": "nothing_such", "arguments": {"raw_arguments": "{"}},
    ]
    return {
        "trace_id": trace_id,
        "mode": "single_turn",
        "trial_id": 2,
        "query": "附近的咖啡",
        "context": "",
        "success": True,
        "conversation_id": "c-1",
        "turns": 1,
        "duration": 1.5,
        "completion_reason": "completed",
        "tool_calls_count": 2,
        "total_steps": 2,
        "cache_hits": 1,
        "cache_misses": 1,
        "tool_errors": 1,
        "their_own": {"kept": [1, 2.50, None]},
        "messages": [
            {"role": "system", "content": prompt, "turn_idx": None},
            {"role": "user", "content": "附近的咖啡", "turn_idx": 1},
            {"role": "assistant", "content": None, "tool_calls": calls, "turn_idx": 1},
            {"role": "tool", "name": "web_search", "content": "有", "error": False, "turn_idx": 1},
            {"role": "tool", "name": "nothing_such", "content": "Error", "error": True, "turn_idx": 1},
            {"role": "assistant", "content": "有三家", "tool_calls": [], "turn_idx": 1},
        ],
        **fields,
    }


CRASH = {
    "trace_id": "8",
    "mode": "single_turn",
    "trial_id": 0,
    "query": "在吗",
    "success": False,
    "error": "boom",
}
UNSOLVABLE = "现在是 2025-10-24 10:00。办不到时输出 [Unsolved]"


def imported_run(file: Path) -> Run:
    out = StringIO()
    call_command("import_records", file, "--suite", "travelbench", "--agent", "theirs", "--json", stdout=out)
    return Run.objects.get(pk=json.loads(out.getvalue())["run"])


def sessions_of(run: Run) -> list[Session]:
    return list(run.sessions.order_by("task__task_id"))


@pytest.mark.parametrize("whole", [True, False])
def test_both_forms_of_a_file_come_in_and_go_out_as_they_came(data: Path, whole: bool) -> None:
    records = [foreign("7", prompt=UNSOLVABLE), CRASH]
    file = data / "theirs.jsonl"
    if whole:
        file.write_text(json.dumps({"summary": {"n": 2}, "results": records}, indent=2, ensure_ascii=False))
    else:
        file.write_text("".join(f"{json.dumps(one)}\n" for one in records))
    run = imported_run(file)
    found = sessions_of(run)
    assert sorted((json.loads(record_line(one)) for one in found), key=lambda one: one["trace_id"]) == records
    # a whole file is of one subset, so its crashes are; of a line alone nothing tells
    crash = "travelbench-unsolved-8" if whole else "travelbench-single-8"
    assert {one.task.task_id for one in found} == {"travelbench-unsolved-7", crash}


def test_a_foreign_record_is_told_by_events_and_scored_as_it_stands(
    data: Path, as_researcher: Client
) -> None:
    file = data / "theirs.jsonl"
    file.write_text(json.dumps(foreign("7", mode="multi_turn", user_profile="### x", turns=1)))
    (session,) = sessions_of(imported_run(file))
    bodies = [event.body for event in whole_log(session.pk)]
    assert [(one.role, one.content) for one in bodies if isinstance(one, MessagePosted)] == [
        ("User", "附近的咖啡"),
        ("Agent", "有三家"),
    ]
    assert [one.error for one in bodies if isinstance(one, ToolReturned)] == [False, True]
    assert (session.trial_id, session.agent, session.completion_reason) == (2, "theirs", "completed")
    score_session(session=session)
    values = dict(session.values.filter(profile="published").values_list("key", "value"))
    assert values == {"error_rate": 0.5, "turns": 1.0}
    page = tight(as_researcher.get(f"/sessions/{session.pk}/?tab=scores").content.decode())
    assert "nothing_such" in page


def test_our_own_records_come_back_with_the_same_scores(
    data: Path, shipped_tasks: dict[str, Task], play: Play
) -> None:
    names = ("single-starter-3", "multi-starter-4", "unsolved-starter-2")
    own = [play(shipped_tasks[f"travelbench-{name}"]) for name in names]
    file = data / "ours.jsonl"
    file.write_bytes(b"".join(map(record_line, own)))
    back = {one.task_id: one for one in imported_run(file).sessions.all()}
    for session in own:
        again = back[session.task_id]
        assert record_of(again) == record_of(session)
        score_session(session=again)
        told = [one.scores.get(profile="paper").figures for one in (session, again)]
        assert told[0] == told[1]


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ({"mode": "both"}, "mode: must be single_turn or multi_turn"),
        ({"messages": "none"}, "messages: must be a list of objects"),
        ({"tool_errors": -1}, "tool_errors: must be a number from 0"),
        ({"query": None}, "query: must be a text"),
    ],
)
def test_a_bad_record_is_refused_by_line_and_field(data: Path, broken: dict[str, Any], told: str) -> None:
    file = data / "theirs.jsonl"
    file.write_text(f"{json.dumps(foreign('1'))}\n{json.dumps(foreign('2') | broken)}\n")
    with pytest.raises(CommandError) as refusal:
        imported_run(file)
    assert "2" in str(refusal.value) and told in str(refusal.value)
    assert not Run.objects.exists() and not Session.staged_too.exists()


def test_a_record_that_lacks_a_field_is_told_what_helps(data: Path) -> None:
    file = data / "theirs.jsonl"
    record = foreign("1")
    del record["messages"]
    file.write_text(json.dumps(record))
    with pytest.raises(CommandError, match='messages: is missing; add it, or say "success": false'):
        imported_run(file)


@pytest.mark.parametrize("text", ['{"summary": {}}', "[1]", '{\n "results": [\n'])
def test_a_file_that_holds_no_records_is_refused(data: Path, text: str) -> None:
    file = data / "theirs.json"
    file.write_text(text)
    with pytest.raises(CommandError):
        imported_run(file)
    assert not Run.objects.exists()
