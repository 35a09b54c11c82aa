"""`manage.py control_run VERB RUN`: what the page of a run offers."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError, CommandParser

from webapp.commands import (
    INTERRUPT_CODE,
    DatabaseCommand,
    add_json,
    add_verb,
    page_address,
    print_result,
)
from webapp.runs import control
from webapp.runs.budget import budget_of
from webapp.runs.deletion import delete_run, deletion_of_run
from webapp.runs.failures import causes
from webapp.runs.options import add_limits, budget_in, pause_after_in, state_of, state_words
from webapp.runs.selectors import progress
from webapp.sessions.options import run_named
from webapp.terminal import progress_bar

LOOK_S = 1.0


class Command(DatabaseCommand):
    help = "Look after a run: show, follow, pause, resume, cancel, retry, rename, limit, add trials, delete."

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(required=True, metavar="VERB")
        add_verb(verbs, "show", self._tell, "How far it is, and why sessions failed")
        add_verb(verbs, "follow", self._follow, "Show its progress until nothing goes on")
        add_verb(verbs, "pause", self._pause, "Let no session take a further step")
        add_verb(verbs, "resume", self._resume, "Go on with what is paused")
        add_verb(verbs, "cancel", self._cancel, "End all sessions that have not ended")
        add_verb(verbs, "retry", self._retry, "Play the sessions that crashed again, with their seeds")
        rename = add_verb(verbs, "rename", self._rename, "Call it something else")
        add_limits(add_verb(verbs, "limit", self._limit, "How much goes on at once, and what it may cost"))
        trials = add_verb(verbs, "trials", self._trials, "Play each task until it has so many trials")
        delete = add_verb(verbs, "delete", self._delete, "Say what would be deleted; with --yes, delete it")
        for verb in verbs.choices.values():
            verb.add_argument("run", help="Its id or its name")
            add_json(verb)
        rename.add_argument("name")
        trials.add_argument("trials", type=int)
        delete.add_argument("--yes", action="store_true", help="Do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        options["do"](options)

    def _pause(self, options: dict[str, Any]) -> None:
        control.pause(run_named(options["run"]))
        self._tell(options)

    def _resume(self, options: dict[str, Any]) -> None:
        control.resume(run_named(options["run"]))
        self._tell(options)

    def _cancel(self, options: dict[str, Any]) -> None:
        control.cancel(run_named(options["run"]))
        self._tell(options)

    def _retry(self, options: dict[str, Any]) -> None:
        control.retry(run_named(options["run"]))
        self._tell(options)

    def _rename(self, options: dict[str, Any]) -> None:
        run = run_named(options["run"])
        control.rename(run, options["name"][:100])
        self._tell({**options, "run": run.pk})  # the name that was given is nobody's any more

    def _limit(self, options: dict[str, Any]) -> None:
        """What is not said stays."""
        run = run_named(options["run"])
        at_once = run.at_once if options["at_once"] is None else options["at_once"]
        alarm = options["budget_alarm"]
        budget = budget_in(options["budget"], run.budget_alarm or 0) or budget_of(run)
        if budget is not None and alarm is not None:
            budget = replace(budget, alarm=alarm or None)
        control.set_limits(run, at_once=at_once, budget=budget, pause_after=pause_after_in(options))
        self._tell(options)

    def _trials(self, options: dict[str, Any]) -> None:
        control.set_trials(run_named(options["run"]), options["trials"])
        self._tell(options)

    def _tell(self, options: dict[str, Any]) -> None:
        run = run_named(options["run"])
        run_causes = causes(run)
        failures = [
            {
                "count": cause.count,
                "reason": cause.reason,
                "detail": cause.detail,
                "sessions": [s.pk for s in cause.sessions],
            }
            for cause in run_causes
        ]
        lines = [f"  {cause.count} × {cause.reason}: {cause.detail or '–'}" for cause in run_causes]
        words = "\n".join([state_words(run), page_address(run), *lines])
        print_result(self, options, {**state_of(run), "failures": failures}, words)

    def _follow(self, options: dict[str, Any]) -> None:
        run = run_named(options["run"])
        try:
            with progress_bar() as report:
                while not (now := progress([run])[run.pk]).settled and not now.resting:
                    report(now.ended, now.sessions, f"{now.running} running, {now.crashed} crashed")
                    time.sleep(LOOK_S)
                report(now.ended, now.sessions, f"{now.finished} finished, {now.crashed} crashed")
        except KeyboardInterrupt:
            raise CommandError("the run goes on", returncode=INTERRUPT_CODE) from None
        self._tell(options)

    def _delete(self, options: dict[str, Any]) -> None:
        run = run_named(options["run"])
        pk, goes = run.pk, deletion_of_run(run)
        words = (
            f"run {run.pk}, {run.name}: {goes.sessions} sessions ({goes.going} have not ended), {goes.retried} that "
            f"were played again, {goes.rerun_count} re-runs, {goes.events} events, {goes.judgements} judgements, "
            f"{goes.notes} notes"
        )
        if options["yes"]:
            delete_run(run)
        told = f"deleted {words}" if options["yes"] else f"--yes deletes {words}"
        print_result(self, options, {"run": pk, "deleted": options["yes"], "events": goes.events}, told)
