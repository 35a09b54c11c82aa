"""`manage.py make_tasks`: models asked about rows over real HTTP, and steps from files to files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.model_server import ModelServer
from tests.seating import endpoint_at
from worker.management.commands.make_tasks import Asking

pytestmark = pytest.mark.django_db(transaction=True)
BASIC = {"time": "2025-10-24 10:00", "primary_intent": "discovery.a", "context": "", "intent": "…"}
QUERIES = ("找个饭馆", "到了叫我 (tool)", "然后呢 (intent)", "那家店几点关门 (context)")


def command_output(*arguments: object) -> str:
    out = StringIO()
    call_command("make_tasks", "travelbench", *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


def refusal_of(*arguments: object) -> CommandError:
    with pytest.raises(CommandError) as error:
        command_output(*arguments)
    return error.value


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    lines = [json.dumps({"trace_id": str(n), **BASIC, **row}) for n, row in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def requests(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "requests.jsonl", [{"query": query} for query in QUERIES])


@pytest.fixture
def three(server: ModelServer) -> list[str]:
    """The options that name three models of one mind."""
    makers = [endpoint_at(server.url, "good-maker", name=f"maker-{n}", concurrency=4) for n in range(3)]
    return [word for maker in makers for word in ("--model", maker.name)]


def test_requests_are_annotated_and_sorted(requests: Path, three: list[str], tmp_path: Path) -> None:
    out = tmp_path / "answers.jsonl"
    told = json.loads(command_output("annotate", requests, *three, "--out", out, "--json"))
    assert told == {"answers": 12, "new": 12, "lacking": 0}
    assert command_output("sort", requests, out, "--out", tmp_path / "sorted").splitlines()[:4] == [
        *("     1 solvable", "     3 unsolvable", "     0 doubtful", "     0 dropped"),
    ]
    flags = ("missing_tool", "no_actionable", "missing_info")
    assert [
        [one[flag] for flag in flags].index(True) for one in read(tmp_path / "sorted" / "unsolvable.jsonl")
    ] == [
        *(0, 1, 2),
    ]


def test_a_second_time_only_what_is_lacking_is_asked(
    requests: Path, three: list[str], tmp_path: Path, server: ModelServer
) -> None:
    out = tmp_path / "answers.jsonl"
    command_output("annotate", requests, *three, "--out", out)
    kept = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(kept[:7]) + kept[7][:20])
    asked = len(server.ledger.entries)
    told = json.loads(command_output("annotate", requests, *three, "--out", out, "--json"))
    assert (told["answers"], told["new"]) == (12, 5) and len(server.ledger.entries) == asked + 5
    assert sorted(out.read_bytes().splitlines()) == sorted(line.rstrip() for line in kept)


def test_models_that_disagree_drop_a_request(
    requests: Path, server: ModelServer, tmp_path: Path, three: list[str]
) -> None:
    out = tmp_path / "answers.jsonl"
    contrary = endpoint_at(server.url, "contrary-maker").name
    command_output("annotate", requests, *three[:4], "--model", contrary, "--out", out)
    told = json.loads(command_output("sort", requests, out, "--out", tmp_path / "sorted", "--json"))
    assert (told["solvable"], told["dropped"], told["unsolvable"]) == (1, 3, 0)


def test_answers_that_can_not_be_used_are_told_and_can_be_asked_for_again(
    requests: Path, server: ModelServer, tmp_path: Path, three: list[str]
) -> None:
    vague = endpoint_at(server.url, "vague-maker").name
    out = tmp_path / "answers.jsonl"
    error = refusal_of("annotate", requests, *three[:4], "--model", vague, "--out", out)
    assert error.returncode == 1 and str(error).startswith("4 answers are lacking; the same command asks")
    assert f'0 by {vague}: no answer of 3 can be used: `executable` is "perhaps"' in str(error)
    assert len(read(out)) == 8
    assert "2 models' answers" not in str(error)
    assert "have not 3 models' answers (0, 1, 2, 3)" in str(
        refusal_of("sort", requests, out, "--out", tmp_path / "s")
    )


def test_profiles_are_rewritten_and_put_in_place(server: ModelServer, tmp_path: Path) -> None:
    name = endpoint_at(server.url, "good-maker").name
    profile = "### 基本信息\n- 住址：人民路88号\n- 车：苏E12345\n\n### 兴趣偏好\n- 爱吃面"
    rows = write_rows(tmp_path / "r.jsonl", [{"query": "吃面", "user_profile": profile}, {"query": "喝茶"}])
    out = tmp_path / "profiles.jsonl"
    command_output("anonymise", rows, "--model", name, "--out", out)
    assert "人民路" not in out.read_text("utf-8")
    command_output("with-profiles", rows, out, "--out", tmp_path / "new.jsonl")
    first, second = read(tmp_path / "new.jsonl")
    assert "住宅小区" in first["user_profile"] and "苏E12345" not in first["user_profile"]
    assert "user_profile" not in second


def test_a_profile_that_still_gives_somebody_away_is_not_taken(server: ModelServer, tmp_path: Path) -> None:
    name = endpoint_at(server.url, "contrary-maker").name
    profile = "### 基本信息\n- 住址：人民路88号\n\n### 兴趣偏好\n- 爱吃面"
    rows = write_rows(tmp_path / "r.jsonl", [{"query": "吃面", "user_profile": profile}])
    error = refusal_of("anonymise", rows, "--model", name, "--out", tmp_path / "p.jsonl")
    assert "it still holds an address" in str(error) and not read(tmp_path / "p.jsonl")


def test_requests_are_chosen_by_the_built_in_embedder(requests: Path, tmp_path: Path) -> None:
    out, kept = tmp_path / "chosen.jsonl", tmp_path / "vectors"
    words = ("choose", requests, "--count", 2, "--embedder", "fields", "--vectors", kept, "--out", out)
    assert json.loads(command_output(*words, "--json"))["chosen"] == len(read(out)) == 2
    first = out.read_bytes()
    command_output(*words)
    assert out.read_bytes() == first


def test_an_interruption_says_that_the_command_goes_on(
    requests: Path, three: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Asking, "run", raise_interrupt)
    error = refusal_of("annotate", requests, *three, "--out", tmp_path / "a.jsonl")
    assert (error.returncode, str(error)) == (130, "interrupted; the same command goes on where it was")


def test_bad_input_is_refused_before_anybody_is_asked(
    requests: Path, three: list[str], tmp_path: Path, server: ModelServer
) -> None:
    out, asked = tmp_path / "a.jsonl", len(server.ledger.entries)
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"trace_id": "1"}\n')
    for arguments, words in (
        (
            ("annotate", requests, *three[:4], "--out", out),
            "--model: annotate asks 3 different models; 2 given",
        ),
        (
            ("annotate", requests, *three[:4], *three[:2], "--out", out),
            "annotate asks 3 different models; 2 given",
        ),
        (("annotate", requests, *three, "--out", requests), "would be written over the file that is read"),
        (("annotate", broken, *three, "--out", out), "line 1, time: Field required"),
        (("annotate", tmp_path / "none", *three, "--out", out), "No such file"),
        (("annotate", requests, *three, "--out", out, "--workers", 99), "--workers must be 1 to 16"),
        (("annotate", requests, *three[:4], "--model", "nobody", "--out", out), "there is no model “nobody”"),
        (
            ("choose", requests, "--count", 9, "--embedder", "fields", "--vectors", out, "--out", out),
            "9 of 4 rows",
        ),
        (("confirm", requests), "label"),
    ):
        error = refusal_of(*arguments)
        assert (error.returncode, words in str(error)) == (2, True), (words, str(error))
    assert len(server.ledger.entries) == asked
