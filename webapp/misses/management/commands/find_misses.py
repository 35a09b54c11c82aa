"""`manage.py find_misses RUN`: what a run lost, and why."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandParser

from benchmark.misses import RunMisses
from benchmark.outputs import open_output
from webapp.commands import DatabaseCommand, page_address
from webapp.endpoints.options import endpoint_named
from webapp.misses.files import misses_csv, misses_json
from webapp.misses.models import NamedGroup
from webapp.misses.naming import names_of, start_naming
from webapp.misses.reading import catch_up, fold_run, session_misses
from webapp.misses.wording import Words, share_words, waste_words
from webapp.prompts.services import version_named
from webapp.sessions.models import Run
from webapp.sessions.options import run_named
from webapp.terminal import progress_bar

FORMATS = ("text", "csv", "json")


class Command(DatabaseCommand):
    help = "Tell what the sessions of a run lost, and why: wishes, faults of plans, wasted steps, in groups."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", metavar="RUN", help="A run's id or its name")
        parser.add_argument(
            "--format",
            default="text",
            choices=FORMATS,
            help="csv: a line a miss; json: groups with their events",
        )
        parser.add_argument(
            "--name-groups-by",
            metavar="MODEL",
            help="Have this model name the groups that lost most (endpoint list); a worker asks it",
        )
        parser.add_argument(
            "--prompts",
            metavar="NAME[@VERSION]",
            help="The set of prompts by whose words that model is asked; without, the shipped words",
        )
        parser.add_argument("--out", type=Path, metavar="FILE", help="By default it is printed")

    def handle(self, *args: Any, **options: Any) -> None:
        run = run_named(options["run"])
        if options["name_groups_by"]:
            words = version_named(options["prompts"]) if options["prompts"] else None
            endpoint = endpoint_named(options["name_groups_by"])
            naming = start_naming(run=run, endpoint=endpoint, prompt_set=words)
            self.stderr.write(f"{naming.model} names the groups: {page_address(run)}misses/#names")
        with progress_bar() as progress:
            catch_up([run], progress=lambda done, whole: progress(done, whole, "sessions read"))
        sessions, failed = session_misses(run)
        folded = fold_run(run.suite, sessions)
        if options["format"] == "csv":
            text = misses_csv(run, sessions)
        elif options["format"] == "json":
            text = orjson.dumps(misses_json(run, folded, failed, names_of(run)[1])).decode() + "\n"
        else:
            text = _words(run, folded, names_of(run)[1])
        for pk in failed:
            self.stderr.write(f"session {pk}: nothing could be found; the worker's log says why")
        if options["out"] is None:
            self.stdout.write(text, ending="")
            return
        with open_output(options["out"]) as out:
            out.write(text.encode())
        self.stdout.write(f"{folded.sessions} sessions: {options['out']}")


def _words(run: Run, folded: RunMisses, names: Mapping[str, NamedGroup]) -> str:
    words = Words(run.suite)
    lines = [f"{run.name}: {folded.sessions} sessions"]
    for lost in folded.losses:
        mean = words.points(lost.metric, lost.points / (folded.sessions or 1))
        lines.append(f"\n{words.metric_label(lost.metric)}: {mean} lost per session")
        lines += [
            f"  {share_words(group.share):>5} %  {words.cause(group.cause).label}: {words.kind(group.kind)}"
            f" ({group.count} in {len(group.members)} sessions)"
            + (f" “{name.name}”" if (name := names.get(group.key)) and name.name else "")
            for group in lost.groups
        ]
    if folded.waste:
        lines.append(f"\n{folded.steps} steps of the agent, of which wasted:")
        lines += [
            f"  {share_words(kind.share):>5} %  {waste_words(kind.kind).label} ({kind.count})"
            for kind in folded.waste
        ]
    return "\n".join(lines) + "\n"
