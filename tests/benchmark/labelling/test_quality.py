"""How carefully an annotator works, and names that give a plan away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark.labelling.leaks import leaks
from benchmark.labelling.quality import Answer, quality, side_bias


def test_known_answers_repeats_and_others_each_have_their_share() -> None:
    found = quality(
        [
            Answer("A", known_answer="A", repeat_answer="A"),
            Answer("B", known_answer="A", others=("A", "A")),
            Answer("neither", repeat_answer="tie", others=("neither", "neither", "A")),
            Answer("A", others=("A", "B")),
            Answer("A", others=("B",)),
        ]
    )
    assert (found.gold.value, found.gold.size.items) == (0.5, 2)
    assert (found.consistency.value, found.consistency.size.items) == (0.5, 2)
    assert (found.disagreement.value, found.disagreement.size.items) == (0.5, 2)
    assert found.gold.low == pytest.approx(0.0126, abs=1e-4)
    assert found.answers == 5


def test_the_side_that_counts_is_the_one_that_was_shown() -> None:
    found = quality([Answer("A"), Answer("B", swapped=True), Answer("A", swapped=True), Answer("tie")])
    assert (found.side_bias.value, found.side_bias.size.items) == (pytest.approx(2 / 3), 3)


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_side_bias_is_tested_exactly(left: int, right: int) -> None:
    from scipy.stats import binomtest

    found = side_bias(["A"] * left + ["B"] * right + ["neither"])
    if left + right:
        exact = binomtest(left, left + right)
        interval = exact.proportion_ci(method="exact")
        assert found.p == pytest.approx(exact.pvalue)
        assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    else:
        assert (found.value, found.p, str(found.reason)) == (None, None, "they prefer no plan in any answer")


def test_speed_is_a_median_and_a_share_below_the_least_time() -> None:
    found = quality([Answer("A", seconds=one) for one in (3.0, 9.9, 10.0, 40.0)] + [Answer("A")], 10.0)
    assert (found.speed.value, found.hurry.value, found.hurry.size.items) == (9.95, 0.5, 4)


def test_an_annotator_of_whom_nothing_is_known_has_a_reason_for_each_figure() -> None:
    found = quality([])
    figures = (found.gold, found.consistency, found.side_bias, found.speed, found.hurry, found.disagreement)
    assert all(one.value is None and one.reason for one in figures)


NAMES = ["GPT-4o", "GPT-4", "gpt4o-mini", "Qwen", "Qwen3-32B", "DeepSeek-V3", "Yi", "通义千问", "o1", "Café"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I am GPT-4o.", [("GPT-4o", "GPT-4o")]),
        ("gpt 4O and GPT_4o and gpt4o", [("GPT-4o", "gpt 4O"), ("GPT-4o", "GPT_4o"), ("GPT-4o", "gpt4o")]),
        ("ＧＰＴ－４ｏ说", [("GPT-4o", "ＧＰＴ－４ｏ")]),
        ("GPT-4o-mini", [("gpt4o-mini", "GPT-4o-mini")]),
        ("GPT-4, GPT-40", [("GPT-4", "GPT-4")]),
        ("我是Qwen3-32B，由通义千问团队", [("Qwen3-32B", "Qwen3-32B"), ("通义千问", "通义千问")]),
        ("Qwen2.5 planned it", [("Qwen", "Qwen")]),
        ("Deep Seek V3", [("DeepSeek-V3", "Deep Seek V3")]),
        ("Yiwu and 颐和园 Yiheyuan", []),
        ("yi said, Yi-34B", [("Yi", "yi"), ("Yi", "Yi")]),
        ("no1 o12 o 1 at 10:00", [("o1", "o 1")]),
        ("ﬁne, by cafe\u0301 and CAFÉ", [("Café", "cafe\u0301"), ("Café", "CAFÉ")]),
        ("GPT\u20114o, G\u200bPT-4o", [("GPT-4o", "GPT\u20114o"), ("GPT-4o", "G\u200bPT-4o")]),
        ("", []),
    ],
)
def test_names_are_found_in_a_text(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.name, text[one.start : one.end]) for one in leaks(text, NAMES)] == found


def test_names_without_a_letter_are_nobody() -> None:
    assert leaks("a - b", ["", "-", " "]) == [] and leaks("anything", []) == []


def test_signs_in_names_are_taken_as_they_are() -> None:
    assert [one.name for one in leaks("by C++ (v2.*) here", ["c++", "(v2.*)"])] == ["c++", "(v2.*)"]


@given(st.text(max_size=60), st.sampled_from(NAMES), st.text(max_size=60))
def test_a_name_between_spaces_is_always_found(before: str, name: str, after: str) -> None:
    text = f"{before} \n{name}\n {after}"
    assert any(one.start <= text.index(f"\n{name}\n") + 1 < one.end for one in leaks(text, [name]))
