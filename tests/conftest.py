"""Fixtures for every test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from django.db.models import signals
from django.test import override_settings
from hypothesis import HealthCheck, settings
from whitenoise.middleware import WhiteNoiseMiddleware

from tests import ROOT, prepared_data
from tests.properties import examples
from tests.stored_rows import StoredRows

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from pytest_django import DjangoDbBlocker

    from benchmark.suites.base import AnySuite
    from sandbox.worlds.china10 import ImportReport
    from webapp.catalogue.models import Task, World
    from webapp.sessions.models import Session


settings.register_profile(
    "caravan",
    settings.default,
    max_examples=examples(settings.default.max_examples),
    derandomize=False,  # each run tries other examples, also where CI is set
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("caravan")
"""A crowded machine makes no property false: speed is measured in `make bench`."""


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """A third of a second for each signed-in user is right for people, and a minute of the tests."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def no_permissions() -> None:
    """Nobody asks for Django's permissions, which every migrated database would get; roles are our own."""
    signals.post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")


@pytest.fixture(scope="session", autouse=True)
def quick_flush() -> None:
    """The database is emptied by deleting what is in it."""
    from tests.flushing import make_quick

    make_quick()


@pytest.fixture(scope="session", autouse=True)
def quick_migrations() -> None:
    """States of migrations copy their fields."""
    from tests.quick_clones import make_quick

    make_quick()


@pytest.fixture(scope="session", autouse=True)
def static_files() -> Iterator[None]:
    """The clients of all tests share one list of static files, which the middleware of each would make anew."""
    listed: dict[str, Any] = {}
    list_files = WhiteNoiseMiddleware.add_files_from_finders

    def list_once(middleware: WhiteNoiseMiddleware) -> None:
        if not listed:
            list_files(middleware)
            listed.update(middleware.files)
        middleware.files.update(listed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", list_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_starter_world() -> Iterator[None]:
    """The shipped world, which every command builds where there is none, is copied from one that was built once."""
    from webapp.catalogue import starter

    def copy_pack(target: Path) -> None:
        shutil.copyfile(prepared_data.starter_pack(), target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starter.load_starter_world, "__defaults__", (copy_pack,))
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_starter_tasks() -> Iterator[None]:
    """The shipped tasks, which every command loads where there are none, are stored as they came in first."""
    from tests.shipped_rows import ShippedRows, may_be_new
    from webapp.catalogue import starter

    load_tasks, rows = starter._load_tasks, dict[str, ShippedRows]()

    def load_once(suite: AnySuite) -> int:
        known = rows.get(suite.name)
        if known and known.stand():
            return 0
        ids = [read.task.task_id for read in starter._shipped_tasks(suite.name)]
        is_new = may_be_new(suite.name, ids)
        if is_new and known:
            return known.store()
        count = load_tasks(suite)
        if is_new and count:
            rows[suite.name] = ShippedRows(suite.name)
        return count

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(starter, "_load_tasks", load_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_signin() -> Iterator[None]:
    """A client that nobody has used yet is signed in by one row: Django's way stores it twice, and when somebody was
    last there, which nothing here asks.
    """
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.test import Client

    sign_in = Client.force_login

    def store_session(client: Client, user: Any, backend: str | None = None) -> None:
        if client.cookies or backend:
            sign_in(client, user, backend)
            return
        user.backend, session = client._get_backend(), SessionStore()  # type: ignore[attr-defined]
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = user.backend
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        client._set_login_cookies(SimpleNamespace(session=session))  # type: ignore[attr-defined]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "force_login", store_session)
        yield


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_blocker: DjangoDbBlocker, django_db_modify_db_settings: None
) -> Iterator[None]:
    """A copy of a migrated database for this process, in place of pytest-django's, which migrates in each."""
    from django.db import connection

    from tests.template_database import copy_template, remove

    before, name = connection.settings_dict["NAME"], connection.creation._get_test_db_name()
    with django_db_blocker.unblock():
        copy_template(name)
    yield
    with django_db_blocker.unblock():
        remove(name, turn_to=before)


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What fixtures of a whole module store stays for all its tests; what a test changes is undone after it.

    What the code keeps of a log in memory is not undone with its rows: see `kept_logs`.
    """
    from django.db import transaction

    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]  # as around a test: a durable block may be within
    with django_db_blocker.unblock(), block:
        yield
        transaction.set_rollback(True)


@pytest.fixture
def kept_logs() -> Iterator[None]:
    """Where a test adds to the log of a session of `module_rows`, this process forgets it with the test."""
    from webapp.people.states import state_at
    from webapp.sessions.log import FORGETTING, _cached_logs

    yield
    for forget in (_cached_logs.forget, state_at.cache_clear, *FORGETTING):
        forget()


@pytest.fixture(scope="session")
def reference() -> Path:
    """The reference data, which is not shipped: CARAVAN_REFERENCE, by default beside the checkout."""
    given = os.environ.get("CARAVAN_REFERENCE")
    folder = Path(given) if given else ROOT.parent / "shared" / "data"
    if folder.is_dir():
        return folder
    if given:
        pytest.fail(f"CARAVAN_REFERENCE is set to {given}, which is no folder")
    pytest.skip("the reference data is not here (set CARAVAN_REFERENCE)")


@pytest.fixture(scope="session")
def ten_cities(reference: Path) -> ImportReport:
    """The import of the ten-city data of the reference; its pack is not to be changed."""
    return prepared_data.import_ten_cities(reference / "china10")


@pytest.fixture(scope="session")
def starter_pack() -> Path:
    """The starter world, built once for all tests of all processes."""
    return prepared_data.starter_pack()


_STARTER_ROWS: dict[str, StoredRows[Any]] = {}
"""The starter world as the first test that wanted it brought it in: to store it again takes a tenth of the time."""


@pytest.fixture
def starter_world(db: None, starter_pack: Path) -> World:
    """The starter world in the database."""
    return store_starter_world(starter_pack)


def store_starter_world(starter_pack: Path) -> World:
    """Put the starter world into the database, unless it is there."""
    from django.utils import timezone

    from webapp.catalogue.models import World, worlds_folder
    from webapp.catalogue.starter import NAME, load_starter_world

    if "world" not in _STARTER_ROWS:
        built = load_starter_world(build=lambda target: shutil.copyfile(starter_pack, target))
        assert built is not None
        _STARTER_ROWS["world"] = StoredRows([World.objects.get(pk=built.pk)])
        return built
    if stored := World.objects.filter(name=NAME).first():
        return stored
    (world,) = _STARTER_ROWS["world"].insert(imported_at=timezone.now())
    if not (worlds_folder() / world.pack).exists():  # a test may have a data folder of its own
        shutil.copyfile(starter_pack, worlds_folder() / world.pack)
    return cast("World", world)


@pytest.fixture
def stored_tasks(db: None) -> QuerySet[Task]:
    """The shipped tasks of the first benchmark in the database, not read yet: each holds a trip."""
    return store_starter_tasks()


@pytest.fixture
def starter_tasks(stored_tasks: QuerySet[Task]) -> list[Task]:
    """The same, read."""
    return list(stored_tasks)


def store_starter_tasks() -> QuerySet[Task]:
    """Put the shipped tasks of the first benchmark into the database; those that are there stay."""
    from benchmark.suites import DEFAULT_SUITE
    from webapp.catalogue.models import Task
    from webapp.catalogue.starter import load_starter_tasks

    load_starter_tasks([DEFAULT_SUITE])
    return Task.staged_too.filter(suite=DEFAULT_SUITE)


@pytest.fixture
def recorded_session(starter_world: World) -> Callable[..., Session]:
    """Puts an ended session of `tests.recordings.NAMES` into the database, in milliseconds."""
    from tests.recordings import load

    return partial(load, world=starter_world)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference agent plans at once."""
    from tests.worker.hasty import play_hastily

    play_hastily(monkeypatch)
