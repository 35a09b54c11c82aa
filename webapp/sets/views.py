"""Pages of sets of sessions."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.suites import suite_named
from webapp.accounts.access import researchers_only
from webapp.pages import MOST_COMPARED
from webapp.sets.models import SessionSet
from webapp.sets.selectors import sets, suites_of
from webapp.sets.services import delete_set


@researchers_only
def set_list(request: HttpRequest) -> HttpResponse:
    """All sets."""
    return render(request, "sets/list.html", {"sets": sets().select_related("created_by")})


@researchers_only
def set_page(request: HttpRequest, pk: int) -> HttpResponse:
    """A set, and what can be done with it."""
    chosen = get_object_or_404(sets(), pk=pk)
    suites = [suite_named(name) for name in suites_of(chosen)]
    ids = list(chosen.sessions.values_list("pk", flat=True)[: MOST_COMPARED + 1])
    compared = ids if 1 < len(ids) <= MOST_COMPARED and len(suites) == 1 else []
    return render(request, "sets/set.html", {"set": chosen, "suites": suites, "compared": compared})


@require_POST
@researchers_only
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a set; its sessions stay."""
    chosen = get_object_or_404(SessionSet, pk=pk)
    delete_set(pk=pk)
    messages.info(request, _("The set “%(name)s” was deleted. Its sessions stay.") % {"name": chosen.name})
    return redirect("session_sets")
