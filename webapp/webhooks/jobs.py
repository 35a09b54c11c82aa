"""The background work of webhooks."""

from __future__ import annotations

from webapp.webhooks.services import DELIVERY

__all__ = ["DELIVERY"]
