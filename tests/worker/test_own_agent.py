"""The examples of docs/own-agent.md, each a process of its own, at a real server through a whole session."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import benchmark.suites.grouptravel.tasks
from benchmark.suites.grouptravel.scoring.catalogue import Catalogue
from benchmark.suites.grouptravel.scoring.score import score_record
from benchmark.suites.grouptravel.tasks import TASK_FILES, Task
from sandbox.worlds import World
from tests import ROOT
from tests.installation import Installation
from tests.model_server import ModelServer
from tests.run import BYTECODE_ENVIRONMENT
from tests.seat_in_memory import record_of

pytestmark = pytest.mark.slow
FOLDER = ROOT / "docs" / "client"
PAGE = ROOT / "docs" / "own-agent.md"
TASKS_FOLDER = Path(benchmark.suites.grouptravel.tasks.__file__).parent / "data"
TASKS = [
    read.task
    for name in ("starter", "starter_en")
    for read in TASK_FILES.whole(TASKS_FOLDER / f"{name}.jsonl")
]
END_LINE = "{'reason': 'plan_generated', 'plan_generated': True}"
MAKE = """
import json
from webapp.catalogue.models import Task, World
from webapp.endpoints.choice import SeatPlayer
from webapp.people.invitations import invite
from webapp.sessions import services

setup = services.Setup(agent={agent!r}, seats={{name: SeatPlayer("inbox") for name in {travellers!r}}})
task, world = Task.objects.get(task_id="starter_en_01"), World.objects.get(name="starter")
session = services.create_session(task=task, world=world, setup=setup)
links = {{seat.name: invite(seat=seat).get_absolute_url() for seat in session.seats.filter(kind="inbox")}}
print(json.dumps([session.pk, links]))
"""
LOOK = """
import json
from webapp.people.exports import Naming, people_of
from webapp.sessions.models import Session

session = Session.objects.get(pk={session!r})
said = [event.payload["program"] for event in session.events.filter(type="presence_changed")]
rows = people_of([session], Naming())
named = [[row["seat"], row["program"], row["version"]] for row in rows]
print(json.dumps([session.status, sorted(set(said)), named]))
"""
SCORE = """
import json
from webapp.sessions.models import Session

print(json.dumps(Session.objects.get(pk={session!r}).scores.get(profile="published").figures))
"""


def code_of(title: str) -> str:
    """The Python code that the page prints below a title."""
    section = PAGE.read_text().partition(f"## {title}\n")[2].partition("\n## ")[0]
    return re.search("```python\n(.*?)```", section, re.DOTALL)[1]  # type: ignore[index]


def make_session(
    site: Installation, *travellers: str, agent: str = "reference"
) -> tuple[str, dict[str, str]]:
    """A new session with programs in some seats: its id, and their links."""
    code = MAKE.format(agent=agent, travellers=travellers)
    session, links = json.loads(site.inside.run(code))
    return session, {name: site.url(link) for name, link in links.items()}


def start_program(site: Installation, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    name, *more = arguments
    return subprocess.Popen(
        [sys.executable, name, site.url(), *more],
        cwd=FOLDER,
        env={**os.environ, **environment, **BYTECODE_ENVIRONMENT},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output_of(process: subprocess.Popen[str]) -> str:
    said, wrong = process.communicate(timeout=60)
    assert process.returncode == 0, wrong
    return said.strip()


def programs_named(site: Installation, session: str) -> tuple[set[str], list[list[str]]]:
    """The programs that a session's log names, and those that its export does."""
    status, programs, named = json.loads(site.inside.run(LOOK.format(session=session)))
    assert status == "finished"
    return set(programs), named


@pytest.fixture(autouse=True)
def no_traceback(site: Installation) -> Iterator[None]:
    """What a test adds to the log of the web server tells of none; other tests of the process kill parts of it."""
    log = site.data / "log" / "web.log"
    before = log.stat().st_size if log.exists() else 0
    yield
    with log.open("rb") as added:
        added.seek(before)
        assert b"Traceback" not in added.read()


def test_a_traveller_of_ten_lines_plays_and_comes_back_after_a_kill(site: Installation) -> None:
    session, links = make_session(site, "User1", "User2")
    first = start_program(site, "polite_traveller.py", links["User2"])
    end = time.monotonic() + 20
    while not site.query("SELECT 1 FROM people_guest WHERE program = 'polite-traveller'"):
        assert first.poll() is None and time.monotonic() < end
        time.sleep(0.1)
    first.kill()
    first.communicate()
    processes = [start_program(site, "polite_traveller.py", links[name]) for name in ("User1", "User2")]
    assert [output_of(process) for process in processes] == [END_LINE, END_LINE]
    programs, named = programs_named(site, session)
    assert programs == {"polite-traveller 1.0"}
    assert sorted(named) == [[name, "polite-traveller", "1.0"] for name in ("User1", "User2")]


def test_an_agent_of_ten_lines_talks_to_the_end(site: Installation) -> None:
    _session, links = make_session(site, agent="inbox")
    assert "max_turn_reached" in output_of(start_program(site, "ten_lines.py", links["Agent"]))


@pytest.mark.parametrize(
    ("title", "name"), [("Ten lines", "ten_lines"), ("An agent that plans", "planning_agent")]
)
def test_the_page_prints_what_its_file_holds(title: str, name: str) -> None:
    assert (FOLDER / f"{name}.py").read_text().endswith(code_of(title))


@pytest.fixture(scope="module")
def world(starter_pack: Path) -> World:
    return World(starter_pack)


def in_days(task: Task, words: str) -> Task:
    """The same task with another number of days."""
    query = task.query.replace(task.metadata.date, words)
    assert query != task.query
    return task.model_copy(update={"query": query})


ONE_DAY = [in_days(TASKS[0], "一天"), in_days(TASKS[2], "一日游"), in_days(TASKS[-3], "1 day")]


@pytest.mark.parametrize("task", [*TASKS, *ONE_DAY], ids=lambda task: f"{task.task_id}-{task.query[:24]}")
def test_the_printed_agent_plans_every_task_of_the_starter_world(
    task: Task, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = record_of(code_of("An agent that plans"), task, world, monkeypatch)
    scored = score_record(record, Catalogue(world.catalogue()))
    assert record["completion_reason"] == "plan_generated"
    assert scored["pv_issues"] == []
    assert scored["gu"] > 0


def test_an_agent_that_plans_brings_the_session_to_a_valid_plan(site: Installation, tmp_path: Path) -> None:
    session, links = make_session(site, agent="inbox")
    program = tmp_path / "planning_agent.py"
    program.write_text(code_of("An agent that plans"))
    process = start_program(site, str(program), links["Agent"], PYTHONPATH=str(FOLDER))
    assert output_of(process) == END_LINE
    record = json.loads(site.inside.command("export_session", session))
    assert [one["program"] for one in record["people"]] == ["planning-agent"]
    assert json.loads(site.inside.run(SCORE.format(session=session)))["pv"] is True


def test_an_agent_over_openai_plays_to_its_plan(site: Installation, server: ModelServer) -> None:
    session, links = make_session(site, agent="inbox")
    given = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server.url}
    process = start_program(site, "openai_agent.py", links["Agent"], "good-agent", **given)
    assert output_of(process) == END_LINE
    programs, named = programs_named(site, session)
    assert programs == {"openai-example good-agent"}
    assert named == [["Agent", "openai-example", "good-agent"]]
    record = json.loads(site.inside.command("export_session", session))
    assert [one["program"] for one in record["people"]] == ["openai-example"]
