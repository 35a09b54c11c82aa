"""What is wrong with the surroundings of an installation: one line each, with the variable and the remedy.

They are checks of Django's, which `manage.py check --deploy` asks too. An error ends the process that starts; with a
warning it serves.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register
from django.db import Error as DatabaseError
from django.db import NotSupportedError

from webapp import clock
from webapp.files.services import in_use as packs_are_stored
from webapp.processes.models import Process
from webapp.processes.selectors import living
from webapp.processes.services import process_name
from webapp.version import code_version
from webapp.watching.database import bounded_connection
from webapp.watching.marks import KEY, SHARED_FOLDERS, marks

CONFIGURATION = "configuration"
DATABASE_OUTAGE = "caravan.E001"
"""Of the one error that may pass by itself: the database is away."""
CLOCK_S = 5.0
CONNECT_S = 3
SHORTEST_KEY, FEWEST_CHARACTERS = 32, 5
SHOWN_PROCESSES = 3


@register(CONFIGURATION, deploy=True)
def check_key(**_: Any) -> Iterator[CheckMessage]:
    """Whether somebody could guess the secret key, or hosts would make keys of their own."""
    key = settings.SECRET_KEY
    if len(key) < SHORTEST_KEY or len(set(key)) < FEWEST_CHARACTERS:
        yield Error(
            f"{KEY} can be guessed: it has {len(key)} characters, {len(set(key))} of them different.",
            hint="Set it to at least 50 random characters: "
            'python3 -c "import secrets; print(secrets.token_urlsafe(50))".',
            id="caravan.E010",
        )
    elif not settings.EMBEDDED_DATABASE and not os.environ.get(KEY):
        yield Warning(
            f"{KEY} is not set: this host has made a key of its own, and others don't know who has signed in here.",
            hint="Set it to the same 50 random characters for all processes.",
            id="caravan.W011",
        )


@register(CONFIGURATION, deploy=True)
def check_hosts(**_: Any) -> Iterator[CheckMessage]:
    """Whether browsers reach an installation by its name."""
    served = settings.BEHIND_PROXY or not settings.EMBEDDED_DATABASE
    if served and not os.environ.get("CARAVAN_HOSTS"):
        yield Warning(
            f"CARAVAN_HOSTS is not set: only {', '.join(settings.ALLOWED_HOSTS)} are answered.",
            hint="Set it to the names in the addresses that people open, with commas between them.",
            id="caravan.W012",
        )
    elif settings.BEHIND_PROXY and "*" in settings.ALLOWED_HOSTS:
        yield Warning(
            "CARAVAN_HOSTS=* lets whoever asks choose the host that links name.",
            hint="Set it to the names in the addresses that people open, with commas between them.",
            id="caravan.W013",
        )


@register(CONFIGURATION, deploy=True)
def check_limits(**_: Any) -> Iterator[CheckMessage]:
    """How often an account may ask for what costs."""
    from webapp.accounts.limits import items_of  # a command that counts nothing starts without the library

    try:
        items_of(settings.CARAVAN_LIMITS)
    except ValueError as error:
        yield Error(f"{error}.", hint="Change it, or leave it out.", id="caravan.E015")


@register(CONFIGURATION, deploy=True)
def check_broker(**_: Any) -> Iterator[CheckMessage]:
    """Whether processes can tell each other that there is work."""
    if not settings.REDIS_URL:
        yield Error(
            "REDIS_URL is not set: no worker would hear of any job.",
            hint="Set it to redis://HOST:6379, the same for all processes.",
            id="caravan.E020",
        )
        return
    from redis import AuthenticationError, Redis, RedisError  # many modules, which a command does without

    try:
        server = Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=CONNECT_S, socket_timeout=CONNECT_S
        )
        with server:
            server.ping()
    except (ValueError, AuthenticationError) as error:
        yield Error(
            f"REDIS_URL can't be used: {_line(error)}.",
            hint="It has the form redis://USER:PASSWORD@HOST:PORT, rediss:// for TLS.",
            id="caravan.E021",
        )
    except (RedisError, OSError) as error:
        yield Warning(
            f"The broker of REDIS_URL can't be reached: {_line(error)}. Jobs wait until it is back.",
            hint="Start Redis or Valkey there, or correct REDIS_URL.",
            id="caravan.W022",
        )


@register(CONFIGURATION, deploy=True)
def check_folders(**_: Any) -> Iterator[CheckMessage]:
    """Whether the shared folders are there and can be written."""
    try:
        marks()
    except OSError as error:
        yield Error(
            f"{error.filename or settings.CARAVAN_DATA} can't be written: {error.strerror or error}.",
            hint="Mount the folder that CARAVAN_DATA names, give its account the right to write, or make room there.",
            id="caravan.E030",
        )


@register(CONFIGURATION, deploy=True)
def check_database(**_: Any) -> Iterator[CheckMessage]:
    """Whether the database can be reached, is new enough and prepared; and what it tells of clocks and others."""
    try:
        with bounded_connection(CONNECT_S):
            pass
    except NotSupportedError as error:
        yield Error(
            f"The database of DATABASE_URL is too old: {_line(error)}.",
            hint="Upgrade its server, or name a newer one.",
            id="caravan.E002",
        )
        return
    except (DatabaseError, OSError) as error:
        yield Error(
            f"The database of DATABASE_URL can't be reached: {_line(error)}.",
            hint="Start it, or correct DATABASE_URL.",
            id=DATABASE_OUTAGE,
        )
        return
    from webapp.commands import unmigrated  # with much that only commands need

    if unmigrated():
        yield Error(
            "The database of DATABASE_URL lacks migrations of this version.",
            hint="Run manage.py prepare, once.",
            id="caravan.E003",
        )
        return
    yield from _check_clock()
    if not settings.EMBEDDED_DATABASE:  # whose processes are all of one host and folder
        yield from _check_others()


def _check_clock() -> Iterator[CheckMessage]:
    ahead_s = time.time() - clock.now().timestamp()
    if abs(ahead_s) > CLOCK_S:
        yield Warning(
            f"This machine's clock is {abs(ahead_s):,.0f} s {'ahead of' if ahead_s > 0 else 'behind'} the one of the "
            f"server that DATABASE_URL names, more than {CLOCK_S:.0f} s: its logs tell other times.",
            hint="Have both set by NTP, such as chrony.",
            id="caravan.W040",
        )


def _check_others() -> Iterator[CheckMessage]:
    """Whether this process has what all others have, and runs the same version."""
    others = list(living().exclude(name=process_name()))
    try:
        own = marks()
    except OSError:  # of which another check tells
        return
    shared = () if packs_are_stored() else SHARED_FOLDERS  # a store brings files to each host's own folders
    for name in shared:
        if unlike := [other for other in others if other.marks.get(name, own[name]) != own[name]]:
            yield Error(
                f"{Path(settings.CARAVAN_DATA) / name} is another folder than the one of {_names_of(unlike)}.",
                hint="Mount the same one on all hosts, below CARAVAN_DATA, or name a store by CARAVAN_PACKS.",
                id="caravan.E031",
            )
    if unlike := [other for other in others if other.marks.get(KEY, own[KEY]) != own[KEY]]:
        yield Warning(
            f"{KEY} is another one than that of {_names_of(unlike)}: who signs in there is a stranger here.",
            hint="Set it to the same for all processes, and start them again.",
            id="caravan.W014",
        )
    if unlike := [other for other in others if other.version != code_version()]:
        versions = ", ".join(sorted({other.version for other in unlike}))
        yield Warning(
            f"This is version {code_version()}, and {_names_of(unlike)} run {versions}.",
            hint="During an upgrade this passes; else start them again with this version.",
            id="caravan.W050",
        )


def _names_of(processes: list[Process]) -> str:
    shown = [str(process) for process in processes[:SHOWN_PROCESSES]]
    more = len(processes) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _line(error: BaseException) -> str:
    """What an error says, on one line and without its full stop."""
    return " ".join(str(error).split()).rstrip(".") or type(error).__name__
