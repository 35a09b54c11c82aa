"""Thoughts in an answer's own text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.models.answers import Answer, storable
from benchmark.models.thoughts import ThoughtSplitter, split

_text = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "<THINK>", "`", "``", "```", "\n", " ", "<", "</thi", "[", "好", "a b"]
    ),
    max_size=14,
).map("".join)


@pytest.mark.parametrize(
    ("content", "thoughts", "words"),
    [
        ("<think>想</think>好", "想", "好"),
        ("\n<think>\n想\n</think>\n\n好 ", "想", "好 "),
        ("想\n</think>\n好", "想", "好"),
        ("<think>想到一半", "想到一半", ""),
        ("好 <think>不是</thinking>", "不是</thinking>", "好 "),
        ("  好", "", "  好"),
        ("", "", ""),
    ],
)
def test_split(content: str, thoughts: str, words: str) -> None:
    parts = split(content)
    assert (parts.thoughts, parts.words) == (thoughts, words)


@given(content=_text, size=st.integers(1, 9))
def test_pieces_make_what_the_whole_makes(content: str, size: int) -> None:
    """What people watch is the same, too, but for words that a closing mark alone makes thoughts of."""
    splitter = ThoughtSplitter()
    told = [delta for at in range(0, len(content), size) for delta in splitter.take(content[at : at + size])]
    told += splitter.end()
    found = splitter.split()
    assert found == split(content)
    if "</think>" not in content:
        words = "".join(delta.text for delta in told if delta.kind == "text")
        assert words.strip() == found.words.strip()


@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs"])), size=st.integers(1, 3))
def test_halves_of_characters_are_joined(text: str, size: int) -> None:
    halves = text.encode("utf-16-le", "surrogatepass")
    pieces = [halves[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(halves), 2)]
    assert storable("".join(pieces)) == text.replace("\0", "\ufffd")
    assert "\ud83d" not in storable(text + "\ud83d")


def test_thoughts_beside_the_answer_under_two_names_count_once() -> None:
    answer = Answer()
    delta = {"reasoning_content": "想", "reasoning": "想", "content": None}
    answer.take({"choices": [{"delta": delta, "finish_reason": ""}]})
    assert (answer.reply(0, None).reasoning, answer.complete) == ("想", False)


@pytest.mark.parametrize(
    ("where", "figures", "cached"),
    [
        ("chunk", {"prompt_tokens_details": {"cached_tokens": 3}}, 3),
        ("chunk", {"prompt_cache_hit_tokens": 4}, 4),
        ("choice", {"cached_tokens": 5}, 5),
        ("chunk", {"prompt_tokens_details": None}, 0),
    ],
)
def test_figures_stand_in_many_places_and_the_last_ones_count(where: str, figures: dict, cached: int) -> None:
    answer = Answer()
    for completion in (1, 2):
        counted = {"prompt_tokens": 9, "completion_tokens": completion, **figures}
        choice = {"delta": {}, **({"usage": counted} if where == "choice" else {})}
        answer.take({"choices": [choice], "usage": counted if where == "chunk" else None})
    usage = answer.reply(0, None).usage
    assert usage is not None and (usage.prompt, usage.completion, usage.cached) == (9, 2, cached)
