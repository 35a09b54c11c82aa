"""Asking an edited request several times, as many at once as its model takes."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor, as_completed

from django.db import connection
from django.utils.translation import gettext as _

from benchmark.core.events import ModelCalled
from benchmark.models import ModelFailure
from sandbox.tools.language import Language
from webapp.experiments import services
from webapp.experiments.jobs import EXPERIMENT
from webapp.experiments.models import Experiment, ExperimentAnswer
from webapp.experiments.selectors import request_in, setup_in
from webapp.experiments.services import EXPERIMENTER
from webapp.jobs.services import Claim
from worker.lease_keeper import lease_keeper
from worker.model_calls.patient import PatientModel
from worker.steppers.whole_job import JobCancelled, WholeJob

MOST_THREADS = 8


def _run_experiment(claimed: Claim) -> None:
    experiment = services.begin_experiment(claimed=claimed)
    assert experiment.endpoint is not None
    failing = threading.Event()
    asking = _Asking(claimed, experiment, failing)
    services.tell_progress(claimed=claimed, experiment=experiment)
    rows = list(experiment.answers.filter(reply=None, failure=None).defer("calls"))
    pool = ThreadPoolExecutor(max(1, min(MOST_THREADS, experiment.endpoint.concurrency)))
    try:
        waiting = [pool.submit(asking.ask, row) for row in rows]
        for each in as_completed(waiting):
            _raise_of(each, claimed)
            services.tell_progress(claimed=claimed, experiment=experiment)
    finally:
        failing.set()
        pool.shutdown(cancel_futures=True)
    if lease_keeper().is_unwanted(claimed):
        raise JobCancelled(_("The experiment was stopped."))
    services.finish_experiment(claimed=claimed)


class _Asking:
    """failing: set where another answer could not be stored, so that none is wanted any more."""

    def __init__(self, claimed: Claim, experiment: Experiment, failing: threading.Event) -> None:
        assert experiment.endpoint is not None
        self._claim, self._failing = claimed, failing
        self._endpoint, self._setup = experiment.endpoint, setup_in(experiment)
        self._request, self._name = request_in(experiment), experiment.pk
        language = experiment.session.task.language
        self._language: Language = "en" if language == "en" else "zh"

    def _is_wanted(self) -> bool:
        return not self._failing.is_set() and not lease_keeper().is_unwanted(self._claim)

    def ask(self, row: ExperimentAnswer) -> None:
        """Ask for one answer, and keep it or why there is none."""
        try:
            if self._is_wanted():
                self._ask(row)
        except BaseException:
            self._failing.set()
            raise
        finally:
            connection.close()

    def _ask(self, row: ExperimentAnswer) -> None:
        def tell(call: ModelCalled) -> None:
            services.add_call(answer=row, call=call)

        model = PatientModel(self._setup, self._endpoint, self._is_wanted, EXPERIMENTER, tell)
        try:
            reply = model.ask(self._request, language=self._language, name=f"{self._name} {row.number}")
        except ModelFailure as failure:
            if failure.kind == "cancelled":
                raise
            services.store_answer(claimed=self._claim, answer=row, outcome=failure)
        else:
            services.store_answer(claimed=self._claim, answer=row, outcome=reply)


def _raise_of(done: Future[None], claimed: Claim) -> None:
    """What a thread failed at; that it is not wanted any more is no failure."""
    try:
        done.result()
    except ModelFailure as failure:  # only a request that was broken off: others are answers
        if lease_keeper().is_unwanted(claimed):
            raise JobCancelled(_("The experiment was stopped.")) from failure


experiment_job = WholeJob(EXPERIMENT, _run_experiment, services.end_experiment)
