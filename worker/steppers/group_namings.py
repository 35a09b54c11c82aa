"""A model names the groups of what a run lost, one after the other."""

from __future__ import annotations

import logging

from django.utils.translation import gettext as _

from benchmark.core.events import ModelCalled
from benchmark.misses.naming import name_group
from benchmark.models import ChatRequest, ModelFailure
from benchmark.suites import suite_named
from sandbox.tools.language import Language
from webapp.endpoints.choice import usable
from webapp.jobs import services as jobs
from webapp.jobs.services import Claim
from webapp.misses import naming as namings
from webapp.misses.jobs import GROUP_NAMING
from worker.lease_keeper import lease_keeper
from worker.model_calls.patient import PatientModel
from worker.steppers.whole_job import JobCancelled, WholeJob

log = logging.getLogger(__name__)


def _name_groups(claimed: Claim) -> None:
    naming = namings.begin_naming(claimed=claimed)
    assert naming.endpoint is not None
    language: Language = "zh" if naming.language == "zh" else "en"

    def keep_call(call: ModelCalled) -> None:
        namings.add_call(naming=naming, call=call)

    def is_wanted() -> bool:
        return not lease_keeper().is_unwanted(claimed)

    model = PatientModel(
        usable(naming.endpoint, "model"), naming.endpoint, is_wanted, namings.NAMER, keep_call
    )
    words = naming.prompt_set.files if naming.prompt_set else {}
    groups, count = namings.open_groups(naming)
    for done, (key, evidence) in enumerate(groups, count - len(groups)):
        jobs.progress(claimed=claimed, done=done, of=count)

        def ask(request: ChatRequest, number: int, key: str = key) -> str:
            return model.ask(request, language=language, name=f"{naming.pk} {key} {number}").text

        try:
            with suite_named(naming.run.suite).library.in_place(words):
                made = name_group(evidence, language, ask)
        except ModelFailure as failure:
            if failure.kind == "cancelled" and not is_wanted():
                raise JobCancelled(_("The naming was stopped.")) from failure
            raise
        if made.name is None:
            log.warning(
                "%s gave group %s no name (%s): %r", naming.model, key, made.problem, made.answers[-1]
            )
        namings.store_name(claimed=claimed, naming=naming, key=key, made=made)
    namings.finish_naming(claimed=claimed)


group_naming = WholeJob(GROUP_NAMING, _name_groups, namings.end_naming, (ModelFailure,))
