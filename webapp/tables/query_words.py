"""The language of searches in words: the names of parts, what is wrong with a query, and its field in forms."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchmark.text.search_query import (
    FIELDS,
    LONGEST_EXPRESSION,
    MOST_EXPRESSIONS,
    MOST_PIECES,
    PARTS,
    Part,
    QueryProblem,
    parse,
)
from webapp.forms import TextField

LONGEST_SEARCH = 500
PART_LABELS: Mapping[Part, str | Promise] = {
    "messages": gettext_lazy("messages"),
    "arguments": gettext_lazy("tool arguments"),
    "results": gettext_lazy("tool results"),
    "reasoning": gettext_lazy("reasoning"),
    "rationales": gettext_lazy("judges’ reasons"),
}


def problem_words(problem: QueryProblem) -> str:
    """What is wrong with a query, where, and what helps."""
    words = {
        "unclosed phrase": _('The phrase has no closing quote. Add a " at its end.'),
        "unclosed expression": _(
            "The regular expression has no closing slash. Add a / at its end, or put the words into quotes."
        ),
        "no space": _("A space is missing before “%(piece)s”."),
        "empty": _("There is nothing between the two marks. Write what you look for between them."),
        "unknown field": _(
            "There is no field of this name: “%(piece)s”. The fields are %(fields)s. To look for these words, put "
            "them into quotes."
        ),
        "no value": _("“%(piece)s” has no value. Write one after the colon, without a space."),
        "unknown part": _("There is no part “%(piece)s”. The parts are %(parts)s."),
        "bad expression": _("The regular expression can't be read: %(detail)s."),
        "long expression": _("The regular expression is longer than %(longest)s characters. Shorten it."),
        "many expressions": _(
            "A search takes at most %(expressions)s regular expressions. Leave this one out."
        ),
        "many pieces": _("A search takes at most %(pieces)s words and fields. Leave this one out."),
    }[problem.reason]
    told = words % {
        "piece": problem.piece,
        "detail": problem.detail,
        "fields": ", ".join(f"{field}:" for field in FIELDS),
        "parts": ", ".join([*PARTS, "all"]),
        "longest": LONGEST_EXPRESSION,
        "expressions": MOST_EXPRESSIONS,
        "pieces": MOST_PIECES,
    }
    return _("At character %(at)s: %(problem)s") % {"at": problem.at, "problem": told}


class QueryField(TextField):
    """A query in the language of searches; the page says where one can't be read."""

    def __init__(self, **options: object) -> None:
        widget = forms.TextInput(attrs={"type": "search", "spellcheck": "false"})
        super().__init__(required=False, max_length=LONGEST_SEARCH, widget=widget, **options)  # type: ignore[arg-type]

    def clean(self, value: object) -> str:
        """The text of the query, once it can be read."""
        text = str(super().clean(value))
        try:
            parse(text)
        except QueryProblem as problem:
            raise forms.ValidationError(problem_words(problem)) from None
        return text
