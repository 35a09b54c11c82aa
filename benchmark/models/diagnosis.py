"""From what a server did to why there is no answer, and what helps."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from benchmark.models.chat import Usage
from benchmark.models.errors import read_error, read_error_body
from benchmark.models.failures import FailureKind
from benchmark.models.kinds import kind_of_error, kind_of_status
from benchmark.models.pauses import in_words, retry_after
from benchmark.models.remedies import remedy
from benchmark.models.setup import ModelSetup
from benchmark.text import guarded
from sandbox.endpoints import without_key

_EXCERPT_LENGTH = 400
_PAYMENT = 402


class NoAnswer(Exception):
    """Why an attempt failed, before endpoint and remedy are put to it. what: a clause in plain words."""

    def __init__(
        self,
        kind: FailureKind,
        what: str,
        *,
        words: str = "",
        status: int | None = None,
        retry_after_s: float | None = None,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(what)
        self.kind, self.what, self.words = kind, what, words
        self.status, self.retry_after_s, self.usage = status, retry_after_s, usage

    def describe(self, setup: ModelSetup, key: str, *, quoting: bool = True) -> str:
        """The message for people: endpoint, address, model, what happened and what helps, without the key.

        quoting: with what the server said, of which nothing else tells.
        """
        what = " ".join(without_key(key, self.what).split())
        what = what if quoting else without_quotes(what)
        what = what if len(what) <= _EXCERPT_LENGTH else what[:_EXCERPT_LENGTH] + "…"
        helps = remedy(self.kind, setup, f"{self.words} {self.what}")
        return " ".join(
            filter(None, (f"{setup.name} ({setup.base_url}, model {setup.model}): {what}.", helps))
        )


def without_quotes(what: str) -> str:
    """A clause up to where it repeats what a server sent."""
    begun = guarded.search(r"“", what)
    return f"{what[: begun.start()].rstrip()} …" if begun else what


def refusal(status: int, body: str, headers: Mapping[str, str]) -> NoAnswer:
    """What an HTTP status with its body means."""
    told = read_error_body(body)
    shown = f"status {status}" + (f", {told.excerpt}" if told.excerpt else "")
    asked = retry_after(headers)
    wait = in_words(body) if asked is None else asked
    return NoAnswer(
        kind_of_status(status, told.words, wait),
        f"the server answered with {shown}",
        words=f"payment required {told.words}" if status == _PAYMENT else told.words,
        status=status,
        retry_after_s=wait,
    )


def redirect_address(url: str, headers: Mapping[str, str]) -> str:
    """The address to write instead of the one under which `url` was asked, "" where the answer is no redirect to an
    address: its name, password, query and fragment, which may hold a secret, are left out."""
    try:
        target = urlsplit(urljoin(url, headers["location"]))
    except (KeyError, ValueError):
        return ""
    host = target.netloc.rpartition("@")[2]
    return f"{target.scheme}://{host}{target.path.rstrip('/').removesuffix('/chat/completions')}"


def reported_error(error: object) -> NoAnswer:
    """What an error object means that came where an answer was expected."""
    told = read_error(error)
    wait = in_words(told.words)
    shown = told.excerpt or "no message"
    return NoAnswer(
        kind_of_error(told, wait),
        f"the server reported an error, {shown}",
        words=told.words,
        status=told.status,
        retry_after_s=wait,
    )
