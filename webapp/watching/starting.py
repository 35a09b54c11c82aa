"""The start of a web or worker process: its surroundings are checked, then it says that it lives."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Sequence

from django.core.checks import CheckMessage, run_checks
from django.db import connections

from webapp.logs import write_line
from webapp.processes.models import Kind
from webapp.processes.services import Heartbeat
from webapp.watching.checks import CONFIGURATION, DATABASE_OUTAGE
from webapp.watching.marks import marks

PATIENCE_S = 30.0
"""A database that is away at the start is waited for so long: it may be starting too."""
ASK_S = 1.0
LEVELS = {"error": logging.ERROR, "warning": logging.WARNING}


def start_process(kind: Kind, queues: Sequence[str] | None = None) -> Heartbeat:
    """Check what this process finds around it, and have it say that it lives.

    queues: those that a worker takes jobs from, None for all.

    Raises:
        SystemExit: it can't work so; standard error has one line a fault.
    """
    check_surroundings()
    heartbeat = Heartbeat(kind, marks(), queues)
    heartbeat.start()
    return heartbeat


def check_surroundings() -> None:
    """Tell what is wrong, one line each, once; wait a while for a database that is away.

    Raises:
        SystemExit: something is wrong that does not pass by itself.
    """
    end, told = time.monotonic() + PATIENCE_S, set()
    while True:
        try:
            found = run_checks(tags=[CONFIGURATION], include_deployment_checks=True)
        finally:
            connections.close_all()
        for weight, line in [(weight_of(message), line_of(message)) for message in found]:
            if line not in told:
                write_line(line, logger=__name__, level=LEVELS[weight], stream=sys.stderr)
                told.add(line)
        errors = {message.id for message in found if message.is_serious()}
        if not errors:
            return
        if errors != {DATABASE_OUTAGE} or time.monotonic() > end:
            raise SystemExit(1)
        time.sleep(ASK_S)


def line_of(message: CheckMessage) -> str:
    """One line for whoever starts the process."""
    return f"{weight_of(message)}: {message.msg} {message.hint} ({message.id})"


def weight_of(message: CheckMessage) -> str:
    """Whether the process can't start for it."""
    return "error" if message.is_serious() else "warning"
