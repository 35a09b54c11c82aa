"""Sequences in rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark.alignment.calls import AnsweredCall, align_calls, are_the_same, count_tools
from benchmark.alignment.messages import ChatMessage, align_conversations, say_the_same
from benchmark.alignment.rows import Similarities, align_sequences, best_pairs
from tests.properties import examples

TEXTS = ("yes", "we go by train", "we go by night train", "去北京吃火锅", "去南京吃火锅", "")
sequences = st.lists(st.lists(st.sampled_from("abc"), max_size=7), min_size=1, max_size=4)
matrices = st.lists(
    st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=3), min_size=1, max_size=4
)
conversations = st.lists(
    st.dictionaries(
        st.sampled_from(["opening", "1", "2"]),
        st.lists(st.tuples(st.sampled_from("AB"), st.sampled_from(TEXTS)), max_size=4),
    ),
    min_size=2,
    max_size=4,
)
calls = st.lists(
    st.lists(st.tuples(st.sampled_from(["find", "ask"]), st.sampled_from(TEXTS)), max_size=6),
    min_size=2,
    max_size=4,
)


def equal_ones(former: Sequence[str], later: Sequence[str]) -> Similarities:
    return np.array([[float(one == other) for other in later] for one in former])


@given(sequences)
@settings(max_examples=examples(80), deadline=None)
def test_every_item_stands_in_one_row_in_its_order(sequences: list[list[str]]) -> None:
    rows = align_sequences(sequences, equal_ones)
    for place, sequence in enumerate(sequences):
        assert [row[place] for row in rows if row[place] is not None] == sequence
    assert all(len({item for item in row if item is not None}) == 1 for row in rows)
    if all(sequence == sequences[0] for sequence in sequences):
        assert len(rows) == len(sequences[0])


@given(matrices)
@settings(max_examples=examples(80), deadline=None)
def test_of_all_ways_of_pairing_one_with_the_largest_sum_is_taken(matrix: list[list[float]]) -> None:
    similarities = np.array(matrix)

    def best(row: int, column: int) -> float:
        if row == len(matrix) or column == len(matrix[0]):
            return 0.0
        paired = matrix[row][column] + best(row + 1, column + 1) if matrix[row][column] else 0.0
        return max(paired, best(row + 1, column), best(row, column + 1))

    pairs = best_pairs(similarities)
    assert sum(similarities[pair] for pair in pairs) == best(0, 0)
    assert all(similarities[pair] > 0 for pair in pairs)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(pairs))


@given(conversations)
@settings(max_examples=examples(60), deadline=None)
def test_every_message_of_each_session_stands_once_beside_its_like(
    conversations: list[dict[str, list[tuple[str, str]]]],
) -> None:
    numbered = [
        {
            key: [ChatMessage(100 * n + at, who, text, text) for at, (who, text) in enumerate(own)]
            for n, (key, own) in enumerate(conversation.items())
        }
        for conversation in conversations
    ]
    sections = align_conversations(numbered)
    for place, conversation in enumerate(numbered):
        found = {section.key: [row[place] for row in section.rows if row[place]] for section in sections}
        assert {key: own for key, own in found.items() if own} == {
            key: own for key, own in conversation.items() if own
        }
    for section in sections:
        for row in section.rows:
            assert len({said.who for said in row if said}) == 1
            assert not say_the_same(row) or len({said.text for said in row if said}) == 1


@given(calls)
@settings(max_examples=examples(60), deadline=None)
def test_every_call_of_each_session_stands_once_beside_calls_of_the_same_tool(
    sessions: list[list[tuple[str, str]]],
) -> None:
    numbered = [
        [AnsweredCall(at, name, {"query": text}, "[]") for at, (name, text) in enumerate(own)]
        for own in sessions
    ]
    rows = align_calls(numbered)
    for place, own in enumerate(numbered):
        assert [row[place] for row in rows if row[place] is not None] == own
    assert all(len({call.name for call in row if call}) == 1 for row in rows)
    assert sum(sum(counts) for counts in count_tools(numbered).values()) == sum(map(len, numbered))


def test_similar_messages_of_one_speaker_face_each_other_and_others_stand_alone() -> None:
    one = [
        ChatMessage(1, "Agent", "We take the train to Suzhou at nine.", ""),
        ChatMessage(2, "User1", "A hotel by the lake, please.", ""),
    ]
    other = [
        ChatMessage(1, "User1", "We take the train to Suzhou at nine.", ""),
        ChatMessage(2, "Agent", "We take the train to Suzhou at ten.", ""),
        ChatMessage(3, "User1", "Is there any museum that opens on Mondays?", ""),
    ]
    (section,) = align_conversations([{"1": one}, {"1": other}])
    assert [tuple(said and said.seq for said in row) for row in section.rows] == [
        *((None, 1), (1, 2), (2, None), (None, 3))
    ]


def test_the_same_call_goes_before_a_similar_one() -> None:
    one = [AnsweredCall(1, "find", {"city": "Suzhou", "what": "museum"}, "[1]")]
    other = [
        AnsweredCall(1, "find", {"city": "Suzhou", "what": "museums"}, "[2]"),
        AnsweredCall(2, "find", {"what": "museum", "city": "Suzhou", "near": None}, "[ 1 ]"),
    ]
    rows = align_calls([one, other])
    assert [tuple(call and call.seq for call in row) for row in rows] == [(None, 1), (1, 2)]
    assert are_the_same(rows[1])


def test_calls_of_a_tool_with_nothing_in_common_are_no_pair() -> None:
    one, other = (
        AnsweredCall(1, "find", {"city": "Suzhou"}, ""),
        AnsweredCall(1, "find", {"city": "广州市"}, ""),
    )
    assert align_calls([[one], [other]]) == [(one, None), (None, other)]


def test_arguments_that_are_no_object_are_compared_as_they_are() -> None:
    one, other = (
        AnsweredCall(1, "find", "{city: Suzhou", None),
        AnsweredCall(1, "find", "{city: Suzhou}", None),
    )
    ((first, second),) = align_calls([[one], [other]])
    assert (first, second) == (one, other) and not are_the_same((first, second))
