"""The processor time of a whole tree of processes, also of those that nobody waits for: Chromium's, workers'."""

from __future__ import annotations

import contextlib
import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")


@contextlib.contextmanager
def measure_processor_time(name: str) -> Iterator[Callable[[], float]]:
    """Measure this process and all that it starts meanwhile; gives what tells the seconds so far.

    By a control group of its own where that may be made; elsewhere by what reaped children took.
    """
    group = _group(name)
    if group is None:
        begun = _reaped_s()
        yield lambda: _reaped_s() - begun
        return
    before = group.parent
    _join(group)
    try:
        yield lambda: _used_s(group)
    finally:
        with contextlib.suppress(OSError):  # what still runs keeps the group
            _join(before)
            group.rmdir()


def _group(name: str) -> Path | None:
    """A new group within that of this process, whose processor time is counted; None where none can be made."""
    for place in _own_groups():
        group = place / f"caravan-{name}-{os.getpid()}"
        with contextlib.suppress(OSError):
            group.mkdir()
            if any((group / file).exists() for file in ("cpu.stat", "cpuacct.usage")):
                return group
            group.rmdir()
    return None


def _own_groups() -> Iterator[Path]:
    """The groups that this process is in: of version 2, or of version 1 where that counts processor time."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _number, controllers, path = line.split(":", 2)
            if controllers == "" or "cpuacct" in controllers.split(","):
                yield ROOT / controllers / path.lstrip("/")


def _join(group: Path) -> None:
    (group / "cgroup.procs").write_text(str(os.getpid()))


def _used_s(group: Path) -> float:
    if (group / "cpuacct.usage").exists():
        return int((group / "cpuacct.usage").read_text()) / 1e9
    told = dict(line.split() for line in (group / "cpu.stat").read_text().splitlines())
    return int(told["usage_usec"]) / 1e6


def _reaped_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
