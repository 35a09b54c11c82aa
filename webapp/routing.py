"""Every websocket address."""

from __future__ import annotations

from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from django.urls import path, re_path

from webapp.people.consumers import SeatConsumer
from webapp.sessions.consumers import SessionConsumer

websockets = URLRouter(
    [
        path("ws/sessions/<slug:session_id>/", SessionConsumer.as_asgi()),  # type: ignore[list-item, arg-type]  # ASGI
        path("ws/seats/<slug:guest_id>/", SeatConsumer.as_asgi()),  # type: ignore[list-item, arg-type]
        re_path("", WebsocketDenier.as_asgi()),  # type: ignore[list-item, arg-type]
    ]
)
