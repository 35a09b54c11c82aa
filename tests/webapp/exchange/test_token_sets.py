"""Rollouts with the tokens of the agent's answers, their log-probabilities, masks and advantages."""

from __future__ import annotations

import json
import re
from io import StringIO
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from benchmark.core.events import ModelCalled, ParticipantJoined
from tests import ROOT
from tests.model_server import model_server
from tests.training import talks_run, token_run
from webapp.accounts.models import Role, User
from webapp.cassettes.models import ModelExchange
from webapp.catalogue.models import World
from webapp.sessions.log import whole_log
from webapp.sessions.models import Run

pytestmark = pytest.mark.django_db
TRAINING = ROOT / "docs" / "training.md"
COLUMNS = {
    *("message_offsets", "message_tokens", "token_message", "token_text", "token_bytes"),
    *("token_start", "token_end", "token_logprob", "token_mask", "token_advantage"),
}


def write_set(run: Run, format_: str, path: Path) -> dict[str, Any]:
    """What the command says of a set that it writes."""
    out = StringIO()
    call_command("export_run", run.pk, "--format", format_, "--out", path, "--json", stdout=out)
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


def test_a_run_over_models_gives_the_tokens_of_every_message(tmp_path: Path, starter_world: World) -> None:
    with model_server() as server:
        run = token_run(tmp_path, starter_world, server.url)
    told = write_set(run, "rollouts", tmp_path / "r.jsonl")
    whole, other = rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    _check_whole(whole)
    _check_parts(whole)
    assert {*other["message_offsets"]} == {"message", ""} and other["token_logprob"] == []
    ways = [way for row in rows for way in row["message_offsets"] if way]
    assert told["offsets"] == {way: ways.count(way) for way in set(ways)}

    table = pytest.importorskip("pyarrow.parquet")
    write_set(run, "rollouts-parquet", tmp_path / "r.parquet")
    assert table.read_table(tmp_path / "r.parquet").to_pylist() == rows
    write_set(run, "sft", tmp_path / "sft.jsonl")
    assert "token_" not in (tmp_path / "sft.jsonl").read_text()

    session = run.sessions.get(trial_id=0)
    bodies = [event.body for event in whole_log(session.pk)]
    joined = [body for body in bodies if isinstance(body, ParticipantJoined)]
    assert [body.model.logprobs for body in joined if body.model] == [True]
    calls = [body for body in bodies if isinstance(body, ModelCalled)]
    kept = ModelExchange.objects.filter(session=session).order_by("number").values_list("reply", flat=True)
    assert [call.logprobs for call in calls] == [reply["tokens"]["count"] for reply in kept]
    assert all(call.logprobs for call in calls)

    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    page = client.get(f"/runs/{run.pk}/").content.decode()
    assert "answers of the agent in sessions that have ended" in page
    event = next(event for event in whole_log(session.pk) if isinstance(event.body, ModelCalled))
    call = client.get(f"/sessions/{session.pk}/calls/{event.seq}/")
    assert f"{event.body.logprobs} tokens with log-probabilities" in call.content.decode()  # type: ignore[union-attr]
    listed = client.get(f"/sessions/{session.pk}/calls/{event.seq}/call.json").content
    assert {*json.loads(listed)["reply"]["tokens"][0]} == {"token", "bytes", "logprob"}


def _check_parts(row: dict[str, Any]) -> None:
    """What docs/training.md makes of a row for a trainer, by its own code."""
    [code] = re.findall(r"```python\n(from collections.*?)```", TRAINING.read_text("utf-8"), re.DOTALL)
    space: dict[str, Any] = {}
    exec(code, space)
    ids = {bytes.fromhex(code): number for number, code in enumerate(sorted({*row["token_bytes"]}))}
    told = space["parts"](row, ids)
    assert told["logprobs"] == row["token_logprob"] and sum(told["mask"]) == sum(row["token_mask"]) > 0
    assert len(told["ids"]) == len(told["advantages"]) == len(row["token_bytes"])


def _check_whole(row: dict[str, Any]) -> None:
    """Every message of the agent has all that its model drew: words and calls."""
    said = row["completion"]
    owners = [number for number, message in enumerate(said) if message["role"] == "assistant"]
    assert (
        row.keys() >= COLUMNS and len({len(row[name]) for name in COLUMNS if name.startswith("token_")}) == 1
    )
    assert sorted({*row["token_message"]}) == owners
    assert [bool(way) for way in row["message_offsets"]] == [
        message["role"] == "assistant" for message in said
    ]
    turns = {turn["turn"]: turn for turn in row["turns"]}
    tokens = zip(
        *(row[name] for name in ("token_message", "token_bytes", "token_start", "token_end")), strict=True
    )
    for number, group in groupby(tokens, key=lambda token: token[0]):
        some = [*group]
        drawn = b"".join(bytes.fromhex(token[1]) for token in some).decode()
        content = said[number]["content"].encode()
        spans = [(start, end) for _, _, start, end in some if start is not None]
        assert len(some) == row["message_tokens"][number]
        if row["message_offsets"][number] == "tokens":
            assert spans[0][0] == 0 and spans[-1][1] == len(content) > 0
            assert all(end == start for (_, end), (start, _) in pairwise(spans))
        else:
            assert not spans and "<tool_call>" in drawn and not content
        for call in said[number]["tool_calls"]:
            assert call["function"]["name"] in drawn
    for number, mask, advantage, logprob in zip(
        *(row[name] for name in ("token_message", "token_mask", "token_advantage", "token_logprob")),
        strict=True,
    ):
        turn = turns[row["message_turn"][number]]
        assert (mask, advantage) == (turn["mask"], turn["gtpo"]) and logprob <= 0
    assert {"tokens", "message"} <= {*row["message_offsets"]}


def test_a_run_without_any_is_written_as_before(
    tmp_path: Path, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = talks_run(tmp_path, starter_world, monkeypatch)
    told = write_set(run, "rollouts", tmp_path / "r.jsonl")
    assert (
        "token" not in (tmp_path / "r.jsonl").read_text().replace("max_tokens", "") and "offsets" not in told
    )
