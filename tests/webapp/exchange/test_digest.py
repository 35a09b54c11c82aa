"""Fingerprints of an installation."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from pytest_django import Settings

from webapp.accounts.models import User


def _digest() -> dict[str, Any]:
    out = StringIO()
    call_command("digest", "--json", stdout=out)
    result: dict[str, Any] = json.loads(out.getvalue())
    return result


def test_what_changes_in_a_row_or_a_file_changes_the_digest_and_nothing_else_does(
    researcher: User, settings: Settings, tmp_path: Path
) -> None:
    settings.EMBEDDED_DATABASE = False  # the command would bring in the starter world
    settings.CARAVAN_DATA = tmp_path
    (tmp_path / "worlds").mkdir()
    (tmp_path / "worlds" / "a.sqlite3").write_bytes(b"1")
    (tmp_path / "worlds" / ".a.sqlite3.lock").write_bytes(b"")
    first = _digest()
    assert first == _digest() and first["tables"]["accounts_user"][0] == 1
    assert list(first["files"]) == ["worlds/a.sqlite3"]
    User.objects.filter(pk=researcher.pk).update(username="another")
    second = _digest()
    changed = [name for name in first["tables"] if first["tables"][name] != second["tables"][name]]
    assert changed == ["accounts_user"] and second["digest"] != first["digest"]
    (tmp_path / "worlds" / "a.sqlite3").write_bytes(b"2")
    third = _digest()
    assert third["tables"] == second["tables"] and third["files"] != second["files"]
