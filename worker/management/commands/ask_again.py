"""`manage.py ask_again SESSION CALL --times N`: a request of a session asked again, from start to answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from webapp.cassettes.calls import Call, call_at
from webapp.commands import (
    BAD_INPUT,
    INTERRUPT_CODE,
    DatabaseCommand,
    add_json,
    page_address,
    print_result,
    say,
)
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.options import endpoint_named
from webapp.endpoints.wording import cost_words
from webapp.experiments import selectors
from webapp.experiments.models import Experiment
from webapp.experiments.selectors import Answer
from webapp.experiments.services import REPLY, setup_for, start_experiment
from webapp.forms import ChoiceRefused
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.terminal import Report, progress_bar
from webapp.wording.models import failure_words
from worker.foreground import run_in_threads
from worker.steppers.experiments import experiment_job

AGAIN_S = 0.5
"""An experiment that another worker does is looked at again after this."""


class Command(DatabaseCommand):
    help = (
        "Ask a model the request of a session's model call again, as it was; the page of the call edits it first. "
        "Exit code 0: all answers came, 1: not all, 2: bad input."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("session", metavar="SESSION", help="A session's id")
        parser.add_argument("call", metavar="CALL", type=int, help="The number of the call's event")
        parser.add_argument(
            "--model",
            "--endpoint",
            dest="endpoint",
            metavar="NAME",
            help="Who is asked (endpoint list); else as it was",
        )
        parser.add_argument("--times", metavar="N", type=int, default=1, help="How many answers (1)")
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        experiment = _begin_experiment(options)
        say(self, options, f"{_('experiment')} {experiment.pk}: {page_address(experiment)}")
        try:
            with progress_bar() as report:
                _do(experiment, report)
        except KeyboardInterrupt:
            words = _("interrupted; the workers go on (make run), unless it is stopped on %(page)s")
            raise CommandError(
                words % {"page": page_address(experiment)}, returncode=INTERRUPT_CODE
            ) from None
        self._tell(experiment, options)

    def _tell(self, experiment: Experiment, options: dict[str, Any]) -> None:
        experiment.refresh_from_db()
        answers, use = selectors.answers_of(experiment), selectors.use_of(experiment)
        result = {
            "experiment": experiment.pk,
            "status": experiment.status,
            "answers": [_as_json(answer) for answer in answers],
            "use": use.summary(),
        }
        text = "\n".join([*map(_in_words, answers), cost_words(use)])
        print_result(self, options, result, text)
        failed = sum(answer.reply is None for answer in answers)
        if failed:
            words = _("%(n)s of %(of)s answers did not come. %(why)s")
            raise CommandError(words % {"n": failed, "of": len(answers), "why": experiment.problem})


def _begin_experiment(options: dict[str, Any]) -> Experiment:
    session = Session.objects.select_related("task", "replay_of").filter(pk=options["session"]).first()
    if session is None:
        words = _("there is no session “%(id)s”") % {"id": options["session"]}
        raise CommandError(words, returncode=BAD_INPUT)
    log = whole_log(session.pk)
    call = call_at(session, options["call"])
    if call is None or call.exchange is None:
        words = _("session %(id)s has no recorded model call at event %(n)s; its page lists them")
        told = {"id": session.pk, "n": options["call"]}
        raise CommandError(words % told, returncode=BAD_INPUT)
    endpoint = endpoint_named(options["endpoint"] or call.call_event.endpoint)
    try:
        return _start(call, endpoint, log, options["times"])
    except ChoiceRefused as refused:
        raise CommandError(str(refused), returncode=BAD_INPUT) from refused


def _start(call: Call, endpoint: ModelEndpoint, log: Any, times: int) -> Experiment:
    assert call.exchange is not None
    setup = setup_for(endpoint)
    own = endpoint.temperature
    request = call.exchange.request
    return start_experiment(
        session=call.session,
        log=log,
        seq=call.seq,
        endpoint=endpoint,
        setup=setup.model_copy(update={"temperature": own}),
        request=request,
        times=times,
    )


def _do(experiment: Experiment, report: Report) -> None:
    """Do it here, or watch the worker that does."""

    def work(wanted: Callable[[], bool]) -> None:
        while wanted() and Experiment.objects.get(pk=experiment.pk).going:
            if not experiment_job(experiment.pk):
                threading.Event().wait(AGAIN_S)

    def look() -> None:
        rows = experiment.answers.all()
        report(rows.exclude(reply=None, failure=None).count(), rows.count(), "answers")

    run_in_threads(1, work, look)


def _in_words(answer: Answer) -> str:
    if answer.reply is None:
        why = f"{failure_words(answer.failure.kind)}: {answer.failure.message}" if answer.failure else "–"
        return f"== {answer.number} ==\n{why}"
    calls = [f"→ {call.name}({call.arguments})" for call in answer.reply.calls]
    return "\n".join([f"== {answer.number} ==", *filter(None, [answer.reply.text]), *calls])


def _as_json(answer: Answer) -> dict[str, Any]:
    return {
        "number": answer.number,
        "reply": None if answer.reply is None else REPLY.dump_python(answer.reply, mode="json"),
        "failure": None if answer.failure is None else answer.failure.message,
        "tokens": None
        if answer.call is None or answer.call.tokens is None
        else answer.call.model_dump()["tokens"],
        "cost": None if answer.call is None else answer.call.cost,
    }
