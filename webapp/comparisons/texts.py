"""The texts of a row beside each other, with the words marked that differ."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.text.word_differences import Piece, compare_words, pieces_of_each


def mark_texts(texts: Sequence[str | None]) -> list[list[Piece] | None]:
    """Each text in pieces against the first that there is; None for none.

    Of two texts each has its own words marked. Of more, the first one is plain, and each other has also what it lacks
    of the first.
    """
    present = [place for place, text in enumerate(texts) if text is not None]
    marked: list[list[Piece] | None] = [None] * len(texts)
    for place in present:
        text = texts[place] or ""
        marked[place] = [Piece("same", text)] if text else []
    base = texts[present[0]] or ""
    for place in present[1:]:
        pieces = compare_words(base, texts[place] or "")
        if len(texts) == 2:
            marked[present[0]], marked[place] = pieces_of_each(pieces)
        else:
            marked[place] = pieces
    return marked
