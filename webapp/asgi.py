"""HTTP and websockets of one process."""

from __future__ import annotations

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
http = get_asgi_application()

from webapp.origin import same_origin_only  # noqa: E402  # Django has to be set up first
from webapp.routing import websockets  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": same_origin_only(AuthMiddlewareStack(websockets)),
    }
)
