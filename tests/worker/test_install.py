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

from tests import ROOT
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
    monkeypatch.delenv("CARAVAN_DATA", raising=False)
    return tmp_path


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What would have been run."""
    ran: list[list[str]] = []

    def call(command: list[str], **_: Any) -> int:
        ran.append(command)
        return 0

    monkeypatch.setattr(subprocess, "call", call)
    monkeypatch.setattr(install, "run", lambda command, doing: ran.append(command))
    return ran


def without_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)


def test_it_uses_uv_where_there_is_one(
    empty: Path, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/uv" if name == "uv" else None)
    install.main(["requirements.txt"])
    assert [command[:2] for command in commands] == [["/usr/bin/uv", "venv"], ["/usr/bin/uv", "pip"]]
    assert "--require-hashes" in commands[1]


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
    assert "--require-hashes" in commands[0], "nothing but the files that were pinned is installed"


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


@pytest.fixture
def slow_uv(empty: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A uv that makes an environment at once, and takes its time over the pins, talking and failing at will."""
    program = empty / "uv"
    program.write_text(
        "#!/bin/sh\nfor word; do last=$word; done\n"
        'if [ "$1" = venv ]; then exit 0; fi\n'
        'echo "Resolved 3 packages"; echo "Downloading numpy (15 MiB)"; sleep 0.5\n'
        'if [ -e broken ]; then echo "error: no wheel for numpy"; exit 3; fi\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(program) if name == "uv" else None)
    monkeypatch.setattr(install, "TOLD_EVERY_S", 0.2)
    return empty


def test_what_an_installation_says_goes_to_a_log(slow_uv: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install.main(["requirements.txt"])
    said, log = capsys.readouterr().out, slow_uv / "var" / "log" / "install.log"
    assert "Resolved 3 packages" in log.read_text() and "Resolved" not in said
    assert "s so far: Downloading numpy (15 MiB)" in said
    assert str(log) in said and "installed in" in said
    assert oct(log.parent.stat().st_mode & 0o777) == "0o700"


def test_the_log_lies_where_the_data_lies(slow_uv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARAVAN_DATA", str(slow_uv / "data"))
    install.main(["requirements.txt"])
    assert (slow_uv / "data" / "log" / "install.log").exists() and not (slow_uv / "var").exists()


def test_a_failed_install_says_why_and_is_tried_again_next_time(slow_uv: Path) -> None:
    (slow_uv / "broken").touch()
    with pytest.raises(
        install.CannotInstall, match=r"uv pip install failed \(exit 3\): error: no wheel for numpy"
    ):
        install.main(["requirements.txt"])
    assert not (slow_uv / ".venv" / "stamp").exists()


def test_every_make_target_is_described() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    told = subprocess.run(
        ["make", "-s", "help"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout
    for target in ("run", "test", "check", "bench", "platforms", "help"):
        assert f"make {target} " in told
