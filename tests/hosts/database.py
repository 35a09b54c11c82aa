"""PostgreSQL on a host of its own: `python -m tests.hosts.database NETWORK`, until it is ended."""

from __future__ import annotations

import signal
import sys

from tests.postgres import private_postgres

PORT = 5432

if __name__ == "__main__":
    with private_postgres(PORT, network=sys.argv[1]):
        signal.pause()
