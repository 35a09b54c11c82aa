"""A seat at a table of Caravan, for your own program. Copy this file beside it; it needs Python 3.11 alone.

with Seat("http://127.0.0.1:8000", "the link that you were given", "my-agent", "1.0") as seat:
    for table in seat.turns():                    # one for each time that you have to act
        seat.say("Hello, " + table["seat"])       # or seat.pass_(), or seat.call_tools([...])
"""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterable, Iterator
from typing import Any

WAIT_S = 25
"""One request waits so long for a turn; then the next one does."""
HERE_S = 10
"""So often the program says that it is there while it thinks."""
BUSY = (429, 502, 503, 504)
LOST = (urllib.error.URLError, http.client.HTTPException, OSError)


class Refused(Exception):
    """The server says no. status: of HTTP; code: for programs; the words say what helps."""

    def __init__(self, status: int, code: str, words: str) -> None:
        super().__init__(f"{words} ({status} {code})")
        self.status, self.code = status, code


class Seat:
    """One seat of one session. Requests that get lost are sent again, for `patience_s` seconds.

    link: as it was given to you, or the token at its end. copy: a name of this process, where several of one program
    join by the same link. me: the answer to `join`, such as {"seat": "User1", "role": "traveller", …}.
    """

    def __init__(
        self,
        base_url: str,
        link: str,
        program: str,
        version: str = "",
        *,
        copy: str = "",
        patience_s: float = 120,
    ) -> None:
        self._base, self._token = base_url.rstrip("/"), link.rstrip("/").rpartition("/")[2]
        self._who = {"program": program, "version": version, "client_id": copy}
        self._patience_s, self._over, self._turn = patience_s, threading.Event(), 0
        self.me: dict[str, Any] = {}

    def __enter__(self) -> Seat:
        self.join()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()

    def join(self) -> dict[str, Any]:
        """Take the seat, or get it back after a restart."""
        self.me = self._ask("POST", "join", self._who)
        self._token = self.me["token"]
        threading.Thread(target=self._stay, daemon=True).start()
        return self.me

    def turns(self) -> Iterator[dict[str, Any]]:
        """What the seat knows (`view`, `turn`, `tools`, …), each time that it has to act, until the session ends."""
        after = 0
        while True:
            begun = time.monotonic()
            table = self._ask("GET", f"view?after={after}&wait={WAIT_S}")
            if table["status"] == "ended":
                self._over.set()
                self.me["ended"] = table["ended"]
                return
            if table["status"] == "your_turn":
                self._turn = table["turn"]["seq"]
                yield table
            elif table["seq"] == after and time.monotonic() - begun < 1:
                time.sleep(0.5)  # a server that does not let requests wait
            after = table["seq"]

    def say(self, content: str) -> bool:
        """Say something; False where the turn was over before."""
        return self._act({"type": "say", "content": content})

    def pass_(self) -> bool:
        """Say nothing in this turn (travellers only)."""
        return self._act({"type": "pass"})

    def call_tools(self, calls: Iterable[tuple[str, Any]], note: str = "") -> bool:
        """Call tools by name, with arguments as an object or as a model wrote them (the agent only)."""
        named = [{"name": name, "arguments": arguments} for name, arguments in calls]
        return self._act({"type": "call_tools", "calls": named, "note": note})

    def leave(self) -> None:
        """Give the seat up for good. A program that only restarts does not leave: it joins again."""
        self._over.set()
        self._ask("POST", "leave", {})

    def _act(self, action: dict[str, Any]) -> bool:
        try:
            self._ask(
                "POST", "actions", {"client_id": uuid.uuid4().hex, "turn": self._turn, "action": action}
            )
        except Refused as refused:
            if refused.code in ("another_turn", "ended"):
                return False
            raise
        return True

    def _stay(self) -> None:
        while not self._over.wait(HERE_S):
            try:
                self._once("POST", "here", {})
            except (Refused, *LOST):
                continue

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        end = time.monotonic() + self._patience_s
        while True:
            try:
                return self._once(method, path, body)
            except Refused as refused:
                if refused.status not in BUSY or time.monotonic() > end:
                    raise
            except LOST:
                if time.monotonic() > end:
                    raise
            time.sleep(1)

    def _once(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        sent = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self._base}/api/seat/{path}", sent, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S + 30) as response:
                return json.loads(response.read() or b"{}")  # type: ignore[no-any-return]
        except urllib.error.HTTPError as error:
            raise _refused(error) from None


def _refused(error: urllib.error.HTTPError) -> Refused:
    try:
        told = json.loads(error.read())
        return Refused(error.code, told["code"], told["detail"])
    except (ValueError, KeyError, TypeError):
        return Refused(error.code, "", str(error))
