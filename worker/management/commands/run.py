"""`manage.py run NAME`: many sessions of one configuration, from start to figures."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from functools import partial
from time import perf_counter
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from rich.table import Table

from benchmark.core.model_use import ModelUse
from benchmark.core.tool_use import ToolUse, total
from benchmark.metrics import OF_CACHES
from webapp.caches.options import add_sandbox_arguments, sandbox_of
from webapp.catalogue.forms import known_levels
from webapp.catalogue.models import TaskCollection
from webapp.catalogue.options import world_of
from webapp.commands import (
    BAD_INPUT,
    INTERRUPT_CODE,
    DatabaseCommand,
    add_json,
    page_address,
    print_result,
    say,
)
from webapp.endpoints.options import add_participant_arguments, endpoint_named, participants_of
from webapp.endpoints.wording import cost_words, latency_words, role_words, tokens_words, why_words
from webapp.people.options import add_study_argument, study_of_options, tell_links
from webapp.prompts.options import add_prompts_argument, prompts_of
from webapp.runs import selectors
from webapp.runs.choosing import ChosenTasks, TaskChoice, choose_tasks
from webapp.runs.estimation import LEAST, Players, estimate_run
from webapp.runs.figures import Figures, Outcome, by_difficulty, compared_metrics, model_uses_of, uses_of
from webapp.runs.options import add_limits, budget_in, pause_after_in, paused_words, state_of
from webapp.runs.services import create_run, refuse_size
from webapp.runs.wording import estimate_basis_words, estimate_words, shown_means
from webapp.seats.models import Seat
from webapp.sessions.models import PAUSE_AFTER, Run
from webapp.sessions.options import add_option_arguments, add_sampling_arguments, options_in, sampling_in
from webapp.sessions.services import Setup
from webapp.terminal import Report, progress_bar, table, text_of
from webapp.wording.metrics import percent_label
from webapp.wording.models import failure_words
from webapp.wording.numbers import share_words
from worker.foreground import play

MOST_THREADS = 16
USE = ("calls", "hits", "misses", "simulated", "live")


class Command(DatabaseCommand):
    help = "Play a run. Exit code 0: all sessions finished, 1: some crashed or were stopped, 2: bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="What the run is called")
        parser.add_argument("--tasks", nargs="+", default=[], metavar="ID", help="Ids of tasks")
        parser.add_argument("--collection", default="", help="All tasks of a collection, in place of --tasks")
        parser.add_argument(
            "--difficulty", default="", choices=known_levels(), help="Only tasks of this kind"
        )
        parser.add_argument("--world", help="By default the one that the tasks were made for")
        add_participant_arguments(parser)
        add_study_argument(parser)
        parser.add_argument("--seed", type=int, default=0, help="Of the first trial; the next count on")
        parser.add_argument("--trials", type=int, default=1, help="Sessions a task")
        add_sandbox_arguments(parser)
        add_limits(parser)
        parser.add_argument("--judge", metavar="MODEL", help="Have workers judge each session as it ends")
        parser.add_argument("--workers", type=int, default=2, help=f"Threads, 1 to {MOST_THREADS}")
        parser.add_argument("--enqueue", action="store_true", help="Leave the sessions to the workers")
        parser.add_argument(
            "--estimate", action="store_true", help="Tell what the run would take; start nothing"
        )
        add_json(parser)
        add_prompts_argument(parser)
        add_sampling_arguments(parser)
        add_option_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["workers"] <= MOST_THREADS:
            raise CommandError(f"--workers must be 1 to {MOST_THREADS}", returncode=BAD_INPUT)
        if options["estimate"]:
            self._tell_estimate(options)
            return
        run = _create(options)
        count = run.sessions.count()
        begun = f"run {run.pk}: {count} sessions, {page_address(run)}"
        if options["enqueue"]:
            result = {"run": run.pk, "sessions": count, "page": page_address(run)}
            print_result(self, options, result, begun)
        else:
            say(self, options, begun)
        seats = Seat.objects.filter(session__run=run)
        tell_links(self, seats, reverse("run_seats", args=[run.pk]), waits=not options["enqueue"])
        if not options["enqueue"]:
            self._play(run, options)

    def _tell_estimate(self, options: dict[str, Any]) -> None:
        choice = _tasks(options)
        suite = choice.tasks[0].suite
        setup = Setup(**participants_of(options, suite)).of(suite)
        players = Players(suite, setup.agent, setup.users, setup.agent_model, setup.user_model)
        counts = Counter(choice.tasks.order_by().values_list("difficulty", flat=True))
        sessions = {level: count * options["trials"] for level, count in counts.items()}
        estimate = estimate_run(players, sessions, options["at_once"])
        size = f"{sum(sessions.values())} sessions."
        if estimate is None:
            words = (
                f"{size} Nothing can be told: fewer than {LEAST} sessions of such participants have finished."
            )
        else:
            words = " ".join(filter(None, (size, estimate_words(estimate), estimate_basis_words(estimate))))
        result = {"sessions": sum(sessions.values()), "estimate": asdict(estimate) if estimate else None}
        print_result(self, options, result, words)

    def _play(self, run: Run, options: dict[str, Any]) -> None:
        begun = perf_counter()
        try:
            with progress_bar() as report:
                play(run, threads=options["workers"], report=partial(_show, report))
        except KeyboardInterrupt:
            unsettled = selectors.unsettled_sessions(run)
            raise CommandError(
                f"interrupted; {len(unsettled)} sessions are left, with which the workers go on "
                f"(make run), unless they are stopped on {page_address(run)}",
                returncode=INTERRUPT_CODE,
            ) from None
        self._tell(run, perf_counter() - begun, options)

    def _tell(self, run: Run, seconds: float, options: dict[str, Any]) -> None:
        now = selectors.progress([run])[run.pk]
        outcomes = selectors.outcomes([run])[run.pk]
        cached = run.has_cache
        tables = text_of(_scores(outcomes, run.suite, cached)) + text_of(_tools(outcomes, cached))
        ended = f"{now.finished} finished, {now.crashed} crashed, {now.stopped} stopped, {seconds:.1f} s"
        result = {
            **state_of(run),
            "seconds": round(seconds, 1),
            "figures": {
                name or "all": _figures_json(part) for name, part in by_difficulty(outcomes, run.suite)
            },
            "tools": {tool: use.summary() for tool, use in uses_of(outcomes).items()},
            "models": [use.summary() for use in model_uses_of(outcomes)],
        }
        print_result(self, options, result, tables + _models(outcomes) + ended)
        if now.going:
            raise CommandError(f"paused: {paused_words(run)}; control_run resume {run.pk} goes on with it")
        if now.finished < now.sessions:
            raise CommandError(f"{now.sessions - now.finished} of {now.sessions} sessions did not finish")


def _show(report: Report, now: selectors.Progress) -> None:
    report(now.ended, now.sessions, f"{now.running} running, {now.crashed} crashed")


def _create(options: dict[str, Any]) -> Run:
    choice = _tasks(options)
    sandbox = sandbox_of(options)
    suite = choice.tasks[0].suite
    players = participants_of(options, suite)
    common = {"seed": options["seed"], "options": options_in(options, suite)}
    common |= {"prompt_set": prompts_of(options), "sampling": sampling_in(options)}
    study = study_of_options(options, players["agent"], players["users"], players["seats"])
    refuse_size(choice.count, options["trials"], options["seed"])  # before they are read
    limits = {"at_once": options["at_once"], "budget": budget_in(options["budget"], options["budget_alarm"])}
    after = pause_after_in(options)
    return create_run(
        name=options["name"][:100],
        tasks=choice.in_order(),
        world=world_of(choice.tasks, options["world"]),
        setup=Setup(**players, **study, **common, sandbox=sandbox),
        trials=options["trials"],
        **limits,
        pause_after=PAUSE_AFTER if after is None else after,
        judge=endpoint_named(options["judge"]) if options["judge"] else None,
        start=options["enqueue"],
    )


def _tasks(options: dict[str, Any]) -> ChosenTasks:
    ids, collection, difficulty = (options[name] for name in ("tasks", "collection", "difficulty"))
    if bool(ids) == bool(collection or difficulty):
        raise CommandError("say --tasks, or --collection and --difficulty", returncode=BAD_INPUT)
    collections = TaskCollection.objects.filter(complete=True)
    if collection and not collections.filter(name=collection).exists():
        known = ", ".join(collections.values_list("name", flat=True)) or "none"
        raise CommandError(f"there is no collection “{collection}”; there are: {known}", returncode=BAD_INPUT)
    choice = choose_tasks(TaskChoice(tuple(dict.fromkeys(ids)), collection, difficulty))
    if choice.unknown_ids:
        raise CommandError(
            f"there is no task {', '.join(choice.unknown_ids)}; import_tasks brings tasks in",
            returncode=BAD_INPUT,
        )
    if not choice.count:
        raise CommandError("no task of this collection has this difficulty", returncode=BAD_INPUT)
    return choice


def _scores(outcomes: list[Outcome], suite: str, cached: bool) -> Table:
    """A row a metric, as there may be more than columns fit. cached: whether there is a cache that calls can hit."""
    shown = [metric for metric in compared_metrics(suite) if cached or metric.key not in OF_CACHES]
    parts = list(by_difficulty(outcomes, suite))
    rows = table("", *(difficulty or "all" for difficulty, _ in parts))
    rows.add_row("sessions", *(str(figures.sessions) for _, figures in parts))
    means = zip(*(shown_means(figures, shown) for _, figures in parts), strict=True)
    for metric, row in zip(shown, means, strict=True):
        rows.add_row(percent_label(metric), *(f"{value} ({of})" if of else value for value, of in row))
    return rows


def _figures_json(figures: Figures) -> dict[str, Any]:
    return {
        "sessions": figures.sessions,
        "crashed": figures.crashed,
        "judged": figures.judged,
        "values": figures.values,
    }


def _tools(outcomes: list[Outcome], cached: bool) -> Table:
    """cached: as for `_scores`."""
    counts = USE if cached else ("calls",)
    rows = table("tool", *counts, "errors", *(["hits %"] if cached else []), "median ms", "errors by kind")
    uses = uses_of(outcomes)
    for name, use in [*uses.items(), ("all", total(uses.values()))]:
        rate = [share_words(use.hit_rate)] if cached else []
        rows.add_row(
            name, *(str(getattr(use, field)) for field in counts), str(use.error_count), *rate, *_rest(use)
        )
    return rows


def _rest(use: ToolUse) -> tuple[str, str]:
    kinds = ", ".join(f"{kind} {count}" for kind, count in use.errors_by_kind)
    return "–" if use.latency_ms is None else f"{use.latency_ms:.1f}", kinds


def _models(outcomes: list[Outcome]) -> str:
    uses = model_uses_of(outcomes)
    if not uses:
        return ""
    rows = table(
        "model", "asked by", "requests", "retries", "failed", "in", "out", "unknown", "cost", "median"
    )
    for use in uses:
        counts = (str(number) for number in (use.calls, use.retries, use.failure_count))
        tokens = (tokens_words(use, name) for name in ("prompt", "completion"))
        rest = str(use.unknown), cost_words(use), latency_words(use.latency_ms)
        rows.add_row(use.endpoint, role_words(use.role), *counts, *tokens, *rest)
    return text_of(rows) + "".join(_troubles(use) for use in uses)


def _troubles(use: ModelUse) -> str:
    """The failures of an endpoint by kind, and why answers of it did not count."""
    troubles = [(failure_words(kind), count) for kind, count in use.failures_by_kind]
    troubles += [(f"did not count: {why_words(why)}", n) for why, n in use.drafts_by_why]
    words = ", ".join(f"{word} {count}" for word, count in troubles)
    return f"{use.endpoint}, {role_words(use.role)}: {words}\n" if words else ""
