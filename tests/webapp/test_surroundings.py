"""What a process finds around it: variables that hold nothing, and a data folder that others can't read."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests import ROOT
from tests.prepared_data import prepare_data
from webapp.surroundings import Variables, forget_empty_variables, tighten

OWN_VARIABLES = ("PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
"""What a process here has of our own surroundings; without where compiled files are, it would compile all of them."""


def python(code: str, data: Path, **environment: str) -> str:
    """What a process says that reads our settings over a data folder."""
    kept = {
        **{name: os.environ[name] for name in OWN_VARIABLES if name in os.environ},
        "DJANGO_SETTINGS_MODULE": "webapp.settings",
        "CARAVAN_DATA": str(data),
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**kept, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def test_variables_that_hold_nothing_count_as_unset() -> None:
    environment = {"DATABASE_URL": "", "CARAVAN_HTTPS": " ", "PORT": "", "CARAVAN_LOG": "INFO", "OTHER": ""}
    forget_empty_variables(environment)
    assert environment == {"CARAVAN_LOG": "INFO", "OTHER": ""}


@pytest.mark.parametrize("given", ["abc", "-1", "2.5", "1e3", " "])
def test_a_number_that_is_none_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("CARAVAN_REQUESTS", given)
    with pytest.raises(ImproperlyConfigured, match=r"CARAVAN_REQUESTS is .* set it to a whole number"):
        Variables().int("CARAVAN_REQUESTS", default=16)


def test_what_is_neither_yes_nor_no_is_not_taken_for_no(monkeypatch: pytest.MonkeyPatch) -> None:
    for given, told in {"1": True, "on": True, "0": False, "No": False}.items():
        monkeypatch.setenv("CARAVAN_HTTPS", given)
        assert Variables().bool("CARAVAN_HTTPS", default=False) is told
    monkeypatch.setenv("CARAVAN_HTTPS", "enabled")
    with pytest.raises(ImproperlyConfigured, match="CARAVAN_HTTPS is “enabled”: set it to 1 or 0"):
        Variables().bool("CARAVAN_HTTPS", default=False)


@pytest.mark.slow
def test_every_variable_of_settings_may_be_empty(tmp_path: Path) -> None:
    source = (ROOT / "webapp" / "settings.py").read_text()
    names = {
        word.strip('"') for word in source.replace("(", " ").replace(",", " ").split() if word[:1] == '"'
    }
    empty = {name: "" for name in names if name.startswith("CARAVAN_") or name.endswith("_URL")}
    assert {"DATABASE_URL", "REDIS_URL", "CARAVAN_HTTPS", "CARAVAN_DB_POOL", "CARAVAN_HOSTS"} <= set(empty)
    del empty["CARAVAN_DATA"]
    asked = ("EMBEDDED_DATABASE", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "TIME_ZONE", "REDIS_URL")
    shown = f"from django.conf import settings; print([getattr(settings, name) for name in {asked}])"
    assert python(shown, tmp_path, **empty) == python(shown, tmp_path)
    assert python(shown, tmp_path).startswith("[True, ['127.0.0.1'")


@pytest.mark.slow
def test_only_its_owner_reads_the_data_folder(tmp_path: Path) -> None:
    data = prepare_data(tmp_path / "var")  # a copy has the rights of what is copied
    modes = {path: path.stat().st_mode & 0o777 for path in (data, *data.rglob("*"))}
    assert len(modes) > 5
    assert {path: oct(mode) for path, mode in modes.items() if mode & 0o077} == {}


def test_what_an_earlier_version_left_is_closed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "data", tmp_path / "outside"
    for path in (folder / "log" / "web.log", outside):
        path.parent.mkdir(exist_ok=True, parents=True)
        path.touch(mode=0o644)
        path.chmod(0o644)
    (folder / "log" / "link").symlink_to(outside)
    tighten(folder)
    assert oct((folder / "log").stat().st_mode & 0o777) == "0o700"
    assert oct((folder / "log" / "web.log").stat().st_mode & 0o777) == "0o600"
    assert oct(outside.stat().st_mode & 0o777) == "0o644"


HEADERS = """
import django; django.setup()
from django.test import Client
told = Client(headers={"x-forwarded-proto": "https", "host": "127.0.0.1"}).get("/health")
print(told.headers.get("Strict-Transport-Security"))
"""


@pytest.mark.slow
def test_browsers_that_came_over_https_are_told_to_stay_there(tmp_path: Path) -> None:
    assert python(HEADERS, tmp_path, CARAVAN_HTTPS="1").strip() == "max-age=2592000"
    shown = "from django.conf import settings; print(settings.SECURE_HSTS_SECONDS)"
    assert python(shown, tmp_path, CARAVAN_HTTPS="1", CARAVAN_HSTS="0").strip() == "0"
    assert python(shown, tmp_path).strip() == "0"


@pytest.mark.parametrize(("options", "wait_s"), [("", "20"), ("?timeout=2", "2")])
def test_the_address_of_an_sqlite_database_says_how_long_a_lock_is_waited_for(
    tmp_path: Path, options: str, wait_s: str
) -> None:
    code = "from webapp import settings; print(settings.DATABASES['default']['OPTIONS']['timeout'])"
    address = f"sqlite:///{tmp_path}/any.sqlite3{options}"
    assert python(code, tmp_path, DATABASE_URL=address).strip() == wait_s
