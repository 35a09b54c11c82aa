"""Make `.venv` and install the pinned requirements. Standard library only: it runs before anything is there.

    python3 worker/embedded/install.py [requirements file]

Done once per set of pins: when nothing has changed it takes a moment. Any Python 3.7 can read it, so that an
unsupported one gets a clear answer.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "caravan-installed"
SUPPORTED_VERSIONS = ((3, 11), (3, 12), (3, 13))
NEEDED_MIB = 900
TOLD_EVERY_S = 10.0
MOST_SHOWN = 120


class CannotInstall(Exception):
    """One clear line for the person who installs."""


def version_of(python: str | Path) -> tuple[int, ...] | None:
    """(major, minor) of an interpreter, None when it does not run."""
    ask = [str(python), "-c", "import sys; print('%d %d' % sys.version_info[:2])"]
    try:
        numbers = subprocess.check_output(ask, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    return tuple(int(part) for part in numbers.split())


def supported_python() -> str:
    """An interpreter of a supported version: the one that runs this, else the first that the PATH has."""
    if sys.version_info[:2] in SUPPORTED_VERSIONS:
        return sys.executable
    for minor in (12, 13, 11):
        program = shutil.which(f"python3.{minor}")
        if program and version_of(program) in SUPPORTED_VERSIONS:
            return program
    mine = ".".join(map(str, sys.version_info[:2]))
    raise CannotInstall(
        f"Python 3.11, 3.12 or 3.13 is needed and this is {mine}; install one, or name it: make run PYTHON=python3.12"
    )


def fingerprint(requirements: list[str]) -> str:
    """What an installed environment depends on."""
    return hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in requirements)).hexdigest()


def installed_fingerprints() -> list[str]:
    """The fingerprints that the environment was installed for."""
    if not STAMP.exists() or version_of(PYTHON) not in SUPPORTED_VERSIONS:
        return []
    return STAMP.read_text().split()


def check_room() -> None:
    """Stop early where the disk could not hold the environment."""
    free = shutil.disk_usage(str(ROOT)).free // 2**20
    if free < NEEDED_MIB:
        raise CannotInstall(
            f"the disk is full: {free} MiB are free under {ROOT}, about {NEEDED_MIB} are needed; make room, try again"
        )


def log_path() -> Path:
    """Where what an installation says is kept: `var/log/install.log`, or below CARAVAN_DATA."""
    data = os.environ.get("CARAVAN_DATA", "").strip()
    return (Path(data) if data else ROOT / "var") / "log" / "install.log"


def run(command: list[str], doing: str) -> None:
    """Run a step with its output in the log; the screen says now and then how far it is, and why it failed."""
    begun, log = time.monotonic(), log_path()
    with log.open("a") as output:
        output.write(f"\n$ {' '.join(command)}\n")
        output.flush()
        process = subprocess.Popen(command, cwd=str(ROOT), stdout=output, stderr=subprocess.STDOUT)
        try:
            while _goes_on(process):
                say(f"  {doing}, {time.monotonic() - begun:.0f} s so far: {last_line(log)}")
        except BaseException:
            process.kill()
            raise
    if process.returncode == 0:
        return
    if shutil.disk_usage(str(ROOT)).free < 50 * 2**20:
        raise CannotInstall("the disk is full; make room and try again")
    raise CannotInstall(
        f"{doing} failed (exit {process.returncode}): {last_line(log)}\n  all that it said is in {log}"
    )


def _goes_on(process: subprocess.Popen[bytes]) -> bool:
    """Whether it still runs after a while."""
    try:
        process.wait(TOLD_EVERY_S)
    except subprocess.TimeoutExpired:
        return True
    return False


def last_line(log: Path) -> str:
    """The last line that says something, cut to fit on a screen."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines()]
    return next((line for line in reversed(lines) if line), "")[:MOST_SHOWN]


def say(message: str) -> None:
    """One line for the person at the terminal."""
    print(f"caravan: {message}", flush=True)


def make_venv(python: str, uv: str | None) -> None:
    """An empty environment of a supported Python; what stood there before is replaced."""
    if uv:
        return run([uv, "venv", "--quiet", "--clear", "--python", python, str(VENV)], "making .venv")
    probe = [python, "-c", "import venv, ensurepip"]
    if subprocess.call(probe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) != 0:
        raise CannotInstall(
            f"{python} has no venv module; install it (Debian, Ubuntu: apt install python3-venv)"
        )
    return run([python, "-m", "venv", "--clear", str(VENV)], "making .venv")


def install(requirements: list[str], uv: str | None) -> None:
    """The pins into the environment: files of these hashes alone, whatever an index offers."""
    pins = ["--require-hashes", *(part for name in requirements for part in ("-r", name))]
    if uv:
        return run([uv, "pip", "install", "--no-progress", "--python", str(PYTHON), *pins], "uv pip install")
    pip = [
        str(PYTHON),
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--no-input",
        "--progress-bar",
        "off",
    ]
    return run([*pip, *pins], "pip install")


def main(requirements: list[str]) -> None:
    """Bring the environment to these pins, if it is not there already."""
    wanted, known = fingerprint(requirements), installed_fingerprints()
    if wanted in known:
        return
    python, uv = supported_python(), shutil.which("uv")
    check_room()
    log = log_path()
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    begun = time.monotonic()
    say(f"installing {' and '.join(requirements)} with {'uv' if uv else 'pip'}, once; details go to {log}")
    if not known:
        make_venv(python, uv)
    install(requirements, uv)
    STAMP.write_text("\n".join([*known, wanted]))
    say(f"installed in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    try:
        main(sys.argv[1:] or ["requirements.txt"])
    except KeyboardInterrupt:
        sys.exit("caravan: interrupted; run it again to go on")
    except (CannotInstall, OSError) as error:
        sys.exit(f"caravan: {error}")
