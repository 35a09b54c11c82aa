"""The desk of a person who has the agent's seat: tools, and what the benchmark puts beside them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.core.actions import CallTools, ToolCall, calls_as_text
from benchmark.core.events import ToolCalled
from benchmark.core.state import SessionState
from benchmark.core.toolloop import call_key
from sandbox.tools.errors import ToolFailure
from sandbox.toolsets.base import Toolset
from webapp.fields import NUL
from webapp.pages import Desk, DeskPart
from webapp.people import clocks, guests
from webapp.people.agent_words import send_now
from webapp.people.models import Guest
from webapp.people.page import Table
from webapp.people.tabs import notify_pages
from webapp.people.tool_forms import ToolForm, call_in, tool_form, tool_forms, why_no_tools, wrong_in
from webapp.people.views import at_seat
from webapp.plans import editor
from webapp.plans.reading import has_plans
from webapp.seats.models import InboxMessage
from webapp.sessions.inbox import MessageRefused, deliver, sent_before

P = ParamSpec("P")
LONGEST_NOTE = 2000


def at_desk(view: Callable[Concatenate[HttpRequest, Table, P], HttpResponseBase]) -> Any:
    """Let only whoever has the agent's seat in, once they take part."""

    @at_seat
    @wraps(view)
    def guard(request: HttpRequest, guest: Guest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        table = Table(guest)
        if not table.is_agent or guest.stage != Guest.Stage.READY or table.standing == "gone":
            raise Http404
        return view(request, table, *args, **kwargs)

    return guard


def _language(table: Table) -> Any:
    return table.language


# The tools.


@at_desk
def desk(request: HttpRequest, table: Table) -> HttpResponse:
    """All tabs: the tools, and those of the benchmark."""
    page = table.page.agent
    context: dict[str, Any] = {
        "guest": table.guest,
        "table": table,
        "session": table.session,
        "tools": tool_forms(table.toolset, _language(table), page.field_values(table.fold)),
        "cities": page.cities(table.session.task.definition),
        "parts": _parts(table),
    }
    return render(request, "people/agent/desk.html", context)


@require_POST
@at_desk
def call(request: HttpRequest, table: Table, tool: str) -> HttpResponse:
    """Call a tool; the form comes back, with what was wrong or as it was."""
    toolset, given = table.toolset, {name: str(value) for name, value in request.POST.items()}
    if tool not in toolset.tools:
        raise Http404
    form = _tool_form(table, toolset, tool, given)
    response = render(request, "people/agent/tool.html", {"guest": table.guest, "tool": form, "open": True})
    if form.sent:
        notify_pages(table.guest.pk)
        response.headers["HX-Trigger"] = "seat:called"
    return response


def _tool_form(table: Table, toolset: Toolset, tool: str, given: dict[str, str]) -> ToolForm:
    language = _language(table)
    try:
        wanted = call_in(toolset, tool, language, given)
        note = given.get("note", "").replace(NUL, "").strip()[:LONGEST_NOTE]
        _send_call(table.guest, given.get("client_id", ""), wanted, note, sure=given.get("sure") == "1")
    except ToolFailure as failure:
        problem = failure.describe(language)
        return tool_form(toolset, tool, language, given, wrong=wrong_in(failure), problem=problem)
    except CalledBefore as refusal:
        clocks.stand(table)
        return tool_form(toolset, tool, language, given, problem=str(refusal), is_repeatable=True)
    except MessageRefused as refusal:
        return tool_form(toolset, tool, language, given, problem=str(refusal))
    return tool_form(toolset, tool, language, given, sent=True)


class CalledBefore(MessageRefused):
    """The same call was made; it can be made once more by whoever wants to."""


def _send_call(guest: Guest, client_id: str, wanted: ToolCall, note: str, *, sure: bool) -> None:
    """A call that the engine would not take ends the session, so it is looked at here, one after another."""
    with guests.acting(guest):
        if sent_before(guest.seat, client_id) is not None:
            return
        if why := guests.may_act(guest) or _why_no_call(Table(guest)):
            raise MessageRefused(why)
        if not sure and (why := _repeated_call_words(Table(guest).state, wanted)):
            raise CalledBefore(why)
        content = calls_as_text(CallTools((wanted,), note))
        deliver(seat=guest.seat, client_id=client_id, content=content, kind=InboxMessage.Kind.CALL)


def _why_no_call(table: Table) -> str:
    waits = bool(table.waiting)  # before the log is read: what is taken meanwhile stands there
    if table.standing in ("ended", "gone", "paused"):
        return _("No tools can be called now.")
    if waits or table.state.loop.waiting:
        return _("One moment: your last message is still being handled.")
    if table.standing != "yours":
        return _("Tools can be called when it is your turn.")
    return why_no_tools(table.state)


def _repeated_call_words(state: SessionState, wanted: ToolCall) -> str:
    made = ToolCalled(call_id="", name=wanted.name, arguments=wanted.arguments, step=0)
    times = state.loop.calls[call_key(made)]
    if times >= 2:
        return _("You have made this same call twice. A third time ends the session after this turn.")
    if times:
        return _(
            "You have already made this call: its result is in the chat. Calling it twice in a row "
            "ends tools for a turn."
        )
    return ""


# The tabs of the benchmark.


@at_desk
def part(request: HttpRequest, table: Table, name: str) -> HttpResponse:
    """One tab, and what a form of it did."""
    page_part = next((part for part in _parts(table) if part.name == name), None)
    if page_part is None:
        raise Http404
    if request.method != "POST":
        return _part(request, table, page_part, {})
    return _run_desk_act(request, table, page_part)


def _desk(table: Table) -> Desk:
    yours = table.standing == "yours" and not table.state.loop.waiting
    return Desk(table.session, table.fold, table.log, table.language, table.guest.plan_draft, yours)


def _parts(table: Table) -> list[DeskPart]:
    """The benchmark's own, and that of plans where it has plans and none of its own."""
    own = list(table.page.agent.parts)
    shared = [editor.PART] if has_plans(table.session.suite) else []
    return [part for part in shared if all(part.name != other.name for other in own)] + own


def _template(table: Table, part: DeskPart) -> str:
    return part.template or f"suites/{table.session.suite}/seat/agent/{part.name}.html"


def _part(request: HttpRequest, table: Table, part: DeskPart, more: dict[str, Any]) -> HttpResponse:
    asked = {name: str(value) for name, value in request.GET.items()}
    context = {
        "guest": table.guest,
        "session": table.session,
        "part": part,
        "client_id": ToolForm("", "", ()).client_id,
        **part.context(_desk(table), asked),
        **more,
    }
    return render(request, _template(table, part), context)


def _run_desk_act(request: HttpRequest, table: Table, part: DeskPart) -> HttpResponse:
    guest = table.guest
    if why := guests.may_act(guest):
        return _part(request, table, part, {"refusal": why})
    try:
        acted = part.act(_desk(table), request.POST)
        if acted.draft is not None:
            Guest.objects.filter(pk=guest.pk).update(plan_draft=acted.draft)
            guest.plan_draft = acted.draft
            clocks.start_anew(table)
        if acted.send:
            send_now(guest, request.POST.get("client_id", ""), acted.send)
    except ValueError as refusal:  # MessageRefused is one
        return _part(request, table, part, {"refusal": str(refusal), "kept": request.POST})
    response = _part(request, Table(guest), part, {**acted.context, "sent": bool(acted.send)})
    if acted.send or acted.draft is not None:
        notify_pages(guest.pk)
    if acted.send:
        response.headers["HX-Trigger"] = "seat:called"
    return response
