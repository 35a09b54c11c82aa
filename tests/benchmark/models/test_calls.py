"""Tool calls in the pieces that servers make of them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmark.models.calls import CallAssembly
from benchmark.models.chat import RequestedCall

PARIS, ROME = '{"city": "Paris"}', '{"city": "Rome"}'


def _piece(index: int | None = None, id: str | None = None, name: Any = None, arguments: Any = None) -> Any:
    given_ = {"index": index, "id": id}
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {**{key: value for key, value in given_.items() if value is not None}, "function": function}


def _assemble_calls(*chunks: Any) -> list[tuple[str, str, str]]:
    assembly = CallAssembly()
    for chunk in chunks:
        assembly.take(chunk)
    return [(call.id, call.name, call.arguments) for call in assembly.calls()]


def _cut(text: str, places: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[a:b] for a, b in pairwise(edges)]


_names = st.from_regex(r"[a-z_]{1,12}", fullmatch=True)
_objects = st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=8), max_size=3).map(
    json.dumps
)
_arguments = _objects | st.text(min_size=1, max_size=30)


@given(
    calls=st.lists(st.tuples(_names, _arguments), min_size=1, max_size=4),
    places=st.lists(st.integers(0, 100)),
    repeats=st.booleans(),
)
def test_pieces_by_index_make_the_calls_whole(
    calls: list[tuple[str, str]], places: list[int], repeats: bool
) -> None:
    """Whatever the arguments are, however they are cut, and whether the name comes once or with every piece."""
    # a name after a whole object begins another call
    assume(not (repeats and any(_ends_early(arguments, places) for _, arguments in calls)))
    chunks = []
    for index, (name, arguments) in enumerate(calls):
        chunks.append([_piece(index, f"id{index}", name, "")])
        chunks += [[_piece(index, None, name if repeats else None, part)] for part in _cut(arguments, places)]
    assert _assemble_calls(*chunks) == [(f"id{i}", name, args) for i, (name, args) in enumerate(calls)]


def _ends_early(arguments: str, places: list[int]) -> bool:
    told = ""
    for part in _cut(arguments, places)[:-1]:
        told += part
        try:
            if isinstance(json.loads(told), dict):
                return True
        except ValueError:
            continue
    return False


@pytest.mark.parametrize(
    "chunks",
    [
        pytest.param(
            [[_piece(0, "a", "w", PARIS), _piece(1, "b", "w", ROME)]], id="whole calls in one chunk"
        ),
        pytest.param([[_piece(None, "a", "w", PARIS), _piece(None, "b", "w", ROME)]], id="without an index"),
        pytest.param(
            [[_piece(None, "a", "w", PARIS)], [_piece(None, "b", "w", ROME)]], id="one after the other"
        ),
        pytest.param([[_piece(0, "a", "w", PARIS)], [_piece(0, "b", "w", ROME)]], id="all of index 0"),
        pytest.param(
            [[_piece(0, "a", "w", PARIS), _piece(0, "b", "w", ROME)]], id="all of index 0, one chunk"
        ),
        pytest.param(
            [
                [_piece(None, "a", "w", '{"city":')],
                [_piece(None, "a", None, ' "Paris"}')],
                [_piece(None, "b", "w", ROME)],
            ],
            id="by ids",
        ),
        pytest.param(
            [
                [_piece(0, "a", "w", '{"city":')],
                [_piece(0, "z", None, ' "Paris"}')],
                [_piece(1, "b", "w", ROME)],
            ],
            id="a new id with every piece",
        ),
        pytest.param(
            [
                [_piece(None, "a", "w", '{"city":')],
                [_piece(None, None, None, ' "Paris"}')],
                [_piece(None, "b", "w")],
                [_piece(None, None, None, ROME)],
            ],
            id="pieces belong to the last call",
        ),
    ],
)
def test_two_calls_however_they_come(chunks: Any) -> None:
    assert _assemble_calls(*chunks) == [("a", "w", PARIS), ("b", "w", ROME)]


def test_calls_without_ids_get_some() -> None:
    assert _assemble_calls([_piece(0, None, "w", PARIS)], [_piece(None, None, "w", ROME)]) == [
        ("call_1", "w", PARIS),
        ("call_2", "w", ROME),
    ]
    assert _assemble_calls([_piece(None, None, "a", "{}")], [_piece(None, None, "b", "")]) == [
        ("call_1", "a", "{}"),
        ("call_2", "b", ""),
    ]


def test_arguments_as_an_object_become_text_and_nonsense_is_passed_over() -> None:
    assembly = CallAssembly()
    assembly.take([{"function": {"name": "w", "arguments": {"city": "巴黎"}}}, None, 7, {"function": None}])
    assert assembly.calls() == (RequestedCall("call_1", "w", '{"city": "巴黎"}'),)


def test_a_name_in_pieces() -> None:
    assert _assemble_calls(
        [_piece(0, "a", "get_")], [_piece(0, "a", "weather")], [_piece(0, arguments="{}")]
    ) == [("a", "get_weather", "{}")]


def test_arguments_nested_too_deeply_are_no_whole_object() -> None:
    deep = "[" * 100_000
    assert _assemble_calls([_piece(0, "a", "w", deep)], [_piece(0, "a", "w", "]")]) == [
        ("a", "w", deep + "]")
    ]
