"""Pages that open without a server: all that they need is inside, and they may fetch nothing."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable


def policy(*, styles: Iterable[str] = (), scripts: Iterable[str] = (), pictures: bool = False) -> str:
    """A content security policy: nothing is fetched, sent or run but these styles and scripts of the page itself.

    Each is the whole content of a `<style>` or `<script>`. pictures: whether those inside the page (data:) are shown.
    """
    allowed = {"style-src": styles, "script-src": scripts}
    named = (f"{name} {_sources(texts)}" for name, texts in allowed.items())
    shown = ["img-src data:"] if pictures else []
    return "; ".join(["default-src 'none'", *named, *shown, "base-uri 'none'", "form-action 'none'"])


def _sources(texts: Iterable[str]) -> str:
    return " ".join(f"'sha256-{_digest(text)}'" for text in texts) or "'none'"


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
