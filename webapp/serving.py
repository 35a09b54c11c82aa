"""What Daphne does otherwise for Caravan: sockets say why they end, and the access log holds no token."""

from __future__ import annotations

from typing import Any

from daphne import cli
from daphne.access import AccessLogGenerator
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

from webapp.accounts.redaction import without_tokens


class Socket(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """A websocket whose client always gets a closing frame with code and reason.

    Daphne leaves out the reason that a consumer gives, and drops the connection of a client that sends more than
    `--websocket-max-message-size` (1 MB, which bounds what is sent to it as well).
    """

    failByDrop = False

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Do what the consumer asks for."""
        if message["type"] == "websocket.close" and self.state == self.STATE_OPEN:
            self.sendClose(code=message.get("code") or 1000, reason=message.get("reason") or None)
        else:
            super().handle_reply(message)


class AccessLog(AccessLogGenerator):  # type: ignore[misc]  # daphne has no types
    """Daphne's own, where `/signin/***` stands for the address of a link."""

    def write_entry(self, host: Any, date: Any, request: str, **more: Any) -> None:
        """Write one line."""
        super().write_entry(host, date, without_tokens(request), **more)


def adapt_daphne() -> None:
    """Put these in the places of Daphne's; it imports the application before it makes any of them."""
    WebSocketFactory.protocol = Socket
    cli.AccessLogGenerator = AccessLog
