"""Every websocket address."""

from __future__ import annotations

from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from webapp import counters
from webapp.people.consumers import SeatConsumer
from webapp.sessions.consumers import SessionConsumer


class UnknownAddress(WebsocketDenier):
    """Refuses whatever no other address is for."""

    async def connect(self) -> None:
        """Refuse it, and count that."""
        counters.add(counters.HANDSHAKES, "address")
        await super().connect()


websockets = URLRouter(
    [
        path("ws/sessions/<slug:session_id>/", SessionConsumer.as_asgi()),  # type: ignore[list-item, arg-type]  # ASGI
        path("ws/seats/<slug:guest_id>/", SeatConsumer.as_asgi()),  # type: ignore[list-item, arg-type]
        re_path("", UnknownAddress.as_asgi()),  # type: ignore[list-item, arg-type]
    ]
)
