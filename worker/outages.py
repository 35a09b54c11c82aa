"""What this process has said about the database, however many of its threads meet the same."""

from __future__ import annotations

import logging

from webapp.outages import Outage

storage_outage = Outage(logging.getLogger(__name__), "sessions wait for the database")
