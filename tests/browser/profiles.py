"""Browser profiles that tests have for themselves by turns: each fetches and compiles what pages load once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, WebError

Judgement = Callable[[str, str], bool]
"""Whether a line of the console, by its kind and its text, tells of a fault."""


class Profiles:
    """Of one browser, for pages of the site at this address, which ends with "/".

    The first page of a profile stays, so that the renderer which shows it shows all later ones.
    """

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._free = dict[str, list[BrowserContext]]()

    @contextmanager
    def borrow(
        self, is_problem: Judgement, *, accepts: bool = False, **options: Any
    ) -> Iterator[BrowserContext]:
        """A profile in which nobody seems to have been; its pages are closed at the end, none of which may have had a
        fault.

        accepts: what a page asks is answered with yes. options: of the browser's `new_context`.
        """
        free = self._free.setdefault(repr(sorted(options.items())), [])
        profile = free.pop() if free else self._make(**options)
        problems: list[str] = []

        def note_error(error: WebError) -> None:
            problems.append(str(error.error))

        def note_line(line: ConsoleMessage) -> None:
            if is_problem(line.type, line.text):
                problems.append(line.text)

        def accept(question: Dialog) -> None:
            question.accept()

        profile.on("weberror", note_error)
        profile.on("console", note_line)
        if accepts:
            profile.on("dialog", accept)
        yield profile
        for page in profile.pages[1:]:
            page.close()
        profile.remove_listener("weberror", note_error)
        profile.remove_listener("console", note_line)
        if accepts:
            profile.remove_listener("dialog", accept)
        self._forget(profile)
        free.append(profile)
        assert problems == []

    def _make(self, **options: Any) -> BrowserContext:
        profile = self._browser.new_context(**options)
        profile.new_page().goto(f"{self._address}health")
        return profile

    def _forget(self, profile: BrowserContext) -> None:
        """Forget who was signed in, what was allowed, and what pages have kept."""
        profile.clear_cookies()
        profile.clear_permissions()
        devtools = profile.new_cdp_session(profile.pages[0])
        kept = {
            "origin": self._address.rstrip("/"),
            "storageTypes": "local_storage,indexeddb,service_workers",
        }
        devtools.send("Storage.clearDataForOrigin", kept)
        devtools.detach()
