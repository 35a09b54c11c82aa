"""Waiting for what a page becomes."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

POLLING_MS = 100


def wait_until(page: Page, function: str, argument: Any = None, patience_s: float = 30.0) -> None:
    """Wait until a function in the page says yes. Playwright would ask at each frame, and so have each one drawn."""
    page.wait_for_function(function, arg=argument, timeout=1000 * patience_s, polling=POLLING_MS)
