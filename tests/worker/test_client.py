"""The Python client at a real server: what it reads and starts, and the notebook that makes a paper's table."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caravan_client import Caravan, Refusal
from tests import ROOT
from tests.example_data import COMPARED_RUNS, ENDED_SESSION
from tests.installation import Installation

pytestmark = pytest.mark.slow
NOTEBOOK = ROOT / "clients" / "python" / "notebooks" / "paper_table.ipynb"
SCOPES = ("read:runs", "read:events", "write:runs")


@pytest.fixture(scope="module")
def token(site: Installation) -> str:
    return site.inside.command("api_token", "create", "tests", "--scope", *SCOPES).split()[-1]


@pytest.fixture(scope="module")
def caravan(site: Installation, token: str) -> Iterator[Caravan]:
    with Caravan(site.url(), token) as connected:
        yield connected


def test_lists_come_whole_and_in_pages(caravan: Caravan) -> None:
    sessions = list(caravan.sessions())
    assert len(sessions) == caravan.sessions().total() >= 8
    whole = list(caravan._connection.lines("sessions"))
    assert [each["id"] for each in whole] == [session.id for session in sessions]
    assert caravan.runs("first").first() == next(iter(caravan.runs("first")))
    assert {task.suite for task in caravan.tasks("starter_en")} == {caravan.session(ENDED_SESSION).suite}
    assert caravan.task("starter_01").more["definition"] and caravan.worlds().first() is not None


def test_tables_have_a_column_a_metric(caravan: Caravan) -> None:
    sessions = caravan.sessions("first").to_pandas(progress=True)
    assert len(sessions) == 3 and {"id", "task", "gu"} <= {*sessions.columns}
    scores = caravan.scores("first", metric="gu", profile="published").to_pandas()
    assert sorted(scores["value"]) == sorted(sessions["gu"])
    nothing = caravan.sessions("nothing").to_pandas()
    assert nothing.empty and "task" in nothing.columns


def test_a_log_is_followed_to_its_end(caravan: Caravan) -> None:
    events = list(caravan.events(ENDED_SESSION, follow=True))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert events[-1].type == "session_finished"
    assert list(caravan.events(ENDED_SESSION, types=["message_posted"])) == [
        event for event in events if event.type == "message_posted"
    ]


def test_a_run_is_started_followed_and_cancelled(caravan: Caravan) -> None:
    run = caravan.start_run("by the client", tasks=["starter_01"], options={"protocol": "paper"})
    session = caravan.sessions(run).first()
    assert session is not None
    seqs = [event.seq for event in caravan.events(session, follow=True)]
    assert seqs == list(range(1, len(seqs) + 1)) and len(seqs) > 20
    assert caravan.wait(run, every_s=0.2, progress=False).state == "ended"
    assert caravan.run("by the client").ended == 1
    paused = caravan.start_run("not to be played", tasks=["starter_01"])
    caravan.pause(paused)
    assert caravan.cancel(paused).state in ("stopping", "ended")
    with pytest.raises(Refusal) as raised:
        caravan.start_run("wrong", tasks=["nothing"])
    assert [problem.where for problem in raised.value.problems] == ["tasks"]


def test_the_notebook_makes_the_table_of_the_page_and_of_the_command(
    site: Installation,
    token: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environment = {
        "CARAVAN_URL": site.url(),
        "CARAVAN_TOKEN": token,
        "CARAVAN_RUNS": ", ".join(COMPARED_RUNS),
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    names: dict[str, Any] = {}
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]
            exec("".join(cell["source"]), names)
    archive = tmp_path / "paper.zip"
    site.inside.command("report", *COMPARED_RUNS, "--format", "paper", "--out", str(archive))
    with zipfile.ZipFile(io.BytesIO(archive.read_bytes())) as packed:
        by_command = json.loads(packed.read("report.json"))
        assert names["latex"] == packed.read("tables/main_results.tex").decode() != ""
    assert names["table"].rows == by_command["parts"]["main_results"]["rows"]
    rows = names["figures"].to_dict("records")
    assert {row["run"] for row in rows} == {*COMPARED_RUNS}
    for row, told in zip(rows, names["table"].rows, strict=True):
        for key, cell in told.items():
            value = cell["value"] if isinstance(cell, dict) and "value" in cell else cell
            assert row[key] == value or (value is None and row[key] != row[key])
    assert set(names["sessions"]["run_name"]) == {"first"} and names["latex"] in capsys.readouterr().out
