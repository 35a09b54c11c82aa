"""What a person answers where a page asks before something is lost."""

from __future__ import annotations

from playwright.sync_api import Page


def declines(page: Page, *, again: bool = True) -> None:
    """Answer no from now on, on this page until it is loaded anew, and keep each question in `window.asked`.

    again=False: answer yes from now on.
    """
    page.evaluate(
        """(declined) => {
            window.asked ??= [];
            window.confirm = (question) => (window.asked.push(question), !declined);
        }""",
        again,
    )
