"""A key that is repeated in an answer."""

from __future__ import annotations

import json
from html import escape
from itertools import pairwise
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.models import Delta, Reply, RequestedCall
from benchmark.models.key_mask import KeyMask
from sandbox.endpoints import NO_KEY, without_key

KEY = "ababac"


def _joined_text(deltas: list[Delta]) -> str:
    return "".join(delta.text for delta in deltas)


@given(st.text("abcd", max_size=80), st.lists(st.integers(0, 80), max_size=20))
def test_pieces_say_what_the_whole_says(text: str, cuts: list[int]) -> None:
    ends = [0, *sorted(cuts), len(text)]
    mask = KeyMask(KEY)
    told = mask.pieces(Delta("text", text[start:end]) for start, end in pairwise(ends))
    assert _joined_text(told + mask.rest()) == without_key(KEY, text)
    assert KEY not in _joined_text(told)


def test_only_what_may_be_the_key_waits() -> None:
    mask = KeyMask(KEY)
    assert mask.pieces([Delta("text", "xab")]) == [Delta("text", "x")]
    assert mask.pieces([Delta("reasoning", "ac")]) == [Delta("reasoning", "ac")]
    assert mask.pieces([Delta("text", "abac"), Delta("text", "y")]) == [
        Delta("text", "***"),
        Delta("text", "y"),
    ]
    assert mask.pieces([Delta("call", "ab")]) == []
    assert mask.rest() == [Delta("call", "ab")] and mask.rest() == []


@pytest.mark.parametrize("key", [NO_KEY, "EMPTY", "1"])
def test_words_that_are_no_secret_stay(key: str) -> None:
    mask = KeyMask(key)
    assert mask.pieces([Delta("text", f"11 {key}")]) == [Delta("text", f"11 {key}")]
    assert mask.whole(Reply(key)).text == key


def test_a_reply_holds_it_nowhere() -> None:
    said = f"<{KEY}>"
    reply = Reply(said, (RequestedCall(said, said, said),), said, said, None, said)
    assert KEY not in repr(KeyMask(KEY).whole(reply)) and KeyMask(KEY).whole(reply).text == "<***>"


AWKWARD = 'sk-7"Q/w+e&r<9\\z=='
"""A key in which JSON, addresses and HTML write some characters otherwise."""


@pytest.mark.parametrize(
    "quoted",
    [
        AWKWARD,
        json.dumps({"key": AWKWARD}),
        json.dumps({"key": AWKWARD}).replace("/", "\\/"),
        f"http://127.0.0.1/{quote(AWKWARD, safe='')}",
        f"http://127.0.0.1/{quote(AWKWARD)}",
        f"<p>{escape(AWKWARD)}</p>",
    ],
)
def test_however_a_key_is_written_it_is_masked(quoted: str) -> None:
    masked = KeyMask(AWKWARD).mask(quoted)
    assert "***" in masked and "sk-" not in masked and "w" not in masked


def test_a_key_that_a_name_was_cut_within_is_masked() -> None:
    long = "sk-proj-Zq8Lw2nR5tYx0VbC3mKd7HfJ"
    reply = KeyMask(long).whole(Reply("", model="model-" + long[:20]))
    assert reply.model == "model-***"
    assert KeyMask(long).mask("ask-") == "ask-"
