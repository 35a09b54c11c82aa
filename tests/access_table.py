"""Who may call what: `python -m tests.access_table` writes docs/access.md from addresses, sockets and kinds of jobs.

`tests/webapp/test_access.py` asks every address as everybody; the table tells what it holds.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests import ROOT

if TYPE_CHECKING:
    from django.urls import URLPattern

PAGE = ROOT / "docs" / "access.md"
HEAD = """# Who may call what

`python -m tests.access_table` writes this page from the code, and a test fails where the two differ.
`tests/webapp/test_access.py` asks every address as a stranger, an annotator and a researcher. What is promised:
[security.md](security.md).
"""
SOCKETS = {
    "SessionConsumer": ("researchers", "tests/webapp/sessions/test_socket.py"),
    "SeatConsumer": ("the browser that took this seat", "tests/webapp/people/test_seat_sockets.py"),
    "UnknownAddress": ("nobody", "tests/webapp/sessions/test_socket.py"),
}
"""Of each consumer who is served, and the test of it."""
PEOPLE = {"/seat/": "the browser that took this seat", "/join/": "whoever has the link of a seat"}
MONITORS = {"metrics": "this machine, or whoever has the token of `CARAVAN_METRICS_TOKEN`"}
"""Of addresses that check by themselves who asks, who is served."""
LINKS = ("/annotate/join/", "/annotate/panel/")
"""Where an annotator comes in."""
"""Of addresses below these, who is served."""


def access_table() -> str:
    """The page."""
    parts = [HEAD, "\n## Pages and their parts\n", *_table("address | who", sorted(_pages()))]
    parts += ["\n## What programs call\n", *_table("call | who", sorted(_calls()))]
    parts += ["\n## Sockets\n", *_table("address | who | tested by", _sockets())]
    parts += ["\n## Files that leave\n", *_table("of | formats | who", _files())]
    parts += [
        "\n## Background jobs\n\nNobody calls a job: a person who may asks for it on a page, by a command or by "
    ]
    parts += ["the API, or the sweeper finds it.\n", *_table("job | by hand", sorted(_jobs()))]
    return "".join(part if part.endswith(("\n", " ")) else f"{part}\n" for part in parts)


def _table(head: str, rows: list[tuple[str, ...]]) -> Iterator[str]:
    yield f"\n| {head} |\n"
    yield "|" + "---|" * (head.count("|") + 1) + "\n"
    for row in rows:
        yield f"| {' | '.join(row)} |\n"


def _pages() -> Iterator[tuple[str, ...]]:
    """Every address but those of programs."""
    from tests.webapp import test_access

    for name, path in _addresses():
        if name in test_access.TOKEN_ASKED:
            continue
        who = "researchers"
        if name in test_access.OPEN:
            who = MONITORS.get(name, "everybody")
        elif name == "audit":
            who = "administrators"
        elif name in test_access.LABELLERS:
            who = "whoever has this link" if path.startswith(LINKS) else "the annotator of this link"
        elif name in test_access.SEATS:
            who = next(who for begin, who in PEOPLE.items() if path.startswith(begin))
        yield f"`{path}`", who


def _addresses() -> Iterator[tuple[str, str]]:
    """The name and the path of every pattern."""
    from django.urls import URLResolver, get_resolver

    def addresses_below(resolver: URLResolver, begin: str) -> Iterator[tuple[str, str]]:
        for entry in resolver.url_patterns:
            path = begin + _words(entry)
            if isinstance(entry, URLResolver):
                yield from addresses_below(entry, path)
            else:
                yield str(entry.name), path

    yield from addresses_below(get_resolver(), "/")


def _words(entry: URLPattern) -> str:
    return str(entry.pattern).removeprefix("^").removeprefix("/").replace("|", "\\|")


def _calls() -> Iterator[tuple[str, ...]]:
    """Every operation of the APIs."""
    from webapp.api.document import PREFIX, SCOPE
    from webapp.api.v1 import api
    from webapp.people.api import api as seats

    for path, methods in api.get_openapi_schema(path_prefix=PREFIX)["paths"].items():
        for method, operation in methods.items():
            yield f"`{method.upper()} {path}`", f"a researcher's token with `{operation[SCOPE]}`"
    for path, methods in seats.get_openapi_schema(path_prefix="/api/")["paths"].items():
        for method in methods:
            who = "whoever has the link of a seat" if path.endswith("/join") else "the token of this seat"
            yield f"`{method.upper()} {path}`", who


def _sockets() -> list[tuple[str, ...]]:
    from webapp.routing import websockets

    rows = []
    for route in websockets.routes:
        who, tested = SOCKETS[route.callback.consumer_class.__name__]
        rows.append((f"`/{route.pattern}`" if str(route.pattern) else "any other", who, tested))
    return rows


def _files() -> list[tuple[str, ...]]:
    from webapp.exchange.formats import RUN_ENDINGS, SESSION_ENDINGS, SET_ENDINGS

    kinds = {"a session": SESSION_ENDINGS, "a run": RUN_ENDINGS, "a set of sessions": SET_ENDINGS}
    return [(of, ", ".join(f"`{name}`" for name in endings), "researchers") for of, endings in kinds.items()]


def _jobs() -> Iterator[tuple[str, ...]]:
    from django.utils.translation import override

    from webapp.jobs.kinds import kinds

    with override("en"):
        for kind in kinds():
            yield str(kind.label), "researchers may cancel it" if kind.cancel else "not cancelled by hand"


def main() -> None:
    """Write the page."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    django.setup()
    PAGE.write_text(access_table(), "utf-8")


if __name__ == "__main__":
    main()
