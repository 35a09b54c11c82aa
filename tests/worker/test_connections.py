"""What a connection to PostgreSQL over TCP is told: by its socket and by the server itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.installation import free_port
from tests.postgres import private_postgres
from tests.shell import Shell

pytestmark = pytest.mark.slow
LOOK = """
import json, os, socket
from django.db import connection

def option(name):
    level = socket.SOL_SOCKET if name.startswith("SO_") else socket.IPPROTO_TCP
    return own.getsockopt(level, getattr(socket, name))

with connection.cursor() as cursor:
    own = socket.socket(fileno=os.dup(connection.connection.pgconn.socket))
    told = {name: option(name) for name in NAMES if hasattr(socket, name)}
    for name in SHOWN:
        cursor.execute(f"SHOW {name}")
        told[name] = cursor.fetchone()[0]
print(json.dumps(told))
"""
SOCKET = {
    "SO_KEEPALIVE": 1,
    "TCP_KEEPIDLE": 10,
    "TCP_KEEPINTVL": 5,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": 25_000,
}
SERVER = {"lock_timeout": "5s", "idle_in_transaction_session_timeout": "15s"}


def connection_options(folder: Path, **environment: str) -> dict[str, object]:
    """The options of a connection that a process of such an environment makes."""
    code = LOOK.replace("NAMES", repr(list(SOCKET))).replace("SHOWN", repr(list(SERVER)))
    process = Shell({**os.environ, "CARAVAN_DATA": str(folder), **environment})
    try:
        found: dict[str, object] = json.loads(process.run(code))
    finally:
        process.stop()
    return found


def test_a_dead_server_is_noticed_and_nobody_waits_long_for_a_row(tmp_path: Path) -> None:
    wanted = {**SOCKET, **SERVER}
    with private_postgres(free_port()) as url:
        for environment in ({"CARAVAN_DB_POOL": "0"}, {"CARAVAN_DB_POOL": "4"}):
            found = connection_options(tmp_path, DATABASE_URL=url, **environment)
            assert found == {name: wanted[name] for name in found} and set(SERVER) < set(found)
        own = connection_options(tmp_path, DATABASE_URL=f"{url}?keepalives_idle=77&sslmode=disable")
        assert own == {**{name: wanted[name] for name in own}, "TCP_KEEPIDLE": 77}
