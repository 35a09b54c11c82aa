"""Putting what a search or the filters of the table find into a set."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchmark.text.search_query import parse
from webapp.accounts.access import researcher_of, researchers_only
from webapp.forms import ChoiceRefused
from webapp.sets.services import MOST_SESSIONS, add_to_set
from webapp.tables import selectors
from webapp.tables.finding import Saying, saying
from webapp.tables.forms import Look, SetForm, of_sessions


@require_POST
@researchers_only
def save_set(request: HttpRequest) -> HttpResponse:
    """Put all sessions that are found into a set; one of that name gets those that it has not."""
    form = SetForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect("search")
    given = form.cleaned_data
    ids, said = _found_by_query(given["q"]) if given["q"] else _found_by_filters(given["query"])
    try:
        chosen, added = add_to_set(
            name=given["name"],
            session_ids=ids,
            query=given["q"] or given["query"],
            created_by=researcher_of(request),
        )
    except ChoiceRefused as refusal:
        messages.error(request, str(refusal))
        return redirect("session_sets")
    words = ngettext("%(n)s session was added.", "%(n)s sessions were added.", added) % {"n": added}
    if said is not None and said.left:
        words += " " + _("Sessions that were not searched are not in the set.")
    messages.success(request, words)
    return redirect(chosen)


def _found_by_query(text: str) -> tuple[Iterable[str], Saying]:
    said = saying(parse(text))
    if said.rows is None:
        return said.searched_ids, said
    return said.rows.order_by("-pk").values_list("session_id", flat=True)[: MOST_SESSIONS + 1], said


def _found_by_filters(query: str) -> tuple[Iterable[str], Saying | None]:
    look = Look(of_sessions(), QueryDict(query), [])
    rows = selectors.entries(look.filters, look.column_by_key)
    said = saying(parse(look.filters["said"])) if look.filters.get("said") else None
    if said is not None:
        rows = rows.filter(said.filter())
    return selectors.order_rows(rows, look.order).values_list("pk", flat=True)[: MOST_SESSIONS + 1], said
