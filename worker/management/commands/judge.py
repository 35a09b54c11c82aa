"""`manage.py judge RUN|SESSION… --model NAME`: sessions judged by a model, from start to figures."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.judging import PUBLISHED
from webapp.commands import (
    BAD_INPUT,
    INTERRUPT_CODE,
    DatabaseCommand,
    add_json,
    page_address,
    print_result,
    say,
)
from webapp.endpoints.options import endpoint_named
from webapp.endpoints.wording import cost_words, latency_words, tokens_words
from webapp.judging import selectors
from webapp.judging.models import JudgeBatch
from webapp.judging.selectors import META
from webapp.judging.services import start_batch
from webapp.judging.wording import (
    counted_words,
    dimension_words,
    faults_words,
    left_out_words,
    seat_words,
    spread_words,
)
from webapp.prompts.options import add_prompts_argument, prompts_of
from webapp.sessions.models import Run, Session
from webapp.sessions.options import run_named
from webapp.terminal import Report, progress_bar, table, text_of
from worker.foreground import run_in_threads
from worker.steppers.judgements import advance_judgement

MOST_THREADS = 16
AGAIN_S = 0.5
"""A batch whose judgements all wait, or are held by workers, is looked at again after this."""


class Command(DatabaseCommand):
    help = "Judge sessions. Exit code 0: all have a score, 1: some have none, 2: bad input."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "targets", nargs="+", metavar="RUN|SESSION", help="One run by id or name, or ids of sessions"
        )
        parser.add_argument("--model", required=True, metavar="NAME", help="The judge (endpoint list)")
        parser.add_argument(
            "--meta-model", metavar="NAME", help="The meta-judge; the judge itself without it"
        )
        parser.add_argument(
            "--no-meta-judge", action="store_true", help="Ask none: the judge's ratings count as they are"
        )
        parser.add_argument(
            "--rubric",
            default="",
            metavar="NAME",
            help="What the judge rates, where the benchmark has several rubrics; its first without it",
        )
        parser.add_argument(
            "--input",
            choices=list(selectors.forms_offered()),
            default=PUBLISHED,
            help="What the judge is shown: as the benchmark published it, or another input of Caravan's own",
        )
        add_prompts_argument(parser)
        parser.add_argument("--repeats", type=int, default=1, help="How often each session is judged")
        parser.add_argument(
            "--ask-anew",
            action="store_true",
            help="Ask what the judge has already answered about the same plan or conversation, too",
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        batch = _begin_batch(options)
        count = _count_words(batch.judgements.count())
        begun = [f"judging {batch.pk}: {count}, {batch.form} input, {_rubric(batch)}{page_address(batch)}"]
        if batch.run and (left_out := left_out_words(selectors.left_out(batch.run, batch.rubric))):
            begun.append(left_out)
        say(self, options, "\n".join(begun))
        try:
            with progress_bar() as report:
                _judge(batch, report)
        except KeyboardInterrupt:
            left = selectors.progress([batch])[batch.pk].queued
            raise CommandError(
                f"interrupted; {_count_words(left)} left, with which the workers go on (make run), unless they are "
                f"stopped on {page_address(batch)}",
                returncode=INTERRUPT_CODE,
            ) from None
        self._tell(batch, options)

    def _tell(self, batch: JudgeBatch, options: dict[str, Any]) -> None:
        now = selectors.progress([batch])[batch.pk]
        words = _figures(batch) + _use(batch) + _troubles(batch)
        if now.empty:
            words += f"{now.empty} not asked, since the session crashed without a conversation: 0\n"
        if reused := batch.judgements.exclude(source_session="").count():
            words += f"{reused} with ratings re-used from earlier judgements (--ask-anew asks for new ones)\n"
        words += f"{now.judged} judged, {now.broken} unusable, {now.failed} without an answer, {now.stopped} stopped"
        result = {
            "batch": batch.pk,
            "progress": asdict(now),
            "figures": asdict(selectors.figures_of(batch)),
            "use": [use.summary() for use in selectors.uses_of(batch)],
        }
        print_result(self, options, result, words)
        if now.unanswered:
            has = "has" if now.unanswered == 1 else "have"
            raise CommandError(f"{_count_words(now.unanswered)} of {now.all} {has} no score")


def _count_words(count: int) -> str:
    return f"{count} judgement" if count == 1 else f"{count} judgements"


def _rubric(batch: JudgeBatch) -> str:
    return f"rubric {batch.rubric}, " if batch.rubric else ""


def _begin_batch(options: dict[str, Any]) -> JudgeBatch:
    judge = endpoint_named(options["model"])
    meta_judge = endpoint_named(options["meta_model"]) if options["meta_model"] else None
    run, sessions = _choose_targets(options["targets"], options["rubric"])
    return start_batch(
        sessions=sessions,
        judge=judge,
        meta_judge=meta_judge,
        calibrated=not options["no_meta_judge"],
        repeats=options["repeats"],
        rubric=options["rubric"],
        form=options["input"],
        reuses_ratings=not options["ask_anew"],
        prompt_set=prompts_of(options),
        run=run,
    )


def _choose_targets(targets: list[str], rubric: str) -> tuple[Run | None, list[Session]]:
    runs = Run.objects.in_bulk(targets)
    if len(targets) == 1 and not runs and Run.objects.filter(name=targets[0]).exists():
        return (run := run_named(targets[0])), selectors.sessions_of_run(run, rubric)
    if len(targets) == 1 and targets[0] in runs:
        run = runs[targets[0]]
        return run, selectors.sessions_of_run(run, rubric)
    if runs:
        named = " and ".join(sorted(runs))
        are = f"{named} is a run" if len(runs) == 1 else f"{named} are runs"
        words = f"{are}: name one run, or any number of sessions"
        raise CommandError(words, returncode=BAD_INPUT)
    sessions = selectors.sessions_named(targets)
    there = {session.pk for session in sessions}
    if missing := [pk for pk in targets if pk not in there]:
        words = f"there is no run or session of this name: {', '.join(missing)}"
        raise CommandError(words, returncode=BAD_INPUT)
    return None, sessions


def _judge(batch: JudgeBatch, report: Report) -> None:
    """Take judgements until all have ended, beside whatever workers do the same."""

    def work(wanted: Callable[[], bool]) -> None:
        while wanted() and selectors.is_going(batch):
            if not any(wanted() and advance_judgement(pk) for pk in selectors.due_in(batch)):
                threading.Event().wait(AGAIN_S)

    def look() -> None:
        now = selectors.progress([batch])[batch.pk]
        report(now.ended, now.all, f"{now.asking} being asked, {now.unanswered} without a score")

    run_in_threads(min(MOST_THREADS, max(batch.judge.concurrency, batch.meta_judge.concurrency)), work, look)


def _figures(batch: JudgeBatch) -> str:
    figures = selectors.figures_of(batch)
    rows = table("dimension", "mean ± std" if batch.repeats > 1 else "mean")
    for name in batch.criteria.names:
        rows.add_row(dimension_words(name, batch.suite), spread_words(figures.dimensions.get(name)))
    rows.add_row("meta-judge", spread_words(figures.meta))
    rows.add_row("S", spread_words(figures.score, 1))
    return f"{text_of(rows)}{counted_words(figures)}\n"


def _use(batch: JudgeBatch) -> str:
    rows = table("asked", "requests", "retries", "failed", "in", "out", "cost", "median")
    for use in selectors.uses_of(batch):
        counts = (str(number) for number in (use.calls, use.retries, use.failure_count))
        tokens = (tokens_words(use, name) for name in ("prompt", "completion"))
        rows.add_row(seat_words(use.role), *counts, *tokens, cost_words(use), latency_words(use.latency_ms))
    return text_of(rows)


def _troubles(batch: JudgeBatch) -> str:
    """One line a judgement that has no score, or whose answer had a fault."""
    lines = []
    for row in selectors.judgements(batch):
        problems = [row.problem] if row.problem else []
        problems += faults_words(row.faults, batch.suite)
        problems += [f"{seat_words(META)}: {words}" for words in faults_words(row.meta_faults, batch.suite)]
        if problems:
            lines.append(f"{row.session_id}, {row.get_status_display()}: {'; '.join(problems)}\n")
    return "".join(lines)
