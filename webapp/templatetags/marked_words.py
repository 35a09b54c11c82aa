"""Texts in pieces, with the words marked that another text has otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from benchmark.text.word_differences import Piece
from webapp.templatetags.caravan import LONGEST_SHOWN, bound_length

register = template.Library()
_MARKS = {"same": "{}", "new": "<ins>{}</ins>", "gone": "<del>{}</del>"}


@register.filter
def mark_pieces(pieces: Iterable[Piece]) -> SafeString:
    """A text whose new words and lacking ones are marked; it is what a model or a person wrote, and is escaped."""
    return SafeString("".join(format_html(_MARKS[piece.kind], piece.text) for piece in pieces))


@register.filter
def bound_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces as far as a page shows a text, the last one with how much more there is."""
    room, shown = LONGEST_SHOWN, list[Piece]()
    rest = "".join(piece.text for piece in pieces)
    if len(rest) <= room:
        return list(pieces)
    for piece in pieces:
        if len(piece.text) > room:
            shown.append(Piece(piece.kind, piece.text[:room]))
            break
        shown.append(piece)
        room -= len(piece.text)
    return [*shown, Piece("same", bound_length(rest)[LONGEST_SHOWN:])]
