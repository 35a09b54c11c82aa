"""The HTTP side: an OpenAI-compatible server on a port of this machine."""

from __future__ import annotations

import json
import select
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from tests.model_server.faults import OPTIONS, Fault, Weather, by_option
from tests.model_server.ledger import Entry, Ledger
from tests.model_server.personalities import OWN_OPTIONS, PERSONALITIES, answer_of
from tests.model_server.request import ModelRequest, Name, Refusal
from tests.model_server.wire import CREATED_AT, Completion

_PAGE = b"<!doctype html><html><head><title>Welcome</title></head><body>It works!</body></html>"


class _CallerLeft(Exception):
    """The caller has closed the connection."""


class ModelServer:
    """url: the base address, ending in /v1. ledger: what it did so far.

    address, port: of this machine, to listen at. faults: the share of requests that meet a 429, a 5xx or a cut; seed:
    which ones.
    """

    def __init__(
        self, *, address: str = "127.0.0.1", port: int = 0, faults: float = 0.0, seed: int = 0
    ) -> None:
        self.ledger = Ledger()
        self.weather = Weather(faults, seed)
        self._listener = _Listener((address, port), _Exchange)
        self._listener.owner = self
        self.url = f"http://{address}:{self._listener.server_address[1]}/v1"

    def serve(self) -> None:
        """Answer until `close` is called from another thread."""
        self._listener.serve_forever(poll_interval=0.02)

    def close(self) -> None:
        """Stop listening."""
        self._listener.shutdown()
        self._listener.server_close()

    def __enter__(self) -> ModelServer:
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def model_server(*, port: int = 0, faults: float = 0.0, seed: int = 0) -> Iterator[ModelServer]:
    """A server in a thread of this process."""
    with ModelServer(port=port, faults=faults, seed=seed) as server:
        yield server


class _Listener(ThreadingHTTPServer):
    """request_queue_size: a hundred callers may connect at once."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 512
    owner: ModelServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller who has gone is no error of the server; anything else is shown."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    _earlier = 0

    @property
    def owner(self) -> ModelServer:
        return cast(_Listener, self.server).owner

    def do_GET(self) -> None:
        if self.path == "/ledger":
            return self._json(200, self.owner.ledger.report())
        if self.path == "/v1/models":
            return self._json(200, {"object": "list", "data": [_model_entry(name) for name in PERSONALITIES]})
        return self._json(404, Refusal(404, f"Invalid URL (GET {self.path})").body())

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path != "/v1/chat/completions":
            return self._json(404, Refusal(404, f"Invalid URL (POST {self.path})").body())
        try:
            asked = ModelRequest.read(body)
        except Refusal as refusal:
            return self._refuse(refusal)
        self._attend(asked)
        self._earlier += 1
        return None

    def _attend(self, asked: ModelRequest) -> None:
        """One request in the ledger, from its coming to its end."""
        name, key = asked.name, (self.headers.get("Authorization") or "").removeprefix("Bearer ").strip()
        entry, in_flight = self.owner.ledger.open(name.whole, name.personality, key, asked.stream)
        try:
            _check(name)
            if asked.logprobs and name.options.get("logprobs") == "refuse":
                raise Refusal(400, "logprobs is not supported by this model.", "unsupported_parameter")
            fault = by_option(name, key, in_flight, self._earlier)
            fault = fault if fault.name or fault.context else self.owner.weather.fault(asked)
            self._answer(asked, entry, fault)
        except Refusal as refusal:
            self.owner.ledger.close(entry, "refused", status=refusal.status, fault=refusal.code)
            self._refuse(refusal)
        except (_CallerLeft, OSError):
            self.owner.ledger.close(entry, "abandoned", status=entry.status)
            self.close_connection = True
        finally:
            if entry.outcome == "open":  # a fault of this server itself
                self.owner.ledger.close(entry, "cut", status=500, fault="internal")

    def _answer(self, asked: ModelRequest, entry: Entry, fault: Fault) -> None:
        entry.fault = fault.name
        self._wait(fault.slow)
        if fault.drop == "start":
            return self._break_off(entry)
        if fault.html:
            self.owner.ledger.close(entry, "refused")
            return self._send(200, _PAGE, "text/html; charset=utf-8")
        completion = Completion.of(asked, answer_of(asked), fault.context)
        completion = completion.cut_by_filter() if fault.filtered else completion
        entry.tokens = completion.tokens
        return (self._stream if asked.stream else self._plain)(completion, entry, fault)

    def _plain(self, completion: Completion, entry: Entry, fault: Fault) -> None:
        content = _encode_json(completion.body())
        if fault.drop:
            self._head(200, "application/json", len(content))
            self._write(content[: len(content) // 2])
            return self._break_off(entry)
        self._wait(fault.dribble)
        self.owner.ledger.close(entry, "whole")
        return self._send(200, content, "application/json")

    def _stream(self, completion: Completion, entry: Entry, fault: Fault) -> None:
        frames = [b"data: " + _encode_json(chunk) + b"\n\n" for chunk in completion.chunks()]
        self._head(200, "text/event-stream; charset=utf-8")
        for at, frame in enumerate(frames):
            if fault.drop and at > len(frames) // 2:
                return self._break_off(entry)
            self._write(b"%x\r\n%b\r\n" % (len(frame), frame))
            self._wait(fault.dribble)
        self.owner.ledger.close(entry, "whole")
        end = b"data: [DONE]\n\n"
        self._write(b"%x\r\n%b\r\n0\r\n\r\n" % (len(end), end))
        return None

    def _break_off(self, entry: Entry) -> None:
        self.owner.ledger.close(entry, "cut", status=200)
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _refuse(self, refusal: Refusal) -> None:
        wait = {} if refusal.retry_after is None else {"Retry-After": f"{refusal.retry_after:g}"}
        self._json(refusal.status, refusal.body(), wait)

    def _json(self, status: int, answer: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, _encode_json(answer), "application/json", headers)

    def _send(self, status: int, content: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self._head(status, kind, len(content), headers)
        self._write(content)

    def _head(
        self, status: int, kind: str, length: int | None = None, headers: dict[str, str] | None = None
    ) -> None:
        """Headers; without a length the body comes in chunks."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is None:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", str(length))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()

    def _write(self, content: bytes) -> None:
        self.wfile.write(content)
        self.wfile.flush()

    def _wait(self, seconds: float) -> None:
        """Wait, unless the caller leaves: who has gone holds no place in the ledger's count.

        Raises:
            _Left: it has.
        """
        if seconds <= 0:
            return
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise _CallerLeft

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the requests are in the ledger."""


def _check(name: Name) -> None:
    known = {**OPTIONS, **OWN_OPTIONS.get(name.personality, {})}
    if name.personality not in PERSONALITIES:
        raise Refusal(404, f"The model `{name.whole}` does not exist.", "model_not_found")
    if unknown := name.options.keys() - known:
        what = ", ".join(sorted(unknown))
        raise Refusal(404, f"The model `{name.whole}` does not exist: unknown {what}.", "model_not_found")


def _model_entry(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": CREATED_AT, "owned_by": "tests"}


def _encode_json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
