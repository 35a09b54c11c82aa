"""Signing in: as a person does, by the printed link and its button, or with a session made inside."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tests.installation import Installation


def sign_in(page: Page, site: Installation) -> None:
    """Redeem a new link."""
    page.goto(site.inside.command("signin_link").strip())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(site.url())


def signed_in_cookies(site: Installation) -> list[Any]:
    """The cookies of a new session of the local researcher.

    Each test needs its own: whoever takes a seat gets another key, and the one before is gone.
    """
    name, key = json.loads(site.inside.run(_NEW_SESSION))
    return [{"name": name, "value": key, "url": site.url()}]


_NEW_SESSION = """
import json
from django.conf import settings
from django.test import Client
from webapp.accounts.services import local_researcher
client = Client()
client.force_login(local_researcher())
print(json.dumps([settings.SESSION_COOKIE_NAME, client.cookies[settings.SESSION_COOKIE_NAME].value]))
"""
