"""Telling the open pages of a guest that something changed which is no event."""

from __future__ import annotations

import contextlib

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

MOST_DRAFT = 20_000


def group_of_guest(guest_id: str) -> str:
    """The channel group of a guest's pages."""
    return f"guest.{guest_id}"


def notify_pages(guest_id: str) -> None:
    """Have every page of a guest look again. It may be lost: pages look when their log grows, too."""
    layer = get_channel_layer()
    if layer is not None:
        with contextlib.suppress(OSError, RedisError):
            async_to_sync(layer.group_send)(group_of_guest(guest_id), {"type": "seat.now"})
