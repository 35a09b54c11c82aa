"""Signing in as a person does: the printed link, and the button on its page."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.installation import Installation


def sign_in(page: Page, site: Installation) -> None:
    """Redeem a new link."""
    page.goto(site.manage("signin_link").strip())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(site.url())
