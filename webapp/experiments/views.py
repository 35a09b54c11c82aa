"""Pages of experiments."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchmark.core.events import Event
from benchmark.models import ChatRequest, ModelSetup
from benchmark.models.sending import arguments, body
from webapp.accounts.access import researcher_of, researchers_only
from webapp.cassettes.calls import Call, as_json, call_at
from webapp.cassettes.forking import why_not_before
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.selectors import known_names, offered_endpoints
from webapp.experiments import comparing, selectors
from webapp.experiments.editor import EDIT, OLD, Editor, UnknownMessage
from webapp.experiments.estimate import Estimate, estimate
from webapp.experiments.forms import USUAL_TIMES, AnswerForkForm, ExperimentForm, usual_temperature
from webapp.experiments.models import Experiment
from webapp.experiments.requests import ROLES, Fault, read_tools
from webapp.experiments.selectors import Answer
from webapp.experiments.services import (
    delete_experiment,
    fork_from_answer,
    setup_for,
    start_experiment,
    stop_experiment,
)
from webapp.forms import ChoiceRefused, gone_to
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session


def recorded_call(session_id: str, seq: int) -> Call:
    """A call whose request was recorded; 404 where there is none."""
    session = get_object_or_404(Session.objects.select_related("task", "replay_of"), pk=session_id)
    call = call_at(session, seq)
    if call is None or call.exchange is None:
        raise Http404
    return call


def experiment_of(session_id: str, seq: int, experiment_id: str) -> Experiment:
    """An experiment; 404 where this call has no such."""
    rows = Experiment.objects.select_related("session__task", "session__replay_of", "endpoint", "created_by")
    return get_object_or_404(rows, pk=experiment_id, session=session_id, seq=seq)


@researchers_only
def experiments(request: HttpRequest, session_id: str, seq: int) -> HttpResponse:
    """The request of a call to be edited, and the experiments with it; `?base=` edits that of an experiment again."""
    log = whole_log(session_id)
    call = recorded_call(session_id, seq)
    sent = request.POST if request.method == "POST" else None
    named = (sent if sent is not None else request.GET).get("base", "")
    base = experiment_of(session_id, seq, named) if named else None
    try:
        page = _Page(request, call, base, sent)
    except UnknownMessage:
        return HttpResponseBadRequest("there is no such message")
    if sent is not None and sent.get("act", "ask") == "ask" and page.is_valid():
        try:
            return gone_to(request, page.start(log))
        except ChoiceRefused as refused:
            page.form.add_error(refused.field if refused.field in page.form.fields else None, str(refused))
    return render(request, "experiments/list.html", page.context())


class _Page:
    """The editor's page of one request. base: the experiment whose request is edited, None for the call's own.

    Raises:
        UnknownMessage: a message was sent that the request does not have.
    """

    def __init__(
        self, request: HttpRequest, call: Call, base: Experiment | None, sent: QueryDict | None
    ) -> None:
        self._http, self._call, self._base = request, call, base
        assert call.exchange is not None
        self._original = call.exchange.request
        self._request_now = selectors.request_in(base) if base else self._original
        self._setup = selectors.setup_in(base) if base else call.setup
        self._editor = Editor(self._request_now.messages, sent)
        self._faults: list[Fault] = []
        self._key = ""
        act = sent.get("act", "ask") if sent is not None else ""
        if act == "ask":
            self.form = ExperimentForm(sent, initial=self._initial())
        else:
            what, _colon, self._key = act.partition(":")
            self._editor.act(what, self._key)
            self.form = ExperimentForm(initial=self._initial() | (sent.dict() if sent is not None else {}))
            if sent is not None:
                self.form.initial["json_object"] = "json_object" in sent

    def _initial(self) -> dict[str, Any]:
        asked = self._request_now
        name = self._setup.name if self._setup else ""
        endpoint = offered_endpoints().filter(name=name).first()
        tools = as_json(list(asked.tools)) if asked.tools else ""
        initial: dict[str, Any] = {"endpoint": name if endpoint else "", "times": USUAL_TIMES, "tools": tools}
        initial |= {
            "temperature": usual_temperature(asked, self._setup),
            "top_p": asked.top_p if self._setup is None or self._setup.temperature is None else None,
            "json_object": asked.json_object,
        }
        if endpoint is not None and self._setup is not None:  # what the endpoint's settings do not say now
            if self._setup.max_tokens != endpoint.max_tokens:
                initial["max_tokens"] = self._setup.max_tokens
            if self._setup.thinking != endpoint.thinking:
                initial["thinking"] = self._setup.thinking
        return initial

    def is_valid(self) -> bool:
        """Whether the request can be sent; the faults are shown where not."""
        _messages, self._faults = self._editor.read()
        for fault in self._faults:
            self.form.add_error(None, _fault_words(fault))
        return self.form.is_valid()

    def start(self, log: list[Event] | Any) -> Experiment:
        """Begin it, of a valid form. Raises ChoiceRefused."""
        given = self.form.cleaned_data
        setup = setup_for(given["endpoint"], max_tokens=given["max_tokens"], thinking=given["thinking"])
        return start_experiment(
            session=self._call.session,
            log=log,
            seq=self._call.seq,
            endpoint=given["endpoint"],
            setup=setup,
            request=self._request(given, given["endpoint"]),
            times=given["times"],
            created_by=researcher_of(self._http),
        )

    def _request(self, given: dict[str, Any], endpoint: ModelEndpoint) -> ChatRequest:
        temperature = given["temperature"]
        if temperature is None:
            own = endpoint.temperature
            temperature = self._original.temperature if own is None else own
        said, _faults = self._editor.read()
        return ChatRequest(
            messages=tuple(said),
            tools=given["tools"],
            temperature=temperature,
            json_object=given["json_object"],
            top_p=given["top_p"],
        )

    def _estimate(self) -> Estimate | None:
        """None while something is missing or wrong."""
        values = self.form.data if self.form.is_bound else self.form.initial
        endpoint = offered_endpoints().filter(name=values.get("endpoint") or "").first()
        try:
            times, most = int(values.get("times") or 0), int(values.get("max_tokens") or 0)
            if endpoint is None or times < 1:
                return None
            setup = setup_for(endpoint, max_tokens=most or None)
        except ValueError:  # ChoiceRefused among them
            return None
        said, _faults = self._editor.read()
        tools, _wrong = read_tools(str(values.get("tools") or ""))
        request = ChatRequest(tuple(said), tools)
        return estimate(self._call.call_event, self._original, request, setup, times)

    def context(self) -> dict[str, Any]:
        """What the template needs."""
        return {
            "session": self._call.session,
            "call": self._call,
            "base": self._base,
            "form": self.form,
            "items": self._editor.messages(self._faults),
            "acted_key": EDIT + self._key[1:] if self._key.startswith(OLD) else self._key,
            "roles": ROLES,
            "estimate": self._estimate(),
            "rows": selectors.experiments_of(self._call.session, self._call.seq),
        }


def _fault_words(fault: Fault) -> str:
    if not fault.number:
        return fault.words
    told = {"n": fault.number, "field": fault.field, "why": fault.words}
    return _("Message %(n)s, %(field)s: %(why)s") % told


@researchers_only
def experiment_page(request: HttpRequest, session_id: str, seq: int, experiment_id: str) -> HttpResponse:
    """One experiment: how far it is, its answers side by side, and what was changed."""
    experiment = experiment_of(session_id, seq, experiment_id)
    return render(request, "experiments/experiment.html", _context(request, experiment))


@researchers_only
def live(request: HttpRequest, session_id: str, seq: int, experiment_id: str) -> HttpResponse:
    """The part of that which changes; the whole page once it has ended."""
    experiment = experiment_of(session_id, seq, experiment_id)
    if experiment.going:
        return render(request, "experiments/live.html", _context(request, experiment))
    return HttpResponse(headers={"HX-Refresh": "true"})


def _context(request: HttpRequest, experiment: Experiment) -> dict[str, Any]:
    call = recorded_call(experiment.session_id, experiment.seq)
    assert call.exchange is not None
    answers = selectors.answers_of(experiment)
    original = Answer(comparing.ORIGINAL, call.exchange.reply, call.exchange.failure, call.call_event)
    numbers = [one.number for one in (original, *answers)]
    named = request.GET.get("against", "")
    against = int(named) if named.isascii() and named.isdigit() and int(named) in numbers else 0
    asked, setup, use = (
        selectors.request_in(experiment),
        selectors.setup_in(experiment),
        selectors.use_of(experiment),
    )
    shown = comparing.columns(original, answers, against)
    return {
        "session": experiment.session,
        "call": call,
        "experiment": experiment,
        "columns": shown,
        "against": against,
        "numbers": numbers,
        "ended": sum(not one.awaited for one in answers),
        "refusal": why_not_before(experiment.session, experiment.seq),
        "forks": selectors.forks_of(experiment),
        "alike": sum(one.alike for one in shown if one.number),
        "acts": comparing.acts(answers),
        "message_changes": comparing.message_changes(call.exchange.request.messages, asked.messages),
        "tool_changes": comparing.tool_changes(call.exchange.request, asked),
        "parameters": _parameters(setup, asked, call),
        "uses": [use],
        "total": use,
        "known_endpoints": known_names(),
    }


def _parameters(setup: ModelSetup, asked: ChatRequest, call: Call) -> list[tuple[str, Any, Any]]:
    """What is sent beside messages and tools, by name: now, and in the original; None where it is not there."""
    now, before = body(arguments(setup, asked, call.language)), call.body
    names = [name for name in {**before, **now} if name not in ("messages", "tools")]
    return [(name, _value(now, name), _value(before, name)) for name in names]


def _value(sent: dict[str, Any], name: str) -> str | None:
    if name not in sent:
        return None
    value = sent[name]
    return value if isinstance(value, str) else as_json(value)


@require_POST
@researchers_only
def stop(request: HttpRequest, session_id: str, seq: int, experiment_id: str) -> HttpResponse:
    """End it; answers that are there stay."""
    experiment = experiment_of(session_id, seq, experiment_id)
    stop_experiment(experiment=experiment)
    return redirect(experiment)


@require_POST
@researchers_only
def delete(request: HttpRequest, session_id: str, seq: int, experiment_id: str) -> HttpResponse:
    """Delete it with its answers."""
    experiment = experiment_of(session_id, seq, experiment_id)
    try:
        delete_experiment(experiment=experiment)
    except ChoiceRefused as refused:
        messages.warning(request, str(refused))
        return redirect(experiment)
    messages.success(request, _("The experiment %(id)s was deleted.") % {"id": experiment_id})
    return redirect("experiments", session_id, seq)


@researchers_only
def fork_answer(
    request: HttpRequest, session_id: str, seq: int, experiment_id: str, number: int
) -> HttpResponse:
    """Choose who plays on after an answer, and start that session."""
    experiment = experiment_of(session_id, seq, experiment_id)
    answer = get_object_or_404(experiment.answers, number=number)
    call = recorded_call(session_id, seq)
    refusal = why_not_before(experiment.session, seq)
    form = AnswerForkForm(experiment.session, request.POST if request.method == "POST" else None)
    if not refusal and form.is_bound and form.is_valid():
        try:
            made = fork_from_answer(
                experiment=experiment,
                answer=answer,
                players=form.players(),
                seat=call.call_event.seat,
                pace=form.cleaned_data["pace"] or None,
                created_by=researcher_of(request),
            )
            return gone_to(request, made)
        except ChoiceRefused as refused:
            form.refuse(refused)
    read = selectors.read_answer(answer)
    context = {"session": experiment.session, "experiment": experiment, "answer": read, "call": call}
    context |= {"form": form, "refusal": refusal, "column": comparing.columns(read, [], read.number)[0]}
    return render(request, "experiments/fork.html", context, status=409 if refusal else 200)
