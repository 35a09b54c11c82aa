"""An embedder behind any OpenAI-compatible `/embeddings` endpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import openai
from openai.types import CreateEmbeddingResponse

from sandbox.cache.keys import published_key
from sandbox.calls import Call
from sandbox.endpoints import NO_KEY, NoKey, check_address, key_in, without_environment, without_key
from sandbox.retrieval.embedder import EmbeddingFailed, Vectors
from sandbox.toolsets import toolset_of

_REMEDIES = {
    400: "check the model and the number of texts a request",
    401: "set {variable} to a key that it takes",
    403: "set {variable} to a key that it takes",
    404: "check its address and the name of the model",
    422: "check the model and the number of texts a request",
    429: "allow fewer texts a request, or go on later",
}


_TEXTS = 2
"""The version of what calls are written as: 1 wrote those of GroupTravelBench as their keys."""


def _remedy(status: int) -> str:
    moved = 300 <= status < 400  # not followed: a POST would become a GET
    return (
        "give the address that it moved to" if moved else _REMEDIES.get(status, "go on when it works again")
    )


def _key(variable: str) -> str:
    """None is sent where the variable is not set: it has the same name in every installation, needed or not."""
    try:
        return key_in(variable)
    except NoKey:
        return NO_KEY


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where and how to embed.

    url: what `/embeddings` is added to. key_variable: the environment variable that holds the key. dimension: of its
    vectors, 0 to ask the endpoint. batch: texts a request. retries: of a request that was refused for load or broke.
    """

    url: str
    model: str
    key_variable: str = "CARAVAN_EMBEDDINGS_KEY"
    dimension: int = 0
    batch: int = 64
    timeout_s: float = 60.0
    retries: int = 5

    def __post_init__(self) -> None:
        if self.dimension < 0 or self.batch < 1 or self.retries < 0 or self.timeout_s <= 0:
            raise ValueError(
                "dimension and retries must not be negative; batch and time limit must be positive"
            )
        check_address(self.url)


def _text(call: Call) -> str:
    toolset = toolset_of(call.tool)
    written = toolset.key.embedding_text if toolset else None
    return written(call) if written else published_key(call.arguments)


class EndpointEmbedder:
    """Embeds a call's arguments as its benchmark's published program writes them (`KeyForm.embedded`).

    429, server errors and lost connections are tried again when the server's Retry-After says, else after ever
    longer pauses; what cannot succeed (400, 401, 404) is not. Threads may share it.
    """

    def __init__(self, settings: EndpointSettings) -> None:
        self._settings = settings
        self.batch = settings.batch
        self._key = _key(settings.key_variable)
        client = openai.OpenAI(
            base_url=settings.url,
            api_key=self._key,
            timeout=settings.timeout_s,
            max_retries=settings.retries,
            http_client=openai.DefaultHttpxClient(timeout=settings.timeout_s, follow_redirects=False),
        )
        self._client = without_environment(client)

    @cached_property
    def dimension(self) -> int:
        """As it was set, else as the endpoint answers one text.

        Raises:
            EmbeddingFailed: it had to be asked, and gave no vector.
        """
        return self._settings.dimension or len(self._ask(["[]"])[0])

    @property
    def model(self) -> str:
        """The model's name, as the endpoint is asked for it."""
        return self._settings.model

    @property
    def id(self) -> str:
        """Model, dimension, and the version of the texts that it gets.

        Raises:
            EmbeddingFailed: the endpoint had to be asked for the dimension, and gave no vector.
        """
        return f"{self._settings.model}-{self.dimension}-{_TEXTS}"

    def embed(self, calls: Sequence[Call]) -> Vectors:
        """A row of length 1 for each call, with a request for every `batch` of them."""
        texts = [_text(call) for call in calls]
        rows: list[list[float]] = []
        for start in range(0, len(texts), self.batch):
            rows += self._ask(texts[start : start + self.batch])
        return self._unit_rows(rows)

    def _ask(self, texts: list[str]) -> list[list[float]]:
        """The vectors of one request, in the order of its texts."""
        try:
            answer = self._client.embeddings.create(
                model=self._settings.model, input=texts, encoding_format="float"
            )
            return self._in_order(answer, len(texts))
        except openai.APIStatusError as error:
            remedy = _remedy(error.status_code)
            raise self._failure(f"answered {error.status_code}", remedy) from error
        except openai.APIConnectionError as error:
            raise self._failure(
                f"cannot be reached ({_reason(error)})", "check its address, or go on later"
            ) from error
        except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
            what = f"gave no list of embeddings ({type(error).__name__})"
            raise self._failure(what, "check that the address is one for embeddings") from error

    def _in_order(self, answer: CreateEmbeddingResponse, wanted: int) -> list[list[float]]:
        given = sorted(answer.data, key=lambda each: each.index)
        if [each.index for each in given] != list(range(wanted)):
            what = f"gave {len(given)} vectors for {wanted} texts, or numbered them wrongly"
            raise self._failure(what, "allow fewer texts a request")
        return [each.embedding for each in given]

    def _unit_rows(self, rows: list[list[float]]) -> Vectors:
        wrong = {len(row) for row in rows} - {self.dimension}
        if wrong:
            what = f"gave vectors of dimension {min(wrong)}, not {self.dimension}"
            raise self._failure(what, "set the dimension that this model has")
        vectors = np.array(rows, dtype=np.float64).reshape(len(rows), self.dimension)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._failure("gave a vector that is zero or not finite", "check the model")
        unit: Vectors = (vectors / lengths).astype(np.float32)
        return unit

    def _failure(self, what: str, remedy: str) -> EmbeddingFailed:
        settings = self._settings
        advice = remedy.format(variable=settings.key_variable)
        message = f"the embeddings endpoint {settings.url} (model {settings.model}) {what}; {advice}"
        return EmbeddingFailed(without_key(self._key, message))


def _reason(error: openai.APIConnectionError) -> str:
    if isinstance(error, openai.APITimeoutError):
        return "no answer in time"
    return str(error.__cause__ or error) or type(error.__cause__).__name__
