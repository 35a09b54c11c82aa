"""`manage.py cache` and the sandbox options of `run_session`."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from sandbox.calls import Call
from webapp.caches import resources
from webapp.caches.models import ToolCache
from webapp.catalogue.models import World

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hasty")]


@pytest.fixture(autouse=True)
def ready(data: Path, starter_world: World) -> None:
    """Commands find the world in this test's data folder."""


def command_output(*arguments: object, **options: object) -> str:
    out = StringIO()
    call_command(*map(str, arguments), stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


@pytest.fixture
def published_folder(data: Path) -> Path:
    folder = data / "published"
    folder.mkdir()
    entries = {f'[["city","北京市"],["keywords","火锅{n}"]]': '{"total":0}' for n in range(5)}
    (folder / "search_poi_cache.json").write_text(json.dumps(entries))
    missed = [{"params": '{"address": "天安门"}', "simulated_result": "{}", "timestamp": "2025-01-01"}]
    (folder / "maps_geo_missed.json").write_text(json.dumps(missed))
    return folder


def test_a_cache_comes_in_is_told_and_goes_out(data: Path, published_folder: Path) -> None:
    said = command_output("cache", "import", "mine", published_folder)
    assert "5 entries now" in said and "search_poi: 5" in said and "indexed" in said
    stats = command_output("cache", "stats")
    [mine] = [one for one in json.loads(command_output("cache", "stats", "--json")) if one["cache"] == "mine"]
    assert {row["tool"]: row["entries"] for row in mine["tools"]} == {"search_poi": 5, "maps_geo": 0}
    assert "search_poi" in stats and "maps_geo" in stats
    assert "5 entries of 1 tools" in command_output("cache", "export", "mine", data / "out")
    for path in published_folder.iterdir():
        assert json.loads((data / "out" / path.name).read_text()) == json.loads(path.read_text())


def test_an_import_throws_nothing_away_unasked(published_folder: Path) -> None:
    command_output("cache", "import", "mine", published_folder, "--no-index")
    resources.open_cache("mine").learn(Call("search_poi", {"keywords": "x"}), "{}")
    with pytest.raises(CommandError, match="holds 6 entries; say --merge to add to them, or --replace"):
        command_output("cache", "import", "mine", published_folder)
    assert "6 entries now" in command_output(
        "cache", "import", "mine", published_folder, "--merge", "--no-index"
    )
    assert "5 entries now" in command_output(
        "cache", "import", "mine", published_folder, "--replace", "--no-index"
    )


def test_a_tool_that_nobody_calls_is_told(published_folder: Path) -> None:
    (published_folder / "foreign_tool_cache.json").write_text('{"[]": "x"}')
    said = command_output("cache", "import", "mine", published_folder)
    assert "foreign_tool: 1, no tool of this version calls it" in said


def test_one_damaged_cache_does_not_hide_the_others(published_folder: Path, cache: ToolCache) -> None:
    command_output("cache", "import", "mine", published_folder, "--no-index")
    (cache.folder / "current.json").write_text("{")
    out = StringIO()
    with pytest.raises(CommandError, match=r"local: .*current\.json is damaged"):
        call_command("cache", "stats", stdout=out, stderr=StringIO())
    assert "mine, state" in out.getvalue()


def test_refresh_asks_the_world_what_was_missed(published_folder: Path, starter_world: World) -> None:
    command_output("cache", "import", "mine", published_folder, "--no-index")
    resources.open_cache("mine").log_miss(Call("search_poi", {"keywords": "烤鸭", "city": "Atlantis"}), None)
    said = command_output("cache", "refresh", "mine")
    assert "1 missed calls are answered and cached now" in said and "1 stay in the log: bad call" in said
    resources.open_cache("mine").log_miss(Call("maps_geo", {"address": "天安门"}), None)
    assert "1 were cached already and leave the log" in command_output("cache", "refresh", "mine")
    assert ToolCache.objects.get(name="mine").entries == 6


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("import", "mine", "/nowhere"), "/nowhere can.t be read"),
        (("import", "a/b", "PUBLISHED"), "is no name of a cache"),
        (("create", "a/b"), "is no name of a cache"),
        (("create", "local"), "there is a cache “local” already"),
        (("export", "nope", "out"), "there is no cache “nope”"),
        (("index", "nope"), "there is no cache “nope”"),
        (("index", "local", "--embedder", "endpoint"), "CARAVAN_EMBEDDINGS_URL"),
        (("refresh", "local", "--world", "nope"), "there is no world “nope”"),
        (("stats", "nope"), "there are: local"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    arguments: tuple[str, ...], words: str, cache: ToolCache, published_folder: Path
) -> None:
    given = [str(published_folder) if each == "PUBLISHED" else each for each in arguments]
    with pytest.raises(CommandError, match=words) as refused:
        command_output("cache", *given)
    assert refused.value.returncode == 2


def test_a_session_fills_a_cache_made_on_the_command_line(
    db: None, starter_world: World, starter_tasks: object
) -> None:
    with pytest.raises(CommandError, match=r"manage\.py cache create"):
        command_output("run_session", "starter_01", "--mode", "online", "--cache", "mine")
    assert "cache “mine” is empty" in command_output("cache", "create", "mine", "--language", "zh")
    command_output("run_session", "starter_01", "--mode", "online", "--cache", "mine", "--json")
    command_output("cache", "index", "mine")
    assert ToolCache.objects.get(name="mine").entries > 0


def test_a_session_runs_headless_over_a_cache(
    published_folder: Path, starter_world: World, starter_tasks: object
) -> None:
    command_output("cache", "import", "mine", published_folder)
    record = json.loads(
        command_output("run_session", "starter_01", "--mode", "isolated", "--cache", "mine", "--json")
    )
    stats = record["agent_tool_stats"]
    assert stats["cache_misses"] == stats["tool_calls_executed"] > 0
    with pytest.raises(CommandError, match="there are: local, mine"):
        command_output("run_session", "starter_01", "--mode", "online", "--cache", "nope")
    with pytest.raises(CommandError, match="needs a cache"):
        command_output("run_session", "starter_01", "--mode", "online")
    with pytest.raises(CommandError, match="1 to 64"):
        command_output("run_session", "starter_01", "--examples", "0")
    with pytest.raises(CommandError, match="--seed must be 0 to"):
        command_output("run_session", "starter_01", "--seed", 10**20)
