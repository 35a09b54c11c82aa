"""`manage.py cassette export|rerun|compare`: sessions recorded, run again, and compared."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
from django.core.management.base import CommandError, CommandParser

from benchmark.cassettes import CassetteError, read_cassette, write_cassette
from webapp.cassettes.selectors import Verdict, cassette_of, compare_logs
from webapp.cassettes.services import keep, replay
from webapp.commands import BAD_INPUT, DatabaseCommand, add_verb
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.scoring import score_session, words_removed
from worker.foreground import play_session


class Command(DatabaseCommand):
    help = (
        "Write a session's model calls and tool results to a file, run a session again on them, compare two "
        "sessions. Exit code 0: done or identical, 1: they differ, 2: bad input."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        export = add_verb(verbs, "export", self._export, "Write an ended session as a cassette")
        export.add_argument("session", help="A session's id")
        export.add_argument(
            "file", type=Path, help="Compressed where its name ends in .gz; replaced if it is there"
        )
        again = add_verb(
            verbs, "rerun", self._rerun, "Run a session again on its cassette, without a network"
        )
        again.add_argument("source", help="A session's id, or a cassette's file")
        compare = add_verb(verbs, "compare", self._compare, "Tell where two sessions' logs first differ")
        compare.add_argument("recorded", help="A session's id")
        compare.add_argument("now", help="Another's")
        for verb in (again, compare):
            verb.add_argument("--json", action="store_true", help="Print the verdict as JSON, nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        options["do"](options)

    def _export(self, options: dict[str, Any]) -> None:
        session, path = _session(options["session"]), options["file"]
        if not session.ended:
            raise CommandError(
                f"session {session.pk} has not ended; wait for its end, or stop it", returncode=BAD_INPUT
            )
        if session.imported:
            raise CommandError(
                f"session {session.pk} was played elsewhere and has no cassette; export_session gives its record",
                returncode=BAD_INPUT,
            )
        if words_removed(session.pk):
            raise CommandError(
                f"what somebody said in session {session.pk} was removed, so that it can't be run again; "
                "export_session gives what is left of it",
                returncode=BAD_INPUT,
            )
        cassette = cassette_of(session)
        try:
            write_cassette(cassette, path)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}", returncode=BAD_INPUT) from error
        self.stdout.write(
            f"{path}: session {cassette.session}, {len(cassette.log)} events, {len(cassette.exchanges)} model calls"
        )

    def _rerun(self, options: dict[str, Any]) -> None:
        recorded = _recorded_session(options["source"])
        again = replay(session=recorded, start=False)
        play_session(again)
        self._tell(recorded if recorded.replay_of is None else recorded.replay_of, again, options)

    def _compare(self, options: dict[str, Any]) -> None:
        self._tell(_session(options["recorded"]), _session(options["now"]), options)

    def _tell(self, recorded: Session, now: Session, options: dict[str, Any]) -> None:
        verdict = compare_logs(whole_log(recorded.pk), whole_log(now.pk))
        if options["json"]:
            plain = {
                "recorded": recorded.pk,
                "now": now.pk,
                "identical": verdict.identical,
                **asdict(verdict),
            }
            self.stdout.write(orjson.dumps(plain).decode())
        else:
            self.stdout.write("\n".join(_words(recorded, now, verdict)))
        if not verdict.identical:
            raise CommandError(f"session {now.pk} is not the same as {recorded.pk}")


def _words(recorded: Session, now: Session, verdict: Verdict) -> list[str]:
    named = f"session {now.pk} against {recorded.pk}"
    if verdict.difference is None:
        lines = [f"{named}: identical, {verdict.events} events"]
    else:
        lines = [f"{named}: {verdict.difference}"]
    if verdict.seats:
        lines.append(f"  the prompts have another version: {', '.join(verdict.seats)}")
    return [*lines, f"  {verdict.why}"] if verdict.why else lines


def _recorded_session(source: str) -> Session:
    path = Path(source)
    if not path.is_file():
        return _session(source, "cassette's file or session")
    try:
        session = keep(read_cassette(path))
    except CassetteError as error:
        raise CommandError(f"{path}: {error}", returncode=BAD_INPUT) from error
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}", returncode=BAD_INPUT) from error
    if not session.scores.exists():  # one that was just imported
        score_session(session=session)
    return session


def _session(named: str, what: str = "session") -> Session:
    session = Session.objects.select_related("task", "replay_of").filter(pk=named).first()
    if session is None:
        raise CommandError(f"there is no {what} “{named}”", returncode=BAD_INPUT)
    return session
