"""Signing in as a person does: the printed link, and the button on its page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page

from tests.installation import Installation


def sign_in(page: Page, site: Installation) -> None:
    """Redeem a new link."""
    page.goto(site.inside.command("signin_link").strip())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(site.url())


def signed_in_cookies(chromium: Browser, site: Installation) -> list[Any]:
    """The cookies of somebody who has signed in, for any number of browser profiles."""
    profile = chromium.new_context()
    sign_in(profile.new_page(), site)
    cookies = profile.cookies()
    profile.close()
    return cookies
