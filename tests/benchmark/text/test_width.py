from __future__ import annotations

import pytest

from benchmark.text.width import cut_to_width, width


@pytest.mark.parametrize(
    ("text", "most", "cut"),
    [
        ("a short one", 20, "a short one"),
        ("The three of us, all adults, want to travel", 30, "The three of us, all adults,…"),
        ("我们一家三口打算去杭州玩", 11, "我们一家三…"),
        ("我们2025年去杭州 and Suzhou", 20, "我们2025年去杭州…"),
        ("Supercalifragilistic", 6, "Super…"),
    ],
)
def test_a_text_is_cut_where_there_is_no_more_room(text: str, most: int, cut: str) -> None:
    assert cut_to_width(text, most) == cut
    assert width(cut) <= most
