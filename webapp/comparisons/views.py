"""Two to four sessions side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from webapp.accounts.access import researchers_only
from webapp.comparisons.comparing import LETTERS, Comparison
from webapp.comparisons.plans import map_context
from webapp.comparisons.selection import (
    UnknownSession,
    chosen_sessions,
    compared_address,
    offered_sessions,
    refuse_unlike,
)
from webapp.forms import ChoiceRefused
from webapp.pages import MOST_COMPARED
from webapp.sessions.frames import viewer_of
from webapp.sessions.models import Session
from webapp.sessions.reading import Reading

TABS: Mapping[str, Promise] = {
    "overview": _("Overview"),
    "conversation": _("Conversations"),
    "calls": _("Tool calls"),
    "plans": _("Plans"),
    "map": _("Map"),
}
_NEEDS: Mapping[str, Callable[[Comparison], bool]] = {
    "calls": lambda comparison: comparison.has_tools,
    "plans": lambda comparison: comparison.has_plans,
    "map": lambda comparison: comparison.has_plans,
}


@researchers_only
def compare_sessions(request: HttpRequest) -> HttpResponse:
    """The sessions that `session` names, several times; with one alone, those that it may be compared with."""
    try:
        sessions = chosen_sessions(request.GET.getlist("session"))
    except ChoiceRefused as refusal:
        return _choose(request, [], str(refusal), status=404 if isinstance(refusal, UnknownSession) else 400)
    if any(viewer_of(request.user, session) is None for session in sessions):
        raise PermissionDenied
    if len(sessions) < 2:
        return _choose(request, sessions, "")
    try:
        refuse_unlike(sessions)
    except ChoiceRefused as refusal:
        return _choose(request, sessions[:1], str(refusal), status=400)
    comparison = Comparison([Reading.of(session) for session in sessions])
    tabs = {name: label for name, label in TABS.items() if name not in _NEEDS or _NEEDS[name](comparison)}
    tab = request.GET.get("tab", "")
    tab = tab if tab in tabs else "overview"
    ids = [session.pk for session in sessions]
    context = {
        "comparison": comparison,
        "sides": [
            (
                side,
                compared_address([side.session.pk, *(pk for pk in ids if pk != side.session.pk)], tab=tab),
                compared_address([pk for pk in ids if pk != side.session.pk], tab=tab),
            )
            for side in comparison.sides
        ],
        "tabs": [(name, label, compared_address(ids, tab=name)) for name, label in tabs.items()],
        "tab": tab,
        "template": f"comparisons/{tab}.html",
        "room": MOST_COMPARED - len(sessions),
        **(map_context(comparison.readings, LETTERS) if tab == "map" else {}),
    }
    return render(request, "comparisons/compare.html", context)


def _choose(request: HttpRequest, sessions: list[Session], refusal: str, status: int = 200) -> HttpResponse:
    """The form that chooses what is compared. sessions: one that is chosen already, or none."""
    context: dict[str, Any] = {
        "chosen": sessions[0] if sessions else None,
        "offered": offered_sessions(sessions[0]) if sessions else [],
        "refusal": refusal,
        "most": MOST_COMPARED,
    }
    return render(request, "comparisons/choose.html", context, status=status)


@researchers_only
def compare_pair(request: HttpRequest, session_id: str, other_id: str) -> HttpResponse:
    """Where two sessions side by side stood before."""
    return redirect(compared_address([session_id, other_id]), permanent=True)
