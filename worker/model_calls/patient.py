"""Asking a model outside of a session: again while there is patience, as long as somebody wants the answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from benchmark.core.events import ModelCalled
from benchmark.core.model_calls import model_called
from benchmark.models import ChatRequest, ModelFailure, ModelSetup, Reply
from benchmark.models.patience import Failing, wait_s
from sandbox.tools.language import Language
from webapp.endpoints.models import ModelEndpoint
from webapp.endpoints.slots import NoPlace
from worker.lease_keeper import lease_keeper
from worker.model_calls.live import LiveModel, release_connection

LOOK_S = 0.2
"""A pause looks so often whether the answer is still wanted."""


@dataclass(frozen=True, slots=True)
class PatientModel:
    """A model for commands and jobs that are no sessions; any number of threads may ask.

    is_wanted: whether its answers still are. A request on its way is broken off when they are not. on_call: hears of
    each request and what came of it. role: the model's, which these name in place of a seat.
    """

    setup: ModelSetup
    endpoint: ModelEndpoint
    is_wanted: Callable[[], bool]
    role: str = ""
    on_call: Callable[[ModelCalled], None] = lambda call: None

    def ask(self, request: ChatRequest, *, language: Language, name: str = "") -> Reply:
        """One answer, after as many attempts as the endpoint's patience allows.

        name: of the request; pauses between attempts are drawn by it, so that not all come back together.

        Raises:
            ModelFailure: there is none; of the kind `cancelled` where it is not wanted any more.
        """
        live = LiveModel(
            self.setup, self.endpoint, language, on_delta=lambda _piece: None, is_stopped=self._is_stopped
        )
        before, attempt = Failing(), 1
        while not self._is_stopped():
            try:
                reply = live.ask(request)
                self._report(request, reply, attempt)
                return reply
            except NoPlace as full:
                self._pause(full.after_s)
            except ModelFailure as failure:
                wait = wait_s(failure, before, self.setup.patience_s, f"{name} {self.setup.name}")
                self._report(request, failure, attempt, wait)
                attempt += 1
                if wait is None:
                    raise
                before.take(failure.kind, failure.latency_ms, wait)
                self._pause(wait)
            finally:
                release_connection()  # the thread may be another one's, who does not know of it
        raise ModelFailure("cancelled", f"{self.setup.name}: the answer is not wanted any more")

    def _report(
        self, request: ChatRequest, came: Reply | ModelFailure, attempt: int, wait: float | None = None
    ) -> None:
        self.on_call(model_called(self.role, self.setup, request, came, attempt=attempt, retry_in_s=wait))

    def _is_stopped(self) -> bool:
        return not self.is_wanted() or lease_keeper().is_ending

    def _pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self._is_stopped() and (left := end - time.monotonic()) > 0:
            threading.Event().wait(min(left, LOOK_S))
