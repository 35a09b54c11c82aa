"""Pages of sets of sessions."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchmark.suites import suite_named
from webapp.accounts.access import researcher_of, researchers_only
from webapp.forms import ChoiceRefused
from webapp.pages import MOST_COMPARED
from webapp.sessions.models import Session
from webapp.sets.forms import NameForm
from webapp.sets.models import SessionSet
from webapp.sets.selectors import set_choices, sets, suites_of
from webapp.sets.services import MOST_SESSIONS, add_to_set, copy_set, delete_set, may_delete


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
    deletable = may_delete(researcher_of(request), chosen)
    context = {
        "set": chosen,
        "suites": suites,
        "compared": compared,
        "deletable": deletable,
        "form": NameForm(),
    }
    return render(request, "sets/set.html", context)


@researchers_only
def new_set(request: HttpRequest) -> HttpResponse:
    """Put the sessions that an address names, such as those marked in a table, into a set under a name."""
    given = request.POST if request.method == "POST" else request.GET
    ids = list(dict.fromkeys(given.getlist("session")))[:MOST_SESSIONS]
    form = NameForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            chosen, added = add_to_set(
                name=form.cleaned_data["name"], session_ids=ids, created_by=researcher_of(request)
            )
        except ChoiceRefused as refusal:
            form.add_error("name", str(refusal))
        else:
            words = ngettext("%(n)s session was added.", "%(n)s sessions were added.", added)
            messages.success(request, words % {"n": added})
            return redirect(chosen)
    rows = Session.objects.filter(pk__in=ids).select_related("task").defer("task__definition")
    context = {"form": form, "sessions": rows.order_by("pk"), "names": [name for _pk, name in set_choices()]}
    return render(request, "sets/new.html", context)


@require_POST
@researchers_only
def copy(request: HttpRequest, pk: int) -> HttpResponse:
    """A set of one's own with the same sessions."""
    chosen = get_object_or_404(SessionSet, pk=pk)
    form = NameForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
        return redirect(chosen)
    try:
        name, maker = form.cleaned_data["name"], researcher_of(request)
        return redirect(copy_set(chosen=chosen, name=name, created_by=maker))
    except ChoiceRefused as refusal:
        messages.error(request, str(refusal))
        return redirect(chosen)


@require_POST
@researchers_only
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a set; its sessions stay."""
    chosen = get_object_or_404(SessionSet, pk=pk)
    if not may_delete(researcher_of(request), chosen):
        words = _(
            "Only who made the set, or an administrator, may delete it. Copy it to have one of your own."
        )
        messages.error(request, words)
        return redirect(chosen)
    delete_set(pk=pk)
    messages.info(request, _("The set “%(name)s” was deleted. Its sessions stay.") % {"name": chosen.name})
    return redirect("session_sets")
