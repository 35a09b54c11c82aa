"""The endpoint embedder against a server that works, and against ones that do not."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from sandbox.calls import Call
from sandbox.retrieval import EmbeddingFailed
from sandbox.retrieval.endpoint import EndpointEmbedder, EndpointSettings
from tests.sandbox.retrieval.conftest import embedder_at, searches
from tests.sandbox.retrieval.endpoint_server import (
    DIMENSION,
    EmbeddingsServer,
    Fault,
    altered_answer,
    cut,
    refuse,
    says,
    vector_of,
)

CALLS = [Call("search_poi", each) for each in searches(10)]
TEXTS = [f"city: 杭州 | keywords: 火锅{number}" for number in range(10)]


def test_travelbench_embeds_names_and_values_without_the_task_s_time(server: EmbeddingsServer) -> None:
    arguments = {"query": "火锅", "limit": 3, "center": None, "tags": ["a", "b"]}
    calls = [
        Call("travelbench.map_search_places", arguments, {"time": time}) for time in ("", "2025-10-22 10:00")
    ]
    embedder_at(server, dimension=DIMENSION).embed(calls)
    assert server.texts == ['center: null | limit: 3 | query: 火锅 | tags: ["a","b"]'] * 2


def test_a_call_is_embedded_as_the_published_program_writes_it(server: EmbeddingsServer) -> None:
    vectors = embedder_at(server, dimension=DIMENSION).embed(CALLS)
    expected = np.array([vector_of(text) for text in TEXTS])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_requests_are_batched(server: EmbeddingsServer) -> None:
    embedder_at(server, dimension=DIMENSION).embed(CALLS)
    assert server.requests == ["/v1/embeddings"] * 3
    assert server.texts == TEXTS


def test_the_dimension_is_asked_for_once(server: EmbeddingsServer) -> None:
    embedder = embedder_at(server)
    assert (embedder.dimension, embedder.id, embedder.id) == (
        DIMENSION,
        "Qwen/test-embedding-16-2",
        "Qwen/test-embedding-16-2",
    )
    assert len(server.requests) == 1


def test_the_key_is_read_from_the_variable_that_is_named(
    server: EmbeddingsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "sesame")
    embedder_at(server, key_variable="SOME_KEY").embed(CALLS[:1])
    assert server.keys[-1] == "Bearer sesame"


@pytest.mark.parametrize(
    "fault", [refuse(429, Retry_After="0.1"), refuse(500), cut], ids=["429", "500", "cut"]
)
def test_what_may_pass_is_tried_again(server: EmbeddingsServer, fault: Fault) -> None:
    server.faults = [fault]
    assert embedder_at(server, dimension=DIMENSION).embed(CALLS[:4]).shape == (4, DIMENSION)
    assert len(server.requests) == 2


def test_a_server_that_says_when_is_obeyed(server: EmbeddingsServer) -> None:
    server.faults = [refuse(429, Retry_After="1")]
    started = time.monotonic()
    embedder_at(server, dimension=DIMENSION).embed(CALLS[:4])
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (302, "give the address that it moved to"),
        (400, "check the model"),
        (401, "set SOME_KEY"),
        (404, "check its address"),
    ],
)
def test_what_cannot_succeed_is_not_tried_again(server: EmbeddingsServer, status: int, remedy: str) -> None:
    server.faults = [refuse(status, Location=server.url)]
    with pytest.raises(EmbeddingFailed) as failure:
        embedder_at(server, dimension=DIMENSION, key_variable="SOME_KEY").embed(CALLS[:4])
    assert len(server.requests) == 1
    for part in (server.url, str(status), "Qwen/test-embedding", remedy):
        assert part in str(failure.value)


def shorter(data: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each | {"embedding": each["embedding"][1:]} for each in data]


def mixed_lengths(data: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*shorter(data[:1]), *data[1:]]


def with_value(value: float) -> Fault:
    return altered_answer(lambda data: [each | {"embedding": [value] * DIMENSION} for each in data])


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (altered_answer(shorter), "dimension 15, not 16"),
        (altered_answer(mixed_lengths), "dimension 15, not 16"),
        (altered_answer(lambda data: data[1:]), "3 vectors for 4 texts"),
        (altered_answer(lambda data: [data[0], *data[:3]]), "numbered them wrongly"),
        (with_value(0.0), "zero or not finite"),
        (with_value(float("nan")), "zero or not finite"),
        (says({"data": None}), "no list of embeddings"),
        (says(["?"]), "no list of embeddings"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(server: EmbeddingsServer, fault: Fault, words: str) -> None:
    server.faults = [fault]
    with pytest.raises(EmbeddingFailed, match=words):
        embedder_at(server, dimension=DIMENSION).embed(CALLS[:4])


def test_a_server_that_is_not_there_is_named() -> None:
    with EmbeddingsServer() as gone:
        embedder = embedder_at(gone, retries=0)
    with pytest.raises(EmbeddingFailed, match=r"cannot be reached \(.+\); check its address"):
        embedder.embed(CALLS)


@pytest.mark.parametrize("wrong", [{"batch": 0}, {"dimension": -1}, {"retries": -1}, {"timeout_s": 0}])
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must"):
        EndpointSettings(url="http://localhost/v1", model="m", **wrong)


@pytest.mark.parametrize("key", ["sk-密钥", "sk\x01secret"])
def test_a_key_that_cannot_be_sent_is_refused_by_its_variable(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", key)
    settings = EndpointSettings("http://127.0.0.1:9/v1", "m", key_variable="MY_KEY", dimension=4)
    with pytest.raises(ValueError, match=r"^MY_KEY must hold printable ASCII characters only"):
        EndpointEmbedder(settings)


def test_the_key_is_in_no_message(server: EmbeddingsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "127.0.0.1\n")
    embedder = EndpointEmbedder(
        EndpointSettings(server.url, "m", key_variable="MY_KEY", dimension=4, retries=0)
    )
    server.faults.append(refuse(401))
    with pytest.raises(EmbeddingFailed) as failed:
        embedder.embed(CALLS[:1])
    assert "127.0.0.1" not in str(failed.value) and "***" in str(failed.value)
    assert server.keys == ["Bearer 127.0.0.1"]


@pytest.mark.parametrize("url", ["http://user:secret@host/v1", "host/v1", "ftp://host", "http://"])
def test_an_address_that_cannot_be_asked_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="the address must be http") as refused:
        EndpointSettings(url, "m")
    assert "secret" not in str(refused.value)


def test_models_of_one_last_name_are_two(server: EmbeddingsServer) -> None:
    ids = {EndpointEmbedder(EndpointSettings(server.url, f"{org}/m", dimension=4)).id for org in "ab"}
    assert ids == {"a/m-4-2", "b/m-4-2"}
