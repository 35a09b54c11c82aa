"""Options of benchmarks in words: on forms, in heads, and as conditions of runs."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from benchmark.core.options import Value
from benchmark.suites import suite_named
from benchmark.suites.base import Option, Options, fill_options


def option_name(option: Option) -> str:
    """What a table calls it."""
    return _(option.name or option.label)


def option_value(option: Option, value: Value) -> str:
    """What a form calls a value; one that is not declared as it is."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    label = option.values.get(str(value))
    return _(label) if label else str(value)


def option_line(option: Option, value: Value) -> str:
    """An option in a line with others."""
    if option.line:
        return _(option.line) % {"value": value}
    return f"{option_name(option)}: {option_value(option, value)}"


def option_meaning(option: Option, value: Value) -> str:
    """An option and its value as forms call them."""
    return f"{_(option.label)}: {option_value(option, value)}"


def option_lines(declared: Iterable[Option], options: Options) -> list[str]:
    """Those of these options that have a value, in a few words each."""
    return [option_line(option, options[option.key]) for option in declared if option.key in options]


def telling_lines(declared: Iterable[Option], options: Options) -> list[str]:
    """Those of these options that tables tell of each run, that have words for a line, or that are not as usual."""
    options_of_all = list(declared)
    chosen, defaults = fill_options(options_of_all, options), fill_options(options_of_all, {})
    told = [
        each for each in options_of_all if each.usual or each.line or chosen[each.key] != defaults[each.key]
    ]
    return option_lines(told, chosen)


def usual_options(suite: str) -> list[Option]:
    """Those of a benchmark that tables tell of each run."""
    return [option for option in suite_named(suite).options if option.usual]
