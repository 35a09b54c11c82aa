"""`manage.py export_run RUN`: the sessions of a run for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchmark.advantages.gtpo import Normalisation
from benchmark.exports.rows import NoParquet
from benchmark.exports.training import TrainingCounts
from webapp.audits.models import Act, Way
from webapp.audits.services import note_access
from webapp.commands import BAD_INPUT, DatabaseCommand, add_json, print_result
from webapp.exchange.formats import RUN_ENDINGS, write_run
from webapp.exchange.training import TRAINING_ENDINGS, NotOfRepairs, NoTraining, TrainingOptions
from webapp.repairs.options import repair_named
from webapp.sessions.options import run_named
from webapp.terminal import progress_bar


class Command(DatabaseCommand):
    help = (
        "Write the sessions of a run that have ended: a log for Inspect, a folder, JSON lines or Parquet, or a set "
        "for training (docs/training.md)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", help="A run's id or its name")
        parser.add_argument("--format", choices=list(RUN_ENDINGS), required=True)
        parser.add_argument("--out", type=Path, required=True, help="File to write, of folder a new folder")
        parser.add_argument(
            "--pseudonyms", action="store_true", help="People are P1, P2 … in it, without names"
        )
        parser.add_argument(
            "--without",
            action="append",
            default=[],
            choices=["gin", "trd", "trn"],
            help="A part of GTPO that rollouts leave out; again for another one",
        )
        parser.add_argument(
            "--context",
            type=int,
            metavar="TOKENS",
            help="Of rollouts: a turn with a request and answer of more tokens is masked, with all after it",
        )
        parser.add_argument(
            "--repair",
            metavar="ID",
            help="Of sft: the conversations of a repair of the run (repair_run), in place of those as they were",
        )
        add_json(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        run = run_named(options["run"])
        path: Path = options["out"]
        counts = TrainingCounts()
        off, repair = options["without"], repair_named(options["repair"]) if options["repair"] else None
        parts = Normalisation("gin" not in off, "trd" not in off, "trn" not in off)
        if repair is not None and options["format"] not in TRAINING_ENDINGS:
            raise CommandError(str(NotOfRepairs(repair)), returncode=BAD_INPUT)
        note_access(
            account=None, act=Act.EXPORTED, way=Way.COMMAND, place="export_run", kind="run", subject=run.pk
        )
        try:
            with progress_bar() as report:
                count = write_run(
                    run,
                    options["format"],
                    path,
                    lambda done: report(done, None, "sessions"),
                    pseudonyms=options["pseudonyms"],
                    counts=counts,
                    training=TrainingOptions(parts, options["context"], repair),
                )
        except (NoParquet, NoTraining, NotOfRepairs) as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except OSError as error:
            raise CommandError(f"{error.filename or path}: {error.strerror}", returncode=BAD_INPUT) from error
        if options["format"] in TRAINING_ENDINGS:
            self._tell(options, path, counts)
            return
        left = run.sessions.count() - count
        written = ngettext("%(n)s session of run %(run)s", "%(n)s sessions of run %(run)s", count)
        unended = ngettext("%(n)s has not ended", "%(n)s have not ended", left)
        words = f"{path}: {written % {'n': count, 'run': run.pk}}"
        words += f"; {unended % {'n': left}}" if left else ""
        result = {"run": run.pk, "sessions": count, "not_ended": left, "out": str(path)}
        print_result(self, options, result, words)

    def _tell(self, options: dict[str, Any], path: Path, counts: TrainingCounts) -> None:
        drops = dict(sorted(counts.drops.items()))
        words = ngettext("%(n)s row", "%(n)s rows", counts.rows) % {"n": counts.rows}
        told = ", ".join(f"{reason} {count}" for reason, count in drops.items())
        left = _("; left out: %(told)s") % {"told": told} if told else ""
        placed = dict(sorted(counts.offsets.items()))
        ways = ", ".join(f"{way} {count}" for way, count in placed.items())
        offsets = _("; offsets of messages: %(ways)s") % {"ways": ways} if ways else ""
        result = {"rows": counts.rows, "dropped": drops, "out": str(path)}
        result |= {"offsets": placed} if placed else {}
        print_result(self, options, result, f"{path}: {words}{left}{offsets}")
