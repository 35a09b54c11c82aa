"""What this process has said about the database, however many of its threads meet the same."""

from __future__ import annotations

import logging

from webapp.outages import Outage

CALM_S = 25.0
"""Longer than a thread waits for a locked database: some give up when others have long gone on."""

storage_outage = Outage(logging.getLogger(__name__), "sessions wait for the database", calm_s=CALM_S)
