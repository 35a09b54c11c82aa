"""Every websocket address."""

from __future__ import annotations

from channels.routing import URLRouter
from django.urls import path

from webapp.sessions.consumers import SessionConsumer

websockets = URLRouter(
    [path("ws/sessions/<str:session_id>/", SessionConsumer.as_asgi())]  # type: ignore[list-item, arg-type]  # ASGI
)
