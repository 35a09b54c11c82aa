"""Two hosts over one database and a store of packs, each with a data folder of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from benchmark.core.events import ToolReturned
from sandbox.calls import Call
from sandbox.filestore import StoreAway, WrongFile
from sandbox.worlds import WorldError
from tests.seating import bodies
from webapp.caches import resources
from webapp.caches.choice import SandboxChoice
from webapp.caches.models import ToolCache
from webapp.caches.services import create_cache, index_cache
from webapp.catalogue import packs
from webapp.catalogue.models import Task, World
from webapp.catalogue.services import build_world
from webapp.files import services as files
from webapp.files.models import FilePiece, StoredFile
from webapp.forms import ChoiceRefused
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session
from webapp.storage import is_full, words
from worker.sessions import advance

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("hasty")]
GoTo = Callable[[str], Path]


def _forget_open_files() -> None:
    packs._local.__dict__.clear()
    packs._for_scores.clear()
    resources._local.__dict__.clear()
    resources._indexes.clear()


@pytest.fixture
def go_to(request: pytest.FixtureRequest, tmp_path: Path, settings: Settings) -> GoTo:
    """Makes this process one of a host; its data folder."""
    settings.EMBEDDED_DATABASE = (
        False  # commands would bring in the starter world, whose bytes are those of ours
    )
    settings.CARAVAN_PACKS = {
        "file": f"file://{tmp_path}/store",
        "memory": f"memory://{tmp_path}",
        "database": "database",
    }[getattr(request, "param", "file")]

    def go(host: str) -> Path:
        _forget_open_files()
        settings.CARAVAN_DATA = tmp_path / host
        settings.CARAVAN_DATA.mkdir(exist_ok=True)
        return Path(settings.CARAVAN_DATA)

    request.addfinalizer(_forget_open_files)
    return go


@pytest.fixture
def world(go_to: GoTo, db: None, starter_pack: Path) -> World:
    """Brought in on host A."""
    go_to("a")
    return build_world(name="brought", build=lambda target: shutil.copyfile(starter_pack, target))


def _play(task: Task, world: World, *chosen: object) -> Session:
    setup = Setup(sandbox=SandboxChoice(*chosen))  # type: ignore[arg-type]
    session = create_session(task=task, world=world, setup=setup, start=False)
    advance(session.id, budget_s=None)
    session.refresh_from_db()
    assert session.completion_reason == "plan_generated"
    return session


def _answers(session: Session) -> list[str]:
    return [body.result for body in bodies(session) if isinstance(body, ToolReturned)]


@pytest.mark.parametrize("go_to", ["file", "memory", "database"], indirect=True)
def test_a_session_plays_on_a_host_that_never_imported_its_world(
    go_to: GoTo, world: World, starter_tasks: list[Task]
) -> None:
    task = next(task for task in starter_tasks if task.task_id == "starter_01")
    on_a = _play(task, world)
    there = go_to("b")
    assert not world.path.exists()
    on_b = _play(task, world)
    assert _answers(on_b) == _answers(on_a) != [] and on_b.scores.count() == on_a.scores.count() > 0
    assert world.path.is_relative_to(there) and world.path.exists()


def test_a_cache_that_was_indexed_plays_alike_on_every_host(
    go_to: GoTo, world: World, starter_tasks: list[Task]
) -> None:
    task = next(task for task in starter_tasks if task.task_id == "starter_01")
    cache = create_cache(name="local")
    online = _play(task, world, "online", cache)
    with pytest.raises(ChoiceRefused, match=r"manage.py cache index local on the host that fills it"):
        _play(task, world, "isolated", cache)
    index_cache(name="local")
    cache.refresh_from_db()
    go_to("b")
    on_b = _play(task, world, "isolated", cache)
    assert _answers(on_b) == _answers(online) != []
    assert {body.source for body in bodies(on_b) if isinstance(body, ToolReturned)} == {"cache"}
    go_to("a")
    resources.open_cache("local").learn(Call("search_poi", {"keywords": "later"}), "{}")
    index_cache(name="local")
    go_to("b")
    assert resources.open_cache("local").find(Call("search_poi", {"keywords": "later"}), "published") == "{}"


def test_what_another_host_learned_is_not_left_out_in_silence(go_to: GoTo) -> None:
    go_to("a")
    create_cache(name="local")
    handle = resources.open_cache("local")
    handle.learn(Call("search_poi", {"keywords": "later"}), "{}")
    state = handle.state
    assert resources.open_cache("local", state).find(Call("search_poi", {"keywords": "later"}), "published")
    go_to("b")
    with pytest.raises(Exception, match="learned answers on another host") as refusal:
        resources.open_cache("local", state)
    assert type(refusal.value).__name__ == "CacheError"


def test_a_pack_that_is_gone_or_wrong_is_refused_and_names_the_remedy(
    go_to: GoTo, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    row = StoredFile.objects.get(name=f"worlds/{world.pack}")
    call_command("packs", "check")
    files.store().remove(row.digest)
    go_to("b")
    with pytest.raises(WorldError, match="packs store --again"):
        packs.pack_of(world)
    with pytest.raises(CommandError, match="1 files are wrong"):
        call_command("packs", "check")
    assert not world.path.exists()
    go_to("a")
    call_command("packs", "store")
    go_to("b")
    call_command("packs", "fetch")
    assert packs.pack_of(world).pack_hash == world.pack_hash
    assert f"worlds/{world.pack}" in capsys.readouterr().out
    world.path.write_bytes(b"damaged here")
    call_command("packs", "fetch", "--again")
    _forget_open_files()
    assert packs.pack_of(world).pack_hash == world.pack_hash


def test_a_pack_that_nobody_stored_is_told(go_to: GoTo) -> None:
    go_to("b")
    with pytest.raises(WorldError, match="neither here nor in the store"):
        packs.open_pack("nowhere-0123.sqlite3")


def test_damaged_pieces_in_the_database_are_refused_and_mended(
    world: World, go_to: GoTo, settings: Settings
) -> None:
    settings.CARAVAN_PACKS = "database"
    call_command("packs", "store")
    row = StoredFile.objects.get(name=f"worlds/{world.pack}")
    piece = FilePiece.objects.get(digest=row.digest, number=0)
    FilePiece.objects.filter(pk=piece.pk).update(data=b"x" * len(bytes(piece.data)))
    go_to("b")
    with pytest.raises(WrongFile, match="were stored"):
        files.bring(world.path)
    FilePiece.objects.filter(pk=piece.pk).delete()
    with pytest.raises(WrongFile, match=r"piece 0|were stored|no file"):
        files.bring(world.path)
    go_to("a")
    call_command("packs", "store", "--again")
    go_to("b")
    files.bring(world.path)
    assert packs.pack_of(world).pack_hash == world.pack_hash


def test_a_world_does_not_come_in_that_the_store_does_not_take(
    go_to: GoTo, settings: Settings, starter_pack: Path, tmp_path: Path
) -> None:
    go_to("a")
    (tmp_path / "closed").write_text("no folder")
    settings.CARAVAN_PACKS = f"file://{tmp_path}/closed"
    with pytest.raises(StoreAway, match="the store file://"):
        build_world(name="brought", build=lambda target: shutil.copyfile(starter_pack, target))
    assert not World.objects.filter(name="brought").exists()


def test_a_session_waits_while_the_store_is_away(
    go_to: GoTo, world: World, starter_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    task = next(task for task in starter_tasks if task.task_id == "starter_01")
    session = create_session(task=task, world=world, setup=Setup(), start=False)
    go_to("b")

    def fail(*given: object, **named: object) -> None:
        raise StoreAway("the store fails: ConnectionError")

    with monkeypatch.context() as away:
        away.setattr(files, "fetch", fail)
        assert not advance(session.id, budget_s=None)
    session.refresh_from_db()
    assert not session.ended


def test_a_full_disk_is_told_as_such() -> None:
    error = StoreAway("x can't be written: No space left on device")
    error.__cause__ = OSError(28, "No space left on device")
    assert is_full(error) and "The disk is full" in words(error)
    assert not is_full(StoreAway("x")) and "can't be fetched just now" in words(StoreAway("x"))


def test_without_a_store_nothing_is_stored(starter_world: World) -> None:
    with pytest.raises(CommandError, match="CARAVAN_PACKS names no store"):
        call_command("packs", "check")
    assert not StoredFile.objects.exists() and ToolCache.objects.filter(pack="").count() == 0
