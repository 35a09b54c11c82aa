"""How often people say yes: the figures of TravelBench's tables 11 to 13 and their intervals."""

from __future__ import annotations

import io

import pytest

from benchmark.labelling.confirmation import Confirmation, confirmation_of
from benchmark.labelling.tables import read_table, table_of


def labels(*votes: str) -> bytes:
    """A table with an item a word: its votes, y or n."""
    rows = [
        f"{item},r{rater},{'yes' if vote == 'y' else 'no'}"
        for item, word in enumerate(votes)
        for rater, vote in enumerate(word)
    ]
    return "\n".join(["item,rater,label", *rows, ""]).encode()


def of(*votes: str) -> Confirmation:
    return confirmation_of(read_table(io.BytesIO(labels(*votes)), "nominal"))


@pytest.mark.parametrize(
    ("votes", "hits", "low", "high"),
    [
        ((87, 10, 3, 0), 97, 0.9148, 0.9938),
        ((91, 6, 2, 1), 97, 0.9148, 0.9938),
        ((91, 4, 4, 1), 95, 0.8872, 0.9836),
    ],
)
def test_the_paper_s_votes_give_the_paper_s_intervals(
    votes: tuple[int, ...], hits: int, low: float, high: float
) -> None:
    words = ("yyy", "yyn", "ynn", "nnn")
    found = of(*(word for word, count in zip(words, votes, strict=True) for _ in range(count)))
    assert (found.confirmed, found.items, found.share.value) == (hits, 100, hits / 100)
    assert [round(end or 0, 4) for end in (found.share.low, found.share.high)] == [low, high]
    assert [*found.votes.items()] == [
        ((yes, 3), count) for yes, count in zip((3, 2, 1, 0), votes, strict=True)
    ]


def test_items_without_a_majority_are_told_apart() -> None:
    found = of("yy", "yn", "nn")
    assert (found.confirmed, found.items, found.undecided) == (1, 2, 1)
    assert [str(one) for one in found.share.remarks] == ["1 without a majority, left out"]
    assert of("yn").share.value is None and of("yn").share.reason is not None


def test_where_nobody_says_yes_nothing_is_confirmed() -> None:
    found = of("nnn")
    assert (found.confirmed, found.share.value) == (0, 0)
    assert dict(found.votes) == {(3, 3): 0, (2, 3): 0, (1, 3): 0, (0, 3): 1}


def test_items_with_other_numbers_of_votes_stand_apart() -> None:
    assert [*of("yyy", "yn").votes.items()] == [
        *(((3, 3), 1), ((2, 3), 0), ((1, 3), 0), ((0, 3), 0)),
        *(((2, 2), 0), ((1, 2), 1), ((0, 2), 0)),
    ]


def test_no_labels_have_no_votes() -> None:
    found = confirmation_of(table_of([], "nominal"))
    assert (found.items, found.undecided, dict(found.votes)) == (0, 0, {})


def test_labels_of_another_study_are_refused() -> None:
    with pytest.raises(ValueError, match="'A', neither yes nor no"):
        confirmation_of(read_table(io.BytesIO(b"item,rater,label\n1,r,A\n"), "nominal"))
