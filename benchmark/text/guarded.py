"""Regular expressions over texts that models and people wrote, stopped when one does not come to an end.

The functions are those of `re`, and match what `re` matches. The engine is `regex`, since it can stop a match.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache, wraps
from math import prod
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import regex

IGNORECASE, MULTILINE, DOTALL, ASCII = regex.IGNORECASE, regex.MULTILINE, regex.DOTALL, regex.ASCII
escape = re.escape
NOFLAG = regex.RegexFlag(0)
RegexFlag: TypeAlias = regex.RegexFlag
Match: TypeAlias = regex.Match[str]

LIMIT_S = 3.0
"""Processor time that one match may take; what honest texts take is thousandths.

It is the time of the process, nearly all of it the match's own: the engine keeps the interpreter while it matches.
"""
_SHORT = 16
"""Characters of a text that is not timed: reading a clock costs more than its match.

An expression that tries three ways at each character takes 3 ** 16 steps, half a second.
"""
_MOST_WRITTEN_OUT = 10_000
_COUNT = regex.compile(r"\{(\d*)(?:,(\d*))?\}")
_REPEATS = regex.compile(r"[*+{]")
_SHOWN_LENGTH = 60
"""Characters of an expression in a message."""
_CACHE_SIZE = 4_096
"""Compiled expressions; many are made of the names of a session's places."""
_LETTER = r"\p{L}\p{N}_"
_AS_IN_RE = {
    r"\w": f"[{_LETTER}]",
    r"\W": f"[^{_LETTER}]",
    r"\b": f"(?:(?<=[{_LETTER}])(?![{_LETTER}])|(?<![{_LETTER}])(?=[{_LETTER}]))",
}
"""What `re` means by these: marks on letters are no parts of words, every number is one."""
_ESCAPE = regex.compile(r"\\.", regex.DOTALL)
_PART = regex.compile(r"\[\^?\]?(?:\\.|[^\]\\])*+\]|\\.", regex.DOTALL)
"""A set or an escape."""
_DIFFERS = regex.compile(r"[[\w\u200c\u200d]--[\p{L}\p{N}_]]|[\p{N}--\w]", regex.VERSION1)
_ALIKE = re.compile(
    "[\0-\xb1\xb4-\xb8\xc0-\u02ff\u2010-\u203e\u2190-\u245f\u2500-\u2775\u3001-\u3006\u3008-\u3020\u4e00-\u9fff\uff01-\uff3e]*+"
)
"""Ordinary characters, none of which `_DIFFERS` finds: it takes forty times as long to say so of a whole plan."""


class EndlessReading(RuntimeError):
    """An expression does not come to an end over a text: whether it matches is not known, so nobody can go on."""


_P = ParamSpec("_P")
_T = TypeVar("_T")


def _stop_late(matching: Callable[Concatenate[Pattern, _P], _T]) -> Callable[Concatenate[Pattern, _P], _T]:
    @wraps(matching)
    def run(self: Pattern, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return matching(self, *args, **kwargs)
        except TimeoutError:
            raise EndlessReading(
                f"an expression was stopped after {self.limit_s:g} s of processor time over one text: "
                f"{self.pattern[:_SHOWN_LENGTH]!r}"
            ) from None

    return run


class Pattern:
    """An expression, compiled when it is first used; each method is that of `re.Pattern`.

    A process uses few of the hundreds that are written at the top of modules. Every method raises:
        EndlessReading: the match takes more than `LIMIT_S` of processor time.
    """

    def __init__(self, pattern: str, flags: int = NOFLAG) -> None:
        self.pattern, self.flags, self.limit_s = pattern, flags, LIMIT_S

    @cached_property
    def _plain(self) -> regex.Pattern[str]:
        return regex.compile(self.pattern, self.flags)

    @cached_property
    def _ends_soon(self) -> bool:
        """Whether nothing repeats, so that a match is no longer than the expression."""
        return _REPEATS.search(_PART.sub("", self.pattern)) is None

    def _limit(self, text: str) -> float | None:
        return None if self._ends_soon or len(text) <= _SHORT else self.limit_s

    def search(self, text: str, pos: int = 0, endpos: int | None = None) -> Match | None:
        if self._ends_soon or len(text) <= _SHORT:
            return self._for(text).search(text, pos, endpos)
        return self._search_in_time(text, pos, endpos)

    @_stop_late
    def _search_in_time(self, text: str, pos: int, endpos: int | None) -> Match | None:
        return self._for(text).search(text, pos, endpos, timeout=self.limit_s)

    @_stop_late
    def match(self, text: str, pos: int = 0, endpos: int | None = None) -> Match | None:
        return self._for(text).match(text, pos, endpos, timeout=self._limit(text))

    @_stop_late
    def fullmatch(self, text: str, pos: int = 0, endpos: int | None = None) -> Match | None:
        return self._for(text).fullmatch(text, pos, endpos, timeout=self._limit(text))

    @_stop_late
    def finditer(self, text: str, pos: int = 0, endpos: int | None = None) -> Iterator[Match]:
        return iter(list(self._for(text).finditer(text, pos, endpos, timeout=self._limit(text))))

    @_stop_late
    def findall(self, text: str, pos: int = 0, endpos: int | None = None) -> list[Any]:
        return self._for(text).findall(text, pos, endpos, timeout=self._limit(text))

    @_stop_late
    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        return self._for(text).split(text, maxsplit, timeout=self._limit(text))

    @_stop_late
    def sub(self, new: str | Callable[[Match], str], text: str, count: int = 0) -> str:
        return self._for(text).sub(new, text, count, timeout=self._limit(text))

    def _for(self, text: str) -> regex.Pattern[str]:
        return self._exact if self._speaks_of_words and _has_marks(text) else self._plain

    @cached_property
    def _speaks_of_words(self) -> bool:
        return any(escape in self.pattern for escape in _AS_IN_RE)

    @cached_property
    def _exact(self) -> regex.Pattern[str]:
        if self._plain.flags & ASCII:
            return self._plain
        return regex.compile(_as_in_re(self.pattern), self.flags)


@lru_cache(maxsize=256)
def _has_marks(text: str) -> bool:
    """Whether a text has characters of which `re` and `regex` think differently, such as marks in emoji."""
    return _ALIKE.fullmatch(text) is None and _DIFFERS.search(text) is not None


def _as_in_re(pattern: str) -> str:
    """The expression with what words are made of spelt out."""
    return _PART.sub(_spelt_out, pattern)


def _spelt_out(part: Match) -> str:
    text = part.group()
    if text[0] != "[":
        return _AS_IN_RE.get(text, text)
    return _ESCAPE.sub(lambda escape: _LETTER if escape.group() == r"\w" else escape.group(), text)


@lru_cache(maxsize=_CACHE_SIZE)
def _compile(pattern: str, flags: int) -> Pattern:
    return Pattern(pattern, flags)


def compile(pattern: str, flags: int = NOFLAG) -> Pattern:
    return _compile(pattern, flags)


def stopped_after(pattern: str, flags: int, limit_s: float) -> Pattern:
    """An expression that somebody typed, each match of which is stopped after so many seconds of processor time.

    Above zero, as for all expressions; it is compiled at once, and not kept with those of the program.
    """
    typed = Pattern(pattern, flags)
    typed.limit_s = limit_s
    return typed


def problem_of(pattern: str) -> tuple[str, int] | None:
    """What is wrong with an expression that somebody typed, in the words of the engine, and where, from 0.

    What `re` does not know is refused, and counts that would have the engine write out a million pieces.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
            if _written_out(pattern) > _MOST_WRITTEN_OUT:
                return f"repeats more than {_MOST_WRITTEN_OUT} times", 0
            regex.compile(pattern, cache_pattern=False)
    except re.error as error:
        return error.msg, error.pos or 0
    except regex.error as error:
        return str(error), 0
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, IndexError) as error:
        return str(error) or type(error).__name__, 0
    return None


def _written_out(pattern: str) -> int:
    """How often at most something is repeated by numbers, as if each stood within all others."""
    counts = _COUNT.findall(_PART.sub("", pattern))
    return prod(max([1, *(int(number) for number in numbers if number)]) for numbers in counts)


def search(pattern: str, text: str, flags: int = NOFLAG) -> Match | None:
    return _compile(pattern, flags).search(text)


def match(pattern: str, text: str, flags: int = NOFLAG) -> Match | None:
    return _compile(pattern, flags).match(text)


def fullmatch(pattern: str, text: str, flags: int = NOFLAG) -> Match | None:
    return _compile(pattern, flags).fullmatch(text)


def finditer(pattern: str, text: str, flags: int = NOFLAG) -> Iterator[Match]:
    return _compile(pattern, flags).finditer(text)


def findall(pattern: str, text: str, flags: int = NOFLAG) -> list[Any]:
    return _compile(pattern, flags).findall(text)


def split(pattern: str, text: str, maxsplit: int = 0, flags: int = NOFLAG) -> list[str]:
    return _compile(pattern, flags).split(text, maxsplit)


def sub(pattern: str, new: str | Callable[[Match], str], text: str, flags: int = NOFLAG) -> str:
    return _compile(pattern, flags).sub(new, text)
