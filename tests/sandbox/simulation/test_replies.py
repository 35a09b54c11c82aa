"""From a model's text to the answer in it."""

from __future__ import annotations

import pytest

from sandbox.simulation.replies import answer_in, fenced_in


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('  {"a":1}\n', '{"a":1}'),
        ('```json\n{"a":1}\n```', '{"a":1}'),
        ('```\n{"a":1}\n```\n', '{"a":1}'),
        ('<think>is it {"b":2}?\n</think>\n{"a":1}', '{"a":1}'),
        ('<think>one</think>```json\n{"a":1}\n```', '{"a":1}'),
        ('the server dropped the opening tag\n</think>{"a":1}', '{"a":1}'),
        ("<think>it never ends", ""),
        ("<think></think>", ""),
        ("晴，<think> is a tag", "晴，<think> is a tag"),
        ("```", "```"),
        ("", ""),
    ],
)
def test_reasoning_and_fences_are_taken_off(text: str, answer: str) -> None:
    assert answer_in(text) == answer


def test_a_fence_among_words_is_found() -> None:
    assert fenced_in('Here it is:\n```json\n{"a":1}\n```\nAnything else?') == '{"a":1}'


def test_without_a_fence_the_answer_stays() -> None:
    assert fenced_in('{"a":"``"}') == '{"a":"``"}'
