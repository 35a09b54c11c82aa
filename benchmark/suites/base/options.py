"""What somebody chooses for the sessions of a benchmark: options, each declared once, and values that are checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from benchmark.core.options import NO_OPTIONS as NO_OPTIONS
from benchmark.core.options import Options as Options
from benchmark.core.options import Value as Value
from benchmark.remarks import Remark, gettext_noop

LONGEST_KEY = 40
MOST_DIGITS = 18
SHOWN_LETTERS = 60
"""Of a value that is refused."""


def is_key(word: str) -> bool:
    """Whether an option can have this key: small letters, digits and _, with a letter first."""
    return word.isascii() and word.isidentifier() and word[0].isalpha() and word == word.lower()[:LONGEST_KEY]


class OptionRefused(ValueError):
    """A choice that can't be. key: of the option; remark: which value, what is wrong with it, and the remedy."""

    def __init__(self, key: str, remark: Remark) -> None:
        super().__init__(str(remark))
        self.key, self.remark = key, remark


@dataclass(frozen=True)
class Follows:
    """A default that depends on another option.

    key: the other option's, which is declared before. values: the default by its value. label: what a form calls it.
    """

    key: str
    values: Mapping[Value, Value]
    label: str


@dataclass(frozen=True, kw_only=True)
class Option:
    """One choice. Its words are English message ids, which the web application translates."""

    key: str
    """In logs, in files, in the database and in `--option KEY=VALUE`; it never changes."""
    label: str
    """Of its field in a form."""
    default: Value | Follows
    """It says of what type the values are: bool, int, float or str."""
    values: Mapping[str, str] = field(default_factory=dict)
    """The texts that can be chosen, each with what it is called; none where any text can be."""
    check: Callable[[Value], Remark | None] | None = None
    """The remedy where a value of the right type can't be, None where it can."""
    help: str = ""
    """A line below its field."""
    name: str = ""
    """What a table of conditions calls it; by default its label."""
    line: str = ""
    """What it is in a line with others, with `%(value)s`; by default its name and the value."""
    of_users: bool = False
    """Whether it matters only where users speak through models."""
    usual: bool = True
    """Whether tables tell it of each run; else only where runs differ in it."""

    def __post_init__(self) -> None:
        if not is_key(self.key):
            raise ValueError(
                f"“{self.key}” is no key of an option: small letters, digits and _, at most {LONGEST_KEY}"
            )
        if self.values and self.type is not str:
            raise ValueError(f"option “{self.key}”: only texts are chosen from a list")
        defaults = self.default.values.values() if isinstance(self.default, Follows) else [self.default]
        for value in defaults:
            self.read(value)

    @property
    def type(self) -> type[Value]:
        """Of its values."""
        default = self.default
        return type(next(iter(default.values.values())) if isinstance(default, Follows) else default)

    def read(self, given: object) -> Value:
        """A value as Python has it, or as somebody has written it.

        Raises:
            OptionRefused: it is of another type, none of `values`, or `check` has a remedy.
        """
        value = _READERS[self.type](given)
        if value is None or (self.values and value not in self.values):
            raise OptionRefused(self.key, self._refusal(given))
        if self.check is not None and (remedy := self.check(value)) is not None:
            words = gettext_noop("option %(key)s can't be “%(value)s”; %(remedy)s")
            raise OptionRefused(self.key, Remark(words, {**self._refusal(given).values, "remedy": remedy}))
        return value

    def settle(self, others: Options) -> Value:
        """The value where none is chosen. others: the values of the options that are declared before."""
        return (
            self.default.values[others[self.default.key]]
            if isinstance(self.default, Follows)
            else self.default
        )

    def _refusal(self, given: object) -> Remark:
        text = str(given)
        shown = text if len(text) <= SHOWN_LETTERS else f"{text[:SHOWN_LETTERS]}…"
        if self.values:
            words = gettext_noop("option %(key)s can't be “%(value)s”; choose one of %(values)s")
            return Remark(words, {"key": self.key, "value": shown, "values": ", ".join(self.values)})
        return Remark(_REMEDIES[self.type], {"key": self.key, "value": shown})


def check_between(least: float, most: float) -> Callable[[Value], Remark | None]:
    """The check of an option whose numbers are limited, both limits included."""

    def check(value: Value) -> Remark | None:
        words = gettext_noop("write a number from %(least)s to %(most)s")
        is_within = isinstance(value, int | float) and least <= value <= most
        return None if is_within else Remark(words, {"least": least, "most": most})

    return check


def _read_flag(given: object) -> bool | None:
    if isinstance(given, bool):
        return given
    return {"true": True, "false": False}.get(given.strip().lower()) if isinstance(given, str) else None


def _read_integer(given: object) -> int | None:
    if isinstance(given, str):
        text = given.strip()
        digits = text.removeprefix("-" if text.startswith("-") else "+")
        return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else None
    return given if isinstance(given, int) and not isinstance(given, bool) else None


def _read_number(given: object) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        number = float(given)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _read_text(given: object) -> str | None:
    return given if isinstance(given, str) and given.isprintable() else None


_READERS: Mapping[type[Value], Callable[[object], Value | None]] = {
    bool: _read_flag,
    int: _read_integer,
    float: _read_number,
    str: _read_text,
}
_REMEDIES: Mapping[type[Value], str] = {
    bool: gettext_noop("option %(key)s can't be “%(value)s”; write true or false"),
    int: gettext_noop("option %(key)s can't be “%(value)s”; write a whole number, such as 3"),
    float: gettext_noop("option %(key)s can't be “%(value)s”; write a number, such as 0.5"),
    str: gettext_noop("option %(key)s can't be “%(value)s”; write a text without control characters"),
}


PROTOCOL = Option(
    key="protocol",
    label=gettext_noop("Protocol"),
    default="published",
    values={"published": gettext_noop("published"), "paper": gettext_noop("paper (stricter)")},
    name=gettext_noop("protocol"),
    line=gettext_noop("%(value)s protocol"),
    usual=False,
)
"""Of benchmarks whose paper asks for more than the program that it published does."""


def read_options(declared: Iterable[Option], given: Mapping[str, object]) -> Options:
    """The value of each option that is declared: what is chosen, or its default.

    Raises:
        OptionRefused: a value can't be, or there is no such option.
    """
    declared = list(declared)
    known = [option.key for option in declared]
    for key in given:
        if key not in known:
            raise OptionRefused(key, _no_such_option(key, known))
    options: dict[str, Value] = {}
    for option in declared:
        chosen = option.key in given
        options[option.key] = option.read(given[option.key]) if chosen else option.settle(options)
    return MappingProxyType(options)


def _no_such_option(key: str, known: list[str]) -> Remark:
    if not known:
        return Remark(gettext_noop("there is no option %(key)s: this benchmark has none"), {"key": key})
    words = gettext_noop("there is no option %(key)s; choose one of %(known)s")
    return Remark(words, {"key": key[:SHOWN_LETTERS], "known": ", ".join(known)})


def fill_options(declared: Iterable[Option], stored: Options) -> Options:
    """What was stored of these options, with the defaults of those that were declared later. Nothing is checked."""
    options: dict[str, Value] = {}
    for option in declared:
        known = option.key in stored
        options[option.key] = stored[option.key] if known else option.settle(options)
    return MappingProxyType(options)


def read_pairs(words: Iterable[str]) -> dict[str, str]:
    """What KEY=VALUE says, by key; a value may hold further `=`.

    Raises:
        OptionRefused: a word is no such pair, or a key is given twice.
    """
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not is_key(key):
            text = gettext_noop("“%(word)s” is not KEY=VALUE; write an option's key, = and its value")
            raise OptionRefused(key, Remark(text, {"word": word[:SHOWN_LETTERS]}))
        if key in given:
            raise OptionRefused(
                key, Remark(gettext_noop("option %(key)s is given twice; give it once"), {"key": key})
            )
        given[key] = value
    return given
