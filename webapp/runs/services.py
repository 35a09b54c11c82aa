"""Writing runs: all their sessions start, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from benchmark.core.view import AGENT
from benchmark.models.sampling import NO_SAMPLING, Sampling
from benchmark.suites import suite_named
from sandbox.toolbox import SandboxSetup
from webapp.accounts.models import User
from webapp.caches.choice import SandboxChoice, sandbox_setup
from webapp.catalogue.models import Task, World
from webapp.commit import commit
from webapp.endpoints.choice import check_models, refuse_sampling, sampling_at
from webapp.endpoints.models import ModelEndpoint
from webapp.forms import ChoiceRefused
from webapp.judging.services import follow_run, refuse_judge
from webapp.prompts.choice import describe, refuse_unusable
from webapp.runs.budget import Budget, models_of, refuse_budget
from webapp.sessions.models import BUDGET_ALARM, PAUSE_AFTER, TOKENS, Run
from webapp.sessions.services import (
    MAX_SEED,
    Draft,
    Setup,
    draft_session,
    hand_over,
    lacks_of,
    options_of,
    store_sessions,
    stored_sampling,
)
from webapp.wording.lists import join_items

MAX_SESSIONS = 5_000
MAX_AT_ONCE = 1_000
BATCH = 200


def create_run(
    *,
    name: str,
    tasks: Sequence[Task],
    world: World,
    setup: Setup,
    trials: int = 1,
    at_once: int | None = None,
    budget: Budget | None = None,
    pause_after: int = PAUSE_AFTER,
    judge: ModelEndpoint | None = None,
    created_by: User | None = None,
    start: bool = True,
    also: Callable[[Run], object] | None = None,
) -> Run:
    """A run of `trials` sessions over each task, of the seeds setup.seed, setup.seed + 1 and so on.

    All of them see the sandbox in the state it has now. at_once: how many may be begun and not ended, None for any
    number. budget: with which it is paused. pause_after: failed requests to one model in a row with which it is, too,
    0 for never. judge: judges each session as it ends. `start` hands them to the workers. also: what is stored with
    the run or not at all.

    Raises:
        ChoiceRefused: there is no task, they are of several benchmarks, there are too many sessions, the world lacks
            cities of some tasks (all are named), its pack can't be opened, the sandbox can't be set up, a
            participant and its model do not go together, an option can't be as it is chosen, or a budget in money
            is set for models without prices. Nothing is stored.
    """
    refuse_size(len(tasks), trials, setup.seed)
    suite = _suite_of(tasks)
    setup = setup.of(suite)
    check_models(
        agent=setup.agent,
        agent_model=setup.agent_model,
        users=setup.users,
        user_model=setup.user_model,
        suite=suite,
    )
    _refuse_unfit(tasks, world, setup.sandbox)
    with suite_named(suite).library.in_place(setup.words):
        sandbox = sandbox_setup(setup.sandbox, world, suite_named(suite).play.toolset)
    setup = replace(setup, options=options_of(setup, suite))
    if setup.prompt_set is not None:
        refuse_unusable(setup.prompt_set, suite)
    refuse_sampling(sampling_at(AGENT, setup.sampling), setup.agent_model, "agent")
    refuse_sampling(sampling_at("", setup.sampling), setup.user_model, "users")
    described = _describe_setup(setup, world, sandbox)
    refuse_limits(at_once, budget, described)
    if judge is not None:
        refuse_judge(judge, suite)
    run = Run(
        name=name,
        suite=suite,
        setup=described,
        seed=setup.seed,
        trials=trials,
        at_once=at_once,
        budget=budget.amount if budget else None,
        budget_unit=budget.unit if budget else TOKENS,
        budget_alarm=budget.alarm if budget else BUDGET_ALARM,
        pause_after=pause_after,
        created_by=created_by,
    )
    drafts = list(_drafts(run, tasks, world, setup, sandbox))  # outside: SQLite has one writer at a time
    with transaction.atomic():
        run.save(force_insert=True)
        for begin in range(0, len(drafts), BATCH):
            store_sessions(drafts[begin : begin + BATCH])
        if judge is not None:
            follow_run(run=run, judge=judge, prompt_set=setup.prompt_set, created_by=created_by)
        if also is not None:
            also(run)
    if start:
        hand_over(run.sessions.all())
    return run


def refuse_limits(at_once: int | None, budget: Budget | None, setup: dict[str, Any]) -> None:
    """Raise ChoiceRefused for limits that can't be held. setup: that of a run."""
    if at_once is not None and not 1 <= at_once <= MAX_AT_ONCE:
        words = _("A run plays 1 to %(most)s sessions at once.") % {"most": MAX_AT_ONCE}
        raise ChoiceRefused(words, "at_once")
    refuse_budget(budget, models_of(setup))


def refuse_size(tasks: int, trials: int, seed: int) -> None:
    """Raise ChoiceRefused for no sessions or too many, and for seeds out of range."""
    if not tasks:
        raise ChoiceRefused(_("No task is chosen. A run needs at least one."), "tasks")
    if trials < 1:
        raise ChoiceRefused(_("A run needs at least one trial of each task."), "trials")
    if tasks * trials > MAX_SESSIONS:
        raise ChoiceRefused(
            _(
                "%(tasks)s tasks × %(trials)s trials are %(sessions)s sessions, and at most %(most)s "
                "are allowed. Split the run."
            )
            % {"tasks": tasks, "trials": trials, "sessions": tasks * trials, "most": MAX_SESSIONS},
            "trials",
        )
    if not 0 <= seed <= MAX_SEED - trials + 1:
        raise ChoiceRefused(
            _("The seeds of all trials must lie between 0 and %(most)s.") % {"most": MAX_SEED}, "seed"
        )


def _suite_of(tasks: Sequence[Task]) -> str:
    if len(suites := {task.suite for task in tasks}) > 1:
        raise ChoiceRefused(_("These tasks belong to several benchmarks; choose those of one."), "tasks")
    return suites.pop()


def unfit(tasks: Sequence[Task], world: World, sandbox: SandboxChoice) -> dict[tuple[str, ...], list[str]]:
    """The tasks that can't run in a world, by what it lacks for them, in words.

    Raises:
        ChoiceRefused: the world's pack can't be opened.
    """
    reasons: dict[tuple[str, ...], list[str]] = {}
    for task in tasks:
        if lacking := lacks_of(task, world, sandbox):
            reasons.setdefault(tuple(lacking), []).append(task.task_id)
    return reasons


def _refuse_unfit(tasks: Sequence[Task], world: World, sandbox: SandboxChoice) -> None:
    reasons = unfit(tasks, world, sandbox)
    if not reasons:
        return
    lines = (
        _("no %(lacks)s for %(tasks)s") % {"lacks": join_items(lacks), "tasks": join_items(ids)}
        for lacks, ids in reasons.items()
    )
    raise ChoiceRefused(
        _(
            "World “%(world)s” can't serve %(count)s of %(all)s tasks: %(why)s. Choose another world, "
            "import one that has them, or choose other tasks."
        )
        % {
            "world": world.name,
            "count": sum(map(len, reasons.values())),
            "all": len(tasks),
            "why": "; ".join(lines),
        },
        "world",
    )


def _describe_setup(setup: Setup, world: World, sandbox: SandboxSetup) -> dict[str, Any]:
    """What a run says of itself without its sessions' logs."""
    of_users = sampling_at("", setup.sampling)
    apart = {
        name: {"kind": seated.kind, "model": _model(seated.model, of_users)}
        for name, seated in setup.seats.items()
    }
    rare: dict[str, Any] = {"seats": apart} if apart else {}
    if setup.prompt_set is not None:
        rare["prompt_set"] = describe(setup.prompt_set)
    if stored := stored_sampling(setup.sampling):
        rare["sampling"] = stored
    if setup.attendance is not None:
        rare |= {"study": setup.study, "attendance": setup.attendance.model_dump(mode="json")}
    return rare | {
        "agent": setup.agent,
        "users": setup.users,
        "agent_model": _model(setup.agent_model, sampling_at(AGENT, setup.sampling), for_agent=True),
        "user_model": _model(setup.user_model, of_users),
        "simulator_model": _model(setup.sandbox.simulating),
        "options": dict(setup.options),
        "world": world.name,
        "sandbox": sandbox.model_dump(),
        "commit": commit(),
    }


def _model(
    endpoint: ModelEndpoint | None, sampling: Sampling = NO_SAMPLING, *, for_agent: bool = False
) -> dict[str, object] | None:
    return sampling.of(endpoint.setup(for_agent=for_agent)).model_dump() if endpoint else None


def _drafts(
    run: Run, tasks: Sequence[Task], world: World, setup: Setup, sandbox: SandboxSetup
) -> Iterator[Draft]:
    """The first trial of each task comes first, so that figures over all tasks are there early."""
    for trial in range(run.trials):
        of_trial = {role: own.later(trial) for role, own in setup.sampling.items()}
        for task in tasks:
            yield draft_session(
                task=task,
                world=world,
                setup=replace(setup, seed=setup.seed + trial, sampling=of_trial),
                sandbox=sandbox,
                created_by=run.created_by,
                run=run,
                trial_id=trial,
            )
