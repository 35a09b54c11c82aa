"""HTTP and websockets of one process."""

from __future__ import annotations

import os
from importlib import import_module

from channels.routing import ProtocolTypeRouter
from channels.sessions import CookieMiddleware

from webapp.memory import loading, settle
from webapp.surroundings import faults_in_a_line

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
with loading():
    import django

    with faults_in_a_line():
        django.setup(set_prefix=False)

    from django.conf import settings

    from webapp.admission import Door, by_path
    from webapp.origin import same_origin_only
    from webapp.people.polling import waiting_room
    from webapp.routing import websockets
    from webapp.serving import Pages, adapt_daphne
    from webapp.watching.urls import PATHS as WATCHED

    import_module(settings.ROOT_URLCONF)  # with all views, before what has come to stay is left alone

adapt_daphne()

STATIC_AT_ONCE = 4
"""Files are quick, and a page without its style is none: they have a door of their own."""
PROBES_AT_ONCE = 2
"""Monitors have one too: they ask how it stands while pages wait for a database that hangs."""
WAITING = 48
"""Who comes when so many wait is told at once to come again: a page that is shown after two seconds helps nobody."""
STATIC_WAITING = 256

http = Pages()
LOOKS = max(settings.CARAVAN_REQUESTS // 3, 1)
pages = Door(http, at_once=settings.CARAVAN_REQUESTS, waiting=WAITING, looks=LOOKS)
files = Door(http, at_once=STATIC_AT_ONCE, waiting=STATIC_WAITING)
probes = Door(http, at_once=PROBES_AT_ONCE, waiting=WAITING)

application = ProtocolTypeRouter(
    {
        "http": by_path(settings.STATIC_URL, files, by_path(WATCHED, probes, waiting_room(pages))),
        "websocket": same_origin_only(CookieMiddleware(websockets)),
    }
)

settle()
