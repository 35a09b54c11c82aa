"""Sets of training from a run: what is in each, and why the rest is not."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.advantages.grpo import advantages
from benchmark.exports.training import Candidate, TrainingCounts, best_of, training_rows
from tests.training import ANSWERS, talks_run, training_run
from webapp.accounts.models import Role, User
from webapp.catalogue.models import World
from webapp.sessions.models import Run

BAD = Candidate("s0", "t", 0, [], "words", 0.0, False)


def candidate(session: str, reward: float | None, answer: str = "words", task: str = "t") -> Candidate:
    return Candidate(session, task, 0, [], answer, reward, reward is not None and reward >= 2)


def test_the_best_that_passes_is_kept_and_each_other_has_its_reason() -> None:
    group = [BAD, candidate("s1", 2.5), candidate("s2", 2.7), candidate("s3", 2.7), candidate("s4", None)]
    group += [candidate("s5", -3.0, " "), replace(candidate("s6", 3.0), personal=True)]
    counts = TrainingCounts()
    rows = list(training_rows("rft", group, "any", counts))
    assert [row["session"] for row in rows] == ["s2"] and counts.rows == 1
    assert counts.drops == {"gate": 1, "not_best": 2, "no_reward": 1, "no_answer": 1, "person": 1}
    assert best_of([BAD]) is None
    told = list(training_rows("rollouts", group, "any", TrainingCounts()))
    assert [row["rft_dropped"] for row in told] == [
        "gate",
        "not_best",
        "",
        "not_best",
        "no_reward",
        "no_answer",
        "person",
    ]
    assert [row["sft_dropped"] for row in told] == ["gate", "", "", "", "no_reward", "no_answer", "person"]
    known = [row["advantage"] for row in told if row["advantage"] is not None]
    assert known == advantages([0.0, 2.5, 2.7, 2.7, -3.0, 3.0]) and told[4]["advantage"] is None


@pytest.mark.django_db
def test_a_run_gives_each_set_by_the_command_and_the_page(
    tmp_path: Path, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = training_run(tmp_path, starter_world, monkeypatch)
    plain, _ = export_set(run, "jsonl", tmp_path)
    assert {row["option_pacing"] for row in plain} == {"relaxed=2-6, moderate=4-8, compact=7-12"}
    assert not any(isinstance(row.get("pacing"), str) for row in plain), "a figure has this name too"
    rows, told = export_set(run, "sft", tmp_path)
    assert [row["task"] for row in rows] == ["a", "a"] and told["dropped"] == {"gate": 4}
    assert [row["completion"][0]["content"] for row in rows] == [*ANSWERS["a"][:2]]
    assert [message["role"] for message in rows[0]["prompt"]] == ["system", "user"]
    assert "Sea Museum" in rows[0]["prompt"][0]["content"]
    rows, told = export_set(run, "rft", tmp_path)
    assert [(row["task"], row["trial"]) for row in rows] == [("a", 0)]
    assert told["dropped"] == {"gate": 4, "not_best": 1}
    rows, _ = export_set(run, "grpo", tmp_path)
    assert [row["reward_model"]["ground_truth"] for row in rows] == ["a", "b"] and "completion" not in rows[0]
    rows, _ = export_set(run, "rollouts", tmp_path)
    assert [row["reward"] for row in rows[2:]] == [0, -3, -3, 0] and len(rows) == 6
    table = pytest.importorskip("pyarrow.parquet")
    call_command(
        "export_run",
        run.pk,
        "--format",
        "rollouts-parquet",
        "--out",
        tmp_path / "r.parquet",
        stdout=StringIO(),
    )
    assert table.read_table(tmp_path / "r.parquet").to_pylist() == rows

    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    page = client.get(f"/runs/{run.pk}/").content.decode()
    assert f"/runs/{run.pk}/export.grpo-parquet" in page and "The best answer of each task" in page
    sent = b"".join(client.get(f"/runs/{run.pk}/export.rollouts"))
    assert [json.loads(line) for line in sent.splitlines()] == rows


@pytest.mark.django_db
def test_other_benchmarks_have_none(tmp_path: Path) -> None:
    run = Run.objects.create(name="other", suite="travelbench", setup={"agent": "reference"}, trials=1)
    with pytest.raises(CommandError, match="has no rewards for training; take another format"):
        call_command("export_run", run.pk, "--format", "sft", "--out", tmp_path / "x.jsonl")
    assert not (tmp_path / "x.jsonl").exists()
    client = Client()
    client.force_login(User.objects.create_user("researcher", role=Role.RESEARCHER))
    assert client.get(f"/runs/{run.pk}/export.sft").status_code == 404


def export_set(run: Run, format_: str, folder: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The rows of a set, and what the command says of it."""
    out, path = StringIO(), folder / f"{format_}.jsonl"
    call_command("export_run", run.pk, "--format", format_, "--out", path, "--json", stdout=out)
    return [json.loads(line) for line in path.read_text().splitlines()], json.loads(out.getvalue())


@pytest.mark.django_db
def test_a_conversation_gives_its_turns_with_rewards_advantages_and_masks(
    tmp_path: Path, starter_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = talks_run(tmp_path, starter_world, monkeypatch)
    rows, _ = export_set(run, "rollouts", tmp_path)
    good, bad = rows
    assert [message["role"] for message in good["prompt"]] == ["system", "user"]
    assert "get_route_estimate" in {tool["function"]["name"] for tool in json.loads(good["tools"])}
    said = good["completion"]
    roles = ["assistant", *["tool"] * 7, "assistant", "user", "assistant"]
    assert [message["role"] for message in said] == roles
    assert [call["id"] for call in said[0]["tool_calls"]] == [each["tool_call_id"] for each in said[1:8]]
    assert good["message_turn"] == [1] * 9 + [2, 2]
    assert good["message_mask"] == [int(role == "assistant") for role in roles]
    assert [turn["raw"] for turn in good["turns"]] == [1, 1] and [turn["raw"] for turn in bad["turns"]] == [
        0,
        0,
    ]
    assert [turn["gtpo"] for turn in good["turns"]] == [0, 0], "by GIN what is always met tells nothing"
    assert good["reward"] == 1 and good["advantage"] == pytest.approx(1, abs=1e-5)
    assert [turn["grpo"] for turn in bad["turns"]] == [bad["advantage"]] * 2
    assert [row["sft_dropped"] for row in rows] == ["", "gate"]
    table = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "r.parquet"
    call_command("export_run", run.pk, "--format", "rollouts-parquet", "--out", path, stdout=StringIO())
    assert table.read_table(path).to_pylist() == rows

    call_command(
        "export_run", run.pk, "--format", "rollouts", "--out", path, "--without", "gin", stdout=StringIO()
    )
    good, bad = [json.loads(line) for line in path.read_text().splitlines()]
    assert [turn["gtpo"] for turn in good["turns"]] == pytest.approx([1, 1], abs=1e-5), (
        "-1 is the other's step"
    )
    rows, told = export_set(run, "sft", tmp_path)
    assert [row["completion"] for row in rows] == [said] and told["dropped"] == {"gate": 1}
    rows, _ = export_set(run, "grpo", tmp_path)
    assert [row["prompt"] for row in rows] == [good["prompt"]]
