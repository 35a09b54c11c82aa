"""Run records of another program, with what nobody foresaw."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.webapp.conftest import HOSTILE

PLACES = '{"杭州市": [{"name": "西湖", "custom_category": "公园", "poi_type": "attractions"}]}'


def foreign(task_id: str = "theirs/1", **changes: Any) -> dict[str, Any]:
    """A record with tools, a compromise, a plan, fields that Caravan does not know, and odd values."""
    table = {"global_constraints": {"avg_budget": 900.0, "transport": {"must": ["高铁"]}}}
    card = {"role": "妈妈", "preference": table, "compromisable": True}
    given = {"global_constraints": {"avg_budget": 1200, "transport": {"must": ["高铁"]}}}
    days = {
        "days": [{"day": 1, "date": "2026-03-27", "city_segments": [{"city": "杭州市", "activities": []}]}]
    }
    plan = f"```json\n{json.dumps(days, ensure_ascii=False)}\n```"
    return {
        "zeta": {"b": 1, "a": [1.0, -0.0, 10**30, 1e-7, None]},
        "task_id": task_id,
        "trial_id": 3,
        "success": True,
        "query": "杭州市，1天，2人的旅行计划",
        "time": "2026-03-27",
        "context": HOSTILE,
        "user_names": ["User2", "User1"],
        "original_preferences": {"User1": card, "User2": card},
        "effective_preferences": {"User1": {**card, "preference": given}, "User2": card},
        "agent_preference_table": {"User1": given},
        "compromise_log": [
            {
                "round": 2,
                "user": "User1",
                "field_path": "global_constraints.avg_budget",
                "new_value": 1200,
                "applied": True,
            },
            {"round": 9, "user": "User2", "field_path": "no.such", "new_value": 1, "applied": False},
            "what?",
        ],
        "conversation_history": [
            {"type": "message", "role": "User1", "content": "大家好"},
            {"type": "message", "role": "Agent", "content": HOSTILE, "has_tool_calls": True, "tokens": 7},
            {"type": "tool_call", "name": "search_poi", "arguments": {"keywords": "西湖"}},
            {"type": "tool_call", "name": "search_poi", "arguments": "not an object"},
            {"type": "tool_result", "name": "search_poi", "result": {"pois": []}, "error": None},
            {"type": "tool_result", "name": "search_poi", "result": "Fehler", "error": "boom"},
            {"type": "tool_result", "name": "never_called", "result": "x", "error": None},
            {"type": "thought", "content": "nobody knows this type"},
            42,
            {
                "type": "message",
                "role": "User1",
                "content": "那就1200吧\u0000\ud800",
                "has_tool_calls": False,
            },
            {"type": "message", "role": "Agent", "content": plan, "has_tool_calls": False},
        ],
        "total_rounds": 1,
        "completion_reason": "Plan generated!",
        "plan_generated": True,
        **changes,
    }


def write_records(path: Path, *records: Any) -> Path:
    """A file of these records."""
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")
    return path


def places(folder: Path) -> Path:
    """A catalogue of places."""
    path = folder / "places.json"
    path.write_text(PLACES, "utf-8")
    return path
