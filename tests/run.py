"""`make test`: every test, in three runs.

fast: everything but the browser, on SQLite: the quick ones on every core, then, two at once, those that start
processes of their own or take their time. storage: what depends on the database once more, on a private PostgreSQL
or the one at DATABASE_URL. browser: Chromium, in a process of its own (Playwright's event loop and pytest-asyncio's
do not share one). All over a private Valkey, or the one at REDIS_URL.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.chromium import find_chromium
from tests.postgres import private_postgres

EVERY_CORE = ("-n", "auto", "--dist", "loadfile")
TWO_AT_ONCE = ("-n", "2", "--dist", "worksteal")
"""Tests with processes of their own, an installation or a Chromium, mostly wait."""


COMPILED = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(Path(sys.prefix) / "pycache")}
"""What is compiled is kept, whatever the shell says of it: the tests start some hundred processes."""


def _pytest(*options: str, **environment: str) -> int:
    """Run pytest; an empty value takes a variable away."""
    command = [sys.executable, "-m", "pytest", "-p", "tests.environment", "-q", *options]
    wanted = {**os.environ, **COMPILED, **environment}
    return subprocess.call(command, env={name: value for name, value in wanted.items() if value})


def fast() -> int:
    """All but the browser, on SQLite."""
    quick = _pytest("-m", "not browser and not slow", *EVERY_CORE, DATABASE_URL="")
    return quick or _pytest("-m", "slow and not browser", *TWO_AT_ONCE, DATABASE_URL="")


def storage() -> int:
    """What depends on the database, on PostgreSQL."""
    unpooled = {
        "CARAVAN_DB_POOL": "0"
    }  # a pool's idle connections would keep the test database from being dropped
    if os.environ.get("DATABASE_URL"):
        return _pytest("-m", "storage", *EVERY_CORE, **unpooled)
    with private_postgres() as url:
        return _pytest("-m", "storage", *EVERY_CORE, DATABASE_URL=url, **unpooled)


def browser() -> int:
    """What a person does, in Chromium."""
    return _pytest("tests/browser", *TWO_AT_ONCE, CARAVAN_CHROMIUM=find_chromium())


PARTS: dict[str, Callable[[], int]] = {"fast": fast, "storage": storage, "browser": browser}


def main(chosen: list[str]) -> int:
    """Run the parts and say how each went."""
    if unknown := [name for name in chosen if name not in PARTS]:
        print(f"there is no part {', '.join(unknown)}; there are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    results = {}
    for name in chosen or PARTS:
        print(f"== {name}: {(PARTS[name].__doc__ or '').strip()}", flush=True)
        begun = time.monotonic()
        results[name] = (PARTS[name](), time.monotonic() - begun)
    print(
        "== "
        + ", ".join(
            f"{name} {'ok' if not code else 'FAILED'} in {s:.0f} s" for name, (code, s) in results.items()
        )
    )
    return max(code for code, _ in results.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
