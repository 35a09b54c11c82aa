"""Servers that misbehave: by an option of the model's name, or in a share of all requests."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from tests.model_server.request import ModelRequest, Name, Refusal

OPTIONS: dict[str, str] = {
    "seed": "with whom the agent begins its round of questions (0)",
    "fail": "always answers this HTTP status: fail=500, fail=429:retry_after=1",
    "retry_after": "the Retry-After of a 429, in seconds (0)",
    "drop": "closes the connection before a byte; drop=middle in the middle of the answer",
    "slow": "seconds before the first byte (2)",
    "dribble": "seconds between the pieces of an answer (0.05)",
    "html": "a page in HTML with status 200",
    "rate": "more than so many requests at once are answered 429 (2)",
    "busy": "429 as a gateway says it: the pause, in seconds, stands in the words alone (20)",
    "filter": "a content filter ends the answer halfway",
    "context": "tokens of prompt and answer; an answer that fills them ends with length (4096)",
    "stale": "closes a connection instead of answering a second request on it",
    "logprobs": "of a server that is asked for them: refuse (400), none, words (not of thoughts and calls), half",
    "key": "the only key that is let in: 401 without it",
}
_SHARE_OF = ("429", "429", "500", "503", "drop", "middle")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is done to one answer.

    drop: "" or where the connection is cut (`start`, `middle`). slow: seconds before the first byte. dribble:
    seconds between pieces. filtered: the answer ends halfway, by a content filter. context: tokens of prompt and
    answer, None for no end. name: as the ledger has it, "" for no fault.
    """

    name: str = ""
    drop: str = ""
    slow: float = 0.0
    dribble: float = 0.0
    html: bool = False
    filtered: bool = False
    context: int | None = None


def by_option(name: Name, key: str, in_flight: int, earlier: int = 0) -> Fault:
    """What the options of a model's name ask for. earlier: requests that came on this connection before.

    Raises:
        Refusal: 401, 429 or the status that was asked for.
    """
    options = name.options
    if "key" in options and key != options["key"]:
        raise Refusal(401, "Incorrect API key provided.", "invalid_api_key")
    if "rate" in options and in_flight > name.number("rate", 2):
        raise _too_many(name.number("retry_after", 0))
    if "fail" in options:
        raise _failing(int(name.number("fail", 500)), name.number("retry_after", 0))
    if "busy" in options:
        seconds = name.number("busy", 20)
        raise Refusal(429, f"No deployments available. Try again in {seconds:g} seconds.", "throttling_error")
    drop = {"": "start"}.get(options["drop"], options["drop"]) if "drop" in options else ""
    slow = name.number("slow", 2) if "slow" in options else 0.0
    dribble = name.number("dribble", 0.05) if "dribble" in options else 0.0
    drop = "start" if "stale" in options and earlier else drop
    told = [option for option in ("drop", "slow", "dribble", "html", "filter") if option in options]
    told += ["stale"] if "stale" in options and earlier else []
    context = int(name.number("context", 4096)) if "context" in options else None
    return Fault("+".join(told), drop, slow, dribble, "html" in options, "filter" in options, context)


@dataclass
class Weather:
    """Faults in a share of all requests.

    Whether a request meets one, and which, depends on the seed, on what the request says and on how often the very
    same one has come, so that the order in which sessions interleave changes nothing.
    """

    share: float = 0.0
    seed: int = 0
    request_counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    def fault(self, asked: ModelRequest) -> Fault:
        """The fault of this request, most often none.

        Raises:
            Refusal: 429, 500 or 503.
        """
        if not self.share:
            return Fault()
        with self._lock:
            self.request_counts[asked.digest] += 1
            time = self.request_counts[asked.digest]
        draw = Random(f"{self.seed}:{asked.digest}:{time}")
        if draw.random() >= self.share:
            return Fault()
        kind = draw.choice(_SHARE_OF)
        if kind.isdecimal():
            raise _failing(int(kind), draw.choice((0, 1)))
        return Fault(kind, "start" if kind == "drop" else kind)


def _failing(status: int, retry_after: float) -> Refusal:
    if status == 429:
        return _too_many(retry_after)
    return Refusal(status, f"The server answers {status}.", "server_error" if status >= 500 else "refused")


def _too_many(retry_after: float) -> Refusal:
    return Refusal(429, "Rate limit reached.", "rate_limit_exceeded", retry_after=retry_after)
