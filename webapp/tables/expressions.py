"""Regular expressions in the filters of tables: looked for among the different values of a column, within a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from benchmark.text import guarded
from benchmark.text.search_query import QueryProblem, SearchQuery, parse
from webapp.forms import TextField
from webapp.tables.query_words import problem_words

MOST_VALUES = 100_000
SPENT_S = 2.0
"""For all values of a column together."""
MATCH_S = 0.2
"""Processor time of one."""


class MatchedText(str):
    """An expression as somebody typed it, with those values of the column that it matches."""

    values: tuple[Any, ...] = ()


class ExpressionField(TextField):
    """A text, or a regular expression between slashes, which is looked for in what `values` gives.

    values: the different values of a column, as rows of one; asked when there is an expression.
    """

    def __init__(self, values: Callable[[], QuerySet[Any]], **options: Any) -> None:
        super().__init__(required=False, **options)
        self.rows = values

    def clean(self, value: Any) -> str:
        """A text as it is; an expression with what it matches.

        Raises:
            ValidationError: it can't be read, takes too long, or there are too many values.
        """
        text = str(super().clean(value))
        if not (text.startswith("/") and len(text) > 1):
            return text
        try:
            query = parse(text)
        except QueryProblem as problem:
            raise forms.ValidationError(problem_words(problem)) from None
        if len(query.pieces) != 1:
            raise forms.ValidationError(_("A filter takes one regular expression, and nothing beside it."))
        matched = MatchedText(text)
        matched.values = tuple(self._matching(query))
        return matched

    def _matching(self, query: SearchQuery) -> list[str]:
        piece = query.pieces[0]
        flags = guarded.IGNORECASE if piece.ignores_case else guarded.NOFLAG
        pattern = guarded.stopped_after(piece.value, flags, MATCH_S)
        values = list(self.rows().order_by().distinct()[: MOST_VALUES + 1])
        if len(values) > MOST_VALUES:
            words = _(
                "There are more than %(most)s different values; a regular expression is not looked for there."
            )
            raise forms.ValidationError(words % {"most": MOST_VALUES})
        ends_at = time.monotonic() + SPENT_S
        matching = []
        try:
            for value in values:
                if pattern.search(value) is not None:
                    matching.append(value)
                if time.monotonic() > ends_at:
                    raise guarded.EndlessReading(piece.value)
        except guarded.EndlessReading:
            words = _("The regular expression took too long. Make it simpler.")
            raise forms.ValidationError(words) from None
        return matching
