"""Sentences of the core in the language of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from benchmark.inputs import LineProblem
from benchmark.labelling.statistic import Statistic
from benchmark.remarks import Remark, read_remark

MOST_TOLD: Final = 100
"""Remarks that a page tells one by one; the file has all of them."""


def remark_words(remark: Remark) -> str:
    """A sentence in the reader's language."""
    values = remark.values.items()
    return _(remark.text) % {
        name: remark_words(value) if isinstance(value, Remark) else value for name, value in values
    }


def reasons(statistics: Mapping[str, Statistic]) -> dict[str, str]:
    """Why those have no value that have none, by key."""
    return {
        key: remark_words(statistic.reason)
        for key, statistic in statistics.items()
        if statistic.value is None and statistic.reason
    }


def problem_words(problem: LineProblem) -> str:
    """What is wrong with a line, in the reader's language where it can be had in it."""
    return problem.message if problem.remark is None else remark_words(problem.remark)


def stored_remark_words(stored: Mapping[str, Any]) -> str:
    """A sentence in the reader's language. stored: a remark as JSON."""
    return remark_words(read_remark(stored))


def failure_words(failures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What `synthesis/failures.html` shows of remarks as JSON."""
    told = [stored_remark_words(remark) for remark in failures[:MOST_TOLD]]
    return {"failures": told, "more_failures": len(failures) - len(told)}
