"""From a model's text to the answer in it."""

from __future__ import annotations

import pytest

from sandbox.simulation.model import answer_in, fenced_in


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('  {"a":1}\n', '{"a":1}'),
        ('```json\n{"a":1}\n```', '{"a":1}'),
        ('```\n{"a":1}\n```\n', '{"a":1}'),
        ("```", "```"),
        ("", ""),
    ],
)
def test_a_fence_is_taken_off(text: str, answer: str) -> None:
    assert answer_in(text) == answer


def test_a_fence_among_words_is_found() -> None:
    assert fenced_in('Here it is:\n```json\n{"a":1}\n```\nAnything else?') == '{"a":1}'


def test_without_a_fence_the_answer_stays() -> None:
    assert fenced_in('{"a":"``"}') == '{"a":"``"}'
