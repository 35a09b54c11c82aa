"""The client itself."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

import httpx2

from .connection import Connection
from .errors import CaravanError
from .items import Event, Judgement, Label, Run, Score, Session, Task, World
from .listing import Listing
from .progress import bar
from .report import Report

WAIT_S = 20
"""Seconds that a request for more events waits."""


class Caravan:
    """A Caravan installation. token: of *API tokens*. retries: how often a request is repeated that may be."""

    def __init__(
        self,
        url: str,
        token: str,
        *,
        timeout_s: float = 60.0,
        retries: int = 5,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._connection = Connection(url, token, timeout_s=timeout_s, retries=retries, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    # Reading.

    def runs(self, name: str = "", **filters: Any) -> Listing[Run]:
        """Runs, the newest first. name: words of their names, or an id."""
        return Listing(self._connection, "runs", Run, {"find": name, **filters})

    def run(self, run: str | Run) -> Run:
        """One run as it is now, by its id or its name. Where several have the name, the newest."""
        if isinstance(run, Run):
            return self._run(run.id)
        named = [each for each in self.runs(run) if run in (each.id, each.name)]
        if not named:
            raise CaravanError(f"there is no run “{run}”")
        return self._run(min(named, key=lambda each: each.id != run).id)

    def _run(self, pk: str) -> Run:
        return Run.of(self._connection.get(f"runs/{quote(pk, safe='')}"))

    def sessions(self, run: str | Run = "", **filters: Any) -> Listing[Session]:
        """Sessions, the newest first. run: an id or a name."""
        return Listing(self._connection, "sessions", Session, {"run": _id(run), **filters})

    def session(self, session: str | Session) -> Session:
        """One session as it is now; `more` holds its seats, options, tools, models and scores."""
        return Session.of(self._connection.get(f"sessions/{quote(_id(session), safe='')}"))

    def events(
        self, session: str | Session, *, types: Iterable[str] = (), follow: bool = False
    ) -> Iterator[Event]:
        """The log of a session. follow: wait for what comes until the session ends."""
        path, cursor = f"sessions/{quote(_id(session), safe='')}/events", ""
        wanted = {"types": ",".join(types), "limit": 1000}
        while True:
            page = self._connection.get(
                path, {**wanted, "cursor": cursor, "wait": WAIT_S if follow else None}
            )
            yield from map(Event.of, page["items"])
            if page["next"] is None or not (follow or page["items"]):
                return
            cursor = page["next"]

    def scores(self, run: str | Run = "", **filters: Any) -> Listing[Score]:
        """Values of metrics, one each, of the sessions that the filters leave."""
        return Listing(self._connection, "scores", Score, {"run": _id(run), **filters})

    def judgements(self, run: str | Run = "", **filters: Any) -> Listing[Judgement]:
        """What judges said. run: an id."""
        return Listing(self._connection, "judgements", Judgement, {"run": _id(run), **filters})

    def labels(self, study: str = "", **filters: Any) -> Listing[Label]:
        """What people and models answered in labelling studies. study: an id or a name."""
        return Listing(self._connection, "labels", Label, {"study": study, **filters})

    def tasks(self, find: str = "", **filters: Any) -> Listing[Task]:
        """Tasks in the order of their collections. find: words."""
        return Listing(self._connection, "tasks", Task, {"find": find, **filters})

    def task(self, task: str | Task) -> Task:
        """One task; `more` holds its definition."""
        return Task.of(self._connection.get(f"tasks/{quote(_id(task))}"))

    def worlds(self) -> Listing[World]:
        """Worlds."""
        return Listing(self._connection, "worlds", World, {})

    def report(
        self, runs: Iterable[str | Run], *, profile: str = "", judge: str = "", published: bool = False
    ) -> Report:
        """The report of some runs by their ids, the others compared with the first."""
        ids = ",".join(map(_id, runs))
        given = {"runs": ids, "profile": profile, "judge": judge, "published": "yes" if published else ""}
        return Report(self._connection, given)

    # Starting and controlling.

    def start_run(self, name: str, **fields: Any) -> Run:
        """Start a run. fields: those of `POST /api/v1/runs`, such as collection, agent, agent_model, options.

        It is sent with a key of its own, so that what is repeated because an answer was lost starts no second run.
        """
        return Run.of(self._connection.post("runs", {"name": name, **fields}, key=uuid4().hex))

    def pause(self, run: str | Run) -> Run:
        """Let no session of a run take a further step."""
        return self._control(run, "pause")

    def resume(self, run: str | Run) -> Run:
        """Go on with what is paused."""
        return self._control(run, "resume")

    def cancel(self, run: str | Run) -> Run:
        """End all sessions of a run that have not ended."""
        return self._control(run, "cancel")

    def _control(self, run: str | Run, act: str) -> Run:
        path = f"runs/{quote(_id(run), safe='')}/{act}"
        return Run.of(self._connection.post(path))

    def wait(
        self, run: str | Run, *, every_s: float = 2.0, timeout_s: float | None = None, progress: bool = True
    ) -> Run:
        """Wait until a run has ended or is paused. progress: show a bar.

        Raises:
            TimeoutError: it has not within timeout_s seconds.
        """
        now = self._run(_id(run))
        end = None if timeout_s is None else time.monotonic() + timeout_s
        with bar(now.sessions, now.name, shown=progress) as show:
            while True:
                show(now.ended)
                if now.state in ("ended", "paused"):
                    return now
                if end is not None and time.monotonic() > end:
                    raise TimeoutError(f"run {now.id} has ended {now.ended} of {now.sessions} sessions")
                time.sleep(every_s)
                now = self._run(now.id)


def _id(named: str | Run | Session | Task) -> str:
    return named if isinstance(named, str) else named.id
