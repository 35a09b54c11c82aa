"""`manage.py reward_server --tasks FILE… --token-file FILE`: rewards of plans over HTTP, for programs that train."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from benchmark.rewards.tokens import read_token
from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import read_options, read_pairs
from webapp.commands import BAD_INPUT, UncheckedCommand

PORT = 8100
VARIABLE = "CARAVAN_REWARD_TOKEN"


class Command(UncheckedCommand):
    help = "Serve the rewards of plans over HTTP to programs that train models (docs/training.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        suites = [name for name in SUITES if (of := suite_named(name).training) and of().prepare]
        parser.add_argument("--tasks", type=Path, nargs="+", required=True, metavar="FILE")
        parser.add_argument("--suite", choices=suites, default=suites[0], help="By default %(default)s")
        parser.add_argument(
            "--token-file", type=Path, metavar="FILE", help=f"The bearer token; else ${VARIABLE} holds it"
        )
        parser.add_argument("--host", default="127.0.0.1", help="By default %(default)s: this machine alone")
        parser.add_argument("--port", type=int, default=PORT, help="By default %(default)s; 0 for a free one")
        parser.add_argument(
            "--workers", type=int, default=os.cpu_count() or 1, help="Processes; by default %(default)s"
        )
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="A parameter of the reward; again for another one",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from benchmark.rewards.server import run_server
        from benchmark.rewards.workers import Load, WorkerLost

        suite = suite_named(options["suite"])
        if options["workers"] < 1:
            raise CommandError("--workers: give 1 or more", returncode=BAD_INPUT)
        try:
            chosen = read_options(suite.scoring.options, read_pairs(options["option"]))
            token = read_token(options["token_file"], VARIABLE)
            listener = socket.create_server((options["host"], options["port"]), backlog=256)
        except (ValueError, OverflowError) as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        except OSError as error:
            where = error.filename or f"{options['host']}:{options['port']}"
            raise CommandError(f"{where}: {error.strerror}", returncode=BAD_INPUT) from error
        host, port = listener.getsockname()[:2]

        def tell(tasks: int) -> None:
            words = (
                f"http://{host}:{port}/score: {tasks} tasks of {suite.title}, {options['workers']} processes"
            )
            self.stdout.write(words)
            self.stdout.flush()

        load = Load(suite.name, tuple(options["tasks"]), dict(chosen))
        try:
            run_server(load, token, listener, options["workers"], tell)
        except (ValueError, WorkerLost) as error:
            raise CommandError(str(error), returncode=BAD_INPUT) from error
        finally:
            listener.close()
