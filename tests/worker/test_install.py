"""The installer: it runs before anything is there, and says in one line what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from worker.embedded import install

Usage = namedtuple("Usage", "total used free")
Version = namedtuple("Version", "major minor micro releaselevel serial")


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout without an environment; no command is really run."""
    (tmp_path / "requirements.txt").write_text("django==5.2\n")
    for name, path in {
        "ROOT": ".",
        "VENV": ".venv",
        "PYTHON": ".venv/bin/python",
        "STAMP": ".venv/stamp",
    }.items():
        monkeypatch.setattr(install, name, tmp_path / path)
    (tmp_path / ".venv").mkdir()
    return tmp_path


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would have been run."""
    ran: list[list[str]] = []

    def call(command: list[str], **_: Any) -> int:
        ran.append(command)
        return 0

    monkeypatch.setattr(subprocess, "call", call)
    return ran


def without_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)


def test_it_uses_uv_where_there_is_one(
    empty: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/uv" if name == "uv" else None)
    install.main(["requirements.txt"])
    assert [command[:2] for command in commands] == [["/usr/bin/uv", "venv"], ["/usr/bin/uv", "pip"]]


def test_it_uses_pip_elsewhere_and_does_nothing_the_second_time(
    empty: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_uv(monkeypatch)
    install.main(["requirements.txt"])
    assert [command[1:4] for command in commands[1:]] == [["-m", "venv", "--clear"], ["-m", "pip", "install"]]
    commands.clear()
    monkeypatch.setattr(install, "version_of", lambda python: (3, 12))
    install.main(["requirements.txt"])
    assert commands == []
    (empty / "requirements.txt").write_text("django==5.3\n")
    install.main(["requirements.txt"])
    assert [command[1:4] for command in commands] == [["-m", "pip", "install"]]


def test_an_unsupported_python_without_a_supported_one(
    empty: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_uv(monkeypatch)
    monkeypatch.setattr(sys, "version_info", Version(3, 9, 2, "final", 0))
    with pytest.raises(
        install.CannotInstall, match=r"Python 3\.11, 3\.12 or 3\.13 is needed and this is 3\.9"
    ):
        install.main(["requirements.txt"])


def test_an_unsupported_python_beside_a_supported_one(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", Version(3, 9, 2, "final", 0))
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name == "python3.13" else None)
    monkeypatch.setattr(install, "version_of", lambda python: (3, 13))
    assert install.supported_python() == "/usr/bin/python3.13"


def test_a_missing_venv_module(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_uv(monkeypatch)
    monkeypatch.setattr(subprocess, "call", lambda command, **_: 1)
    with pytest.raises(install.CannotInstall, match=r"has no venv module.*apt install python3-venv"):
        install.main(["requirements.txt"])


@pytest.mark.parametrize("free_mib", [10, 699])
def test_a_full_disk(
    empty: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, free_mib: int
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(1, 1, free_mib * 2**20))
    with pytest.raises(install.CannotInstall, match="the disk is full"):
        install.main(["requirements.txt"])
    assert commands == []


def test_a_failed_install_is_tried_again_next_time(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/uv" if name == "uv" else None)
    monkeypatch.setattr(subprocess, "call", lambda command, **_: 3 if "pip" in command else 0)
    with pytest.raises(install.CannotInstall, match="uv pip install failed"):
        install.main(["requirements.txt"])
    assert not (empty / ".venv" / "stamp").exists()


def test_every_make_target_is_described() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    told = subprocess.run(
        ["make", "-s", "help"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout
    for target in ("run", "test", "check", "bench", "help"):
        assert f"make {target} " in told
