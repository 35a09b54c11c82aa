"""The model calls of a session, and replaying from its page."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_POST

from benchmark.core.events import RESEARCH
from benchmark.models import Reply
from webapp.accounts.access import researcher_of, researchers_only
from webapp.cassettes.calls import Call, as_json, call_at
from webapp.cassettes.forking import fork, last_point, place_at, why_not
from webapp.cassettes.forms import SEAT, ForkForm
from webapp.cassettes.services import replay
from webapp.forms import ChoiceRefused, gone_to
from webapp.sessions.chat import chat_html
from webapp.sessions.log import seq_in
from webapp.sessions.models import Session

PLAYERS = ("agent", "users", "agent_model", "user_model", "study")
SHOWN_EVENTS = 8
"""Events that the form of a fork shows of those that it keeps."""


@require_POST
@researchers_only
def replay_session(request: HttpRequest, session_id: str) -> HttpResponse:
    """Run a session again on what it recorded, and show the replay."""
    session = get_object_or_404(Session.objects.select_related("replay_of"), pk=session_id)
    try:
        return gone_to(request, replay(session=session, created_by=researcher_of(request)))
    except ChoiceRefused as refusal:
        messages.error(request, str(refusal))
        return gone_to(request, session)


@researchers_only
def fork_session(request: HttpRequest, session_id: str) -> HttpResponse:
    """Choose who continues a session from an event (`?at=`, by default the last that can be), and start it."""
    session = get_object_or_404(
        Session.objects.select_related("task__brought_by", "world", "replay_of"), pk=session_id
    )
    if refusal := why_not(session):
        context = {"session": session, "refusal": refusal}
        return render(request, "cassettes/fork.html", context, status=409)
    last = last_point(session)
    at = seq_in(request.POST.get("at") or request.GET.get("at", "")) or last or session.last_seq
    form = ForkForm(session, request.POST or None, at=at, looked=_chosen_players(request))
    if form.is_bound and form.is_valid():
        try:
            made = [
                fork(session=session, created_by=researcher_of(request), **choice)
                for choice in form.choices()
            ]
            if len(made) > 1:
                return gone_to(request, f"{session.get_absolute_url()}?forks=1")
            return gone_to(request, reverse("seats", args=[made[0].pk]) if form.has_outside() else made[0])
        except ChoiceRefused as error:
            form.refuse(error)
    return render(
        request,
        "cassettes/fork.html",
        {"form": form, "session": session, "last": last, **_place(session, at)},
    )


def _chosen_players(request: HttpRequest) -> dict[str, str]:
    """Who plays on by the choices so far: they decide what else is asked."""
    chosen = request.GET.dict().items()
    return {name: str(value) for name, value in chosen if name in PLAYERS or name.startswith(SEAT)}


def _place(session: Session, at: int) -> dict[str, Any]:
    """Where the fork begins: the last events that it keeps, as the conversation shows them."""
    place = place_at(session, at)
    shown = chat_html(
        place.kept_events[-SHOWN_EVENTS:], session=session, viewer=RESEARCH, language=get_language() or "en"
    )
    return {"place": place, "kept": len(place.kept_events), "at": at, "shown": shown}


def _call(session_id: str, seq: int) -> Call:
    session = get_object_or_404(Session.objects.select_related("task", "replay_of"), pk=session_id)
    call = call_at(session, seq)
    if call is None:
        raise Http404
    return call


def _recorded_call(session_id: str, seq: int) -> Call:
    call = _call(session_id, seq)
    if call.exchange is None:
        raise Http404
    return call


@researchers_only
def model_call(request: HttpRequest, session_id: str, seq: int) -> HttpResponse:
    """One model call: a page of its own, or the part that the session's page opens in place."""
    part = "HX-Request" in request.headers
    template = "cassettes/call.html" if part else "cassettes/call_page.html"
    call = _call(session_id, seq)
    return render(request, template, {"call": call, "session": call.session, "part": part})


@researchers_only
def model_call_message(request: HttpRequest, session_id: str, seq: int, number: int) -> HttpResponse:
    """A whole message of a request as text."""
    sent = _recorded_call(session_id, seq).messages
    if not 0 < number <= len(sent):
        raise Http404
    return _text(sent[number - 1].text)


@researchers_only
def model_call_tools(request: HttpRequest, session_id: str, seq: int) -> HttpResponse:
    """The definitions of the tools that a request offered, as text."""
    return _text("\n".join(definition for _name, definition in _recorded_call(session_id, seq).tools))


@researchers_only
def model_call_copy(request: HttpRequest, session_id: str, seq: int, form: str) -> HttpResponse:
    """A model call as Markdown, JSON, a command or a script."""
    call = _recorded_call(session_id, seq)
    if form not in COPIES or (form in ("sh", "py") and call.setup is None):
        raise Http404
    return _text(COPIES[form](call))


def _text(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


# A model call as text to take elsewhere. No text holds a key: each names the environment variable that does.


_CURL = """curl -sS -N {url} \\
  -H 'Content-Type: application/json' \\
{key}  --data-binary @- <<'JSON'
{body}
JSON
"""
_PYTHON = """{imports}
client = OpenAI(base_url={url!r}, api_key={key})
answer = client.chat.completions.create(
{arguments}
)
print(answer.model_dump_json(indent=2))
"""


def as_data(call: Call) -> dict[str, Any]:
    """The event, the setup, the request as it was sent, and what came of it."""
    exchange = call.exchange
    return {
        "session": call.session.pk,
        "seq": call.seq,
        "event": call.call_event.model_dump(mode="json"),
        "setup": call.setup.model_dump(mode="json") if call.setup else None,
        "request": call.body if exchange else None,
        "reply": _reply_data(exchange.reply) if exchange and exchange.reply else None,
        "failure": asdict(exchange.failure) if exchange and exchange.failure else None,
    }


def _reply_data(reply: Reply) -> dict[str, Any]:
    """A reply with its tokens as servers list them."""
    tokens = reply.tokens.read() if reply.tokens else None
    listed = tokens and [
        {
            "token": token.content.decode(errors="replace"),
            "bytes": [*token.content],
            "logprob": token.logprob,
        }
        for token in tokens
    ]
    return {**asdict(reply), "tokens": listed}


def markdown(call: Call) -> str:
    """The messages and the answer under headings, the tools by name."""
    parts = [f"# {call.session.pk}, event {call.seq}: {call.call_event.seat} asks {call.call_event.model}"]
    if call.tools:
        parts.append("Tools: " + ", ".join(f"`{name}`" for name, _definition in call.tools))
    parts += [f"## {message.number}. {message.role}\n\n{message.text}" for message in call.messages]
    exchange = call.exchange
    if exchange and exchange.reply:
        reply = exchange.reply
        parts += [f"## Reasoning\n\n{reply.reasoning}"] if reply.reasoning else []
        parts.append(f"## Answer\n\n{reply.text}")
        parts += [f"### {call.name}\n\n```json\n{call.arguments}\n```" for call in reply.calls]
    elif exchange and exchange.failure:
        parts.append(f"## Failure: {exchange.failure.kind}\n\n{exchange.failure.message}")
    return "\n\n".join(parts) + "\n"


def curl(call: Call) -> str:
    """A command that sends the same request again. Its quoted document needs no escapes."""
    assert call.setup is not None
    variable = call.setup.key_variable
    key = f'  -H "Authorization: Bearer ${{{variable}}}" \\\n' if variable else ""
    url = shlex.quote(f"{call.setup.base_url}/chat/completions")
    return _CURL.format(url=url, key=key, body=json.dumps(call.body, ensure_ascii=False))


def python(call: Call) -> str:
    """A script over the openai package that sends the same request again, with the answer in one piece."""
    assert call.setup is not None
    variable = call.setup.key_variable
    sent = {name: value for name, value in call.arguments.items() if name not in ("stream", "stream_options")}
    return _PYTHON.format(
        imports=("import os\n\n" if variable else "") + "from openai import OpenAI\n",
        url=call.setup.base_url,
        key=f"os.environ[{variable!r}]" if variable else "'none'",
        arguments="\n".join(f"    {name}={value!r}," for name, value in sent.items()),
    )


COPIES: dict[str, Callable[[Call], str]] = {
    "md": markdown,
    "json": lambda call: as_json(as_data(call)),
    "sh": curl,
    "py": python,
}
"""By the ending of a file. A command and a script need the setup."""
