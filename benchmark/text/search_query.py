"""The language of searches: words, "phrases", -not, /expressions/ and field:value, read into what is looked for.

    高铁 "not by train" -飞机 /G\\d+/ speaker:Agent in:messages,reasoning

A query is pieces with white space between them. A minus before a piece turns it round. A piece in quotes is a phrase,
to the letter; one between slashes a regular expression, with an `i` after it if capitals make no difference; one with
the name of a field and a colon says where is looked. Everything else is a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from benchmark.text import guarded
from benchmark.text.grams import fold

Part = Literal["messages", "arguments", "results", "reasoning", "rationales"]
PARTS: tuple[Part, ...] = get_args(Part)
"""What of a session is searched: what was posted, what tools were asked and answered, what was thought and not
posted, and the reasons of judges."""
USUAL_PARTS: Final = frozenset[Part](PARTS) - {"results"}
"""Where is looked unless a query says something else: results name every place of a city, and would be most hits."""
CALL_PARTS: Final = frozenset[Part](("arguments", "results"))
Field = Literal["speaker", "tool", "error", "suite", "run", "in"]
FIELDS: tuple[Field, ...] = get_args(Field)
MOST_PIECES = 16
MOST_EXPRESSIONS = 3
LONGEST_EXPRESSION = 200

Reason = Literal[
    "unclosed phrase",
    "unclosed expression",
    "no space",
    "empty",
    "unknown field",
    "no value",
    "unknown part",
    "bad expression",
    "long expression",
    "many expressions",
    "many pieces",
]


class QueryProblem(ValueError):
    """A query that can't be read. at: the place in it, from 1; piece: what stands there; detail: more words."""

    def __init__(self, reason: Reason, at: int, piece: str, detail: str = "") -> None:
        super().__init__(f"{reason} at {at}: {piece}")
        self.reason, self.at, self.piece, self.detail = reason, at, piece, detail


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a query. begin, end: where it stands. field: "" of what is looked for. value: a word or phrase as it
    was written, the expression, or the field's value. ignores_case: of an expression.
    """

    kind: Literal["word", "phrase", "expression", "field"]
    value: str
    begin: int
    end: int
    negated: bool = False
    field: Field | Literal[""] = ""
    ignores_case: bool = False

    @property
    def pattern(self) -> guarded.Pattern:
        """Of an expression."""
        return guarded.compile(self.value, guarded.IGNORECASE if self.ignores_case else guarded.NOFLAG)

    @property
    def folded_value(self) -> str:
        """A word or phrase as it is compared."""
        return fold(self.value)

    def __str__(self) -> str:
        minus = "-" if self.negated else ""
        match self.kind:
            case "phrase":
                return f'{minus}"{self.value}"'
            case "expression":
                return f"{minus}/{self.value}/{'i' if self.ignores_case else ''}"
            case "field":
                return f"{minus}{self.field}:{quote_value(self.value)}"
        return f"{minus}{self.value}"


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for, and where."""

    pieces: tuple[Piece, ...] = ()

    def __str__(self) -> str:
        return " ".join(map(str, self.pieces))

    @property
    def terms(self) -> tuple[Piece, ...]:
        """What is looked for in texts."""
        return tuple(piece for piece in self.pieces if piece.kind != "field")

    @property
    def expressions(self) -> tuple[Piece, ...]:
        """The terms that are regular expressions."""
        return tuple(piece for piece in self.pieces if piece.kind == "expression")

    def values(self, field: Field, *, negated: bool = False) -> tuple[str, ...]:
        """What a field is set to, without the difference of capitals."""
        return tuple(
            fold(piece.value)
            for piece in self.pieces
            if piece.field == field and piece.negated is negated and field != "in"
        )

    @property
    def of_calls(self) -> bool:
        """Whether only calls of tools are looked at."""
        return bool(self.values("tool") or self.values("error"))

    @property
    def parts(self) -> frozenset[Part]:
        """Where is looked."""
        named = [piece for piece in self.pieces if piece.field == "in"]
        chosen = frozenset(part for piece in named if not piece.negated for part in parts_of(piece.value))
        if not chosen:
            chosen = CALL_PARTS if self.of_calls else USUAL_PARTS
        return chosen - {part for piece in named if piece.negated for part in parts_of(piece.value)}

    def leave_out(self, piece: Piece) -> SearchQuery:
        """The same without one of its pieces."""
        return SearchQuery(tuple(other for other in self.pieces if other is not piece))


def quote_value(value: str) -> str:
    """A value as a field takes it."""
    plain = value and not any(char.isspace() or char == '"' for char in value)
    return value if plain else f'"{value.replace(chr(34), " ")}"'


def field_piece(field: Field, value: str) -> str:
    """A piece that sets a field, for links."""
    return f"{field}:{quote_value(value)}"


def parts_of(value: str) -> Iterator[Part]:
    """The parts that a value of `in:` names."""
    named = value.casefold().replace("|", ",").split(",")
    return (part for part in PARTS if part in named or "all" in named)


def parse(text: str) -> SearchQuery:
    """What a query looks for; "" looks for nothing.

    Raises:
        QueryProblem: it can't be read, with the place and why.
    """
    pieces: list[Piece] = []
    at = 0
    while (at := _after_spaces(text, at)) < len(text):
        piece = _read_piece(text, at)
        if piece.kind == "field" or piece.kind == "expression" or piece.folded_value:
            pieces.append(piece)
        at = piece.end
    expressions = [piece for piece in pieces if piece.kind == "expression"]
    if len(pieces) > MOST_PIECES:
        raise _problem("many pieces", text, pieces[MOST_PIECES].begin, pieces[MOST_PIECES].end)
    if len(expressions) > MOST_EXPRESSIONS:
        one = expressions[MOST_EXPRESSIONS]
        raise _problem("many expressions", text, one.begin, one.end)
    return SearchQuery(tuple(pieces))


def _read_piece(text: str, begin: int) -> Piece:
    negated = text[begin] == "-" and begin + 1 < len(text) and not text[begin + 1].isspace()
    at = begin + negated
    match text[at]:
        case '"':
            value, end = _phrase(text, at)
            if not fold(value):
                raise _problem("empty", text, at, end)
            return Piece("phrase", value, begin, end, negated)
        case "/":
            return _expression(text, begin, at, negated)
    end = _word_end(text, at)
    name, colon, value = text[at:end].partition(":")
    if colon and name.isascii() and name.isalpha():
        return _field(text, begin, at, negated)
    return Piece("word", text[at:end], begin, end, negated)


def _phrase(text: str, at: int) -> tuple[str, int]:
    """What stands between quotes, and where it ends."""
    close = text.find('"', at + 1)
    if close < 0:
        raise _problem("unclosed phrase", text, at, len(text))
    _refuse_no_space(text, at, close + 1)
    return text[at + 1 : close], close + 1


def _expression(text: str, begin: int, at: int, negated: bool) -> Piece:
    close = at + 1
    while close < len(text) and text[close] != "/":
        close += 2 if text[close] == "\\" else 1
    if close >= len(text):
        raise _problem("unclosed expression", text, at, len(text))
    value, end = text[at + 1 : close], close + 1
    ignores_case = text[end : end + 1] == "i"
    end += ignores_case
    _refuse_no_space(text, at, end)
    if not value:
        raise _problem("empty", text, at, end)
    if len(value) > LONGEST_EXPRESSION:
        raise _problem("long expression", text, at, end)
    if wrong := guarded.problem_of(value):
        message, place = wrong
        raise QueryProblem("bad expression", at + 2 + place, value, message)
    return Piece("expression", value, begin, end, negated, ignores_case=ignores_case)


def _field(text: str, begin: int, at: int, negated: bool) -> Piece:
    name, _colon, _rest = text[at:].partition(":")
    known: Mapping[str, Field] = {field: field for field in FIELDS}
    field, place = known.get(name.casefold()), at + len(name) + 1
    if field is None:
        raise _problem("unknown field", text, at, _word_end(text, at))
    if text[place : place + 1] == '"':
        value, end = _phrase(text, place)
    else:
        end = _word_end(text, place)
        value = text[place:end]
    value = " ".join(value.split())
    if not value:
        raise _problem("no value", text, at, end)
    if field == "in":
        unknown = [one for one in value.casefold().replace("|", ",").split(",") if one not in (*PARTS, "all")]
        if unknown:
            raise _problem("unknown part", text, place, end)
    return Piece("field", value, begin, end, negated, field)


def _refuse_no_space(text: str, begin: int, end: int) -> None:
    if end < len(text) and not text[end].isspace():
        raise _problem("no space", text, end, _word_end(text, end))


def _problem(reason: Reason, text: str, begin: int, end: int) -> QueryProblem:
    return QueryProblem(reason, begin + 1, text[begin:end])


def _after_spaces(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _word_end(text: str, at: int) -> int:
    while at < len(text) and not text[at].isspace():
        at += 1
    return at
