"""`python -m environments.server --suite NAME --token-file FILE`: episodes over HTTP and WebSocket (OpenEnv)."""

from __future__ import annotations

import argparse
import socket
import sys
import tempfile
from pathlib import Path

from benchmark.rewards.tokens import read_token
from benchmark.suites import SUITES, suite_named
from benchmark.suites.base import read_pairs
from environments.environment import Environment
from environments.episode import MOST_STEPS
from environments.service import MOST_BODY, EnvironmentApp
from sandbox.worlds import WorldError, open_world
from sandbox.worlds.starter import build_starter

PORT = 8200
VARIABLE = "CARAVAN_ENVIRONMENT_TOKEN"
BAD_INPUT = 2


def main() -> int:
    """Serve until a signal ends it; 2 for input that is wrong."""
    chosen = _parser().parse_args()
    try:
        token = read_token(chosen.token_file, VARIABLE)
        environment = _environment(chosen)
        listener = socket.create_server((chosen.host, chosen.port), backlog=256)
    except (ValueError, WorldError, OverflowError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except OSError as error:
        print(f"{error.filename or f'{chosen.host}:{chosen.port}'}: {error.strerror}", file=sys.stderr)
        return BAD_INPUT
    host, port = listener.getsockname()[:2]
    title = environment.suite.title
    print(f"http://{host}:{port}: {len(environment.tasks)} tasks of {title}", flush=True)
    _serve(EnvironmentApp(environment, token), listener)
    return 0


def _serve(app: EnvironmentApp, listener: socket.socket) -> None:
    from daphne.endpoints import build_endpoint_description_strings
    from daphne.server import Server

    listener.setblocking(False)
    Server(
        app,
        endpoints=build_endpoint_description_strings(file_descriptor=listener.fileno()),
        server_name="",
        verbosity=0,
        websocket_max_message_size=MOST_BODY,
        websocket_max_frame_size=MOST_BODY,
    ).run()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m environments.server", description=__doc__)
    names = [name for name in SUITES if suite_named(name).policy_seat is not None]
    parser.add_argument("--suite", choices=names, required=True)
    parser.add_argument(
        "--tasks", type=Path, nargs="+", default=[], metavar="FILE", help="by default the shipped"
    )
    parser.add_argument("--world", type=Path, metavar="PACK", help="by default the starter world, built anew")
    parser.add_argument(
        "--logs", type=Path, metavar="FOLDER", help="where each episode is kept as a cassette"
    )
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="of the sessions")
    parser.add_argument("--most-steps", type=int, default=MOST_STEPS, help="actions of an episode")
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help=f"the token; else ${VARIABLE} holds it"
    )
    parser.add_argument("--host", default="127.0.0.1", help="by default %(default)s: this machine alone")
    parser.add_argument("--port", type=int, default=PORT, help="by default %(default)s; 0 for a free one")
    return parser


def _environment(chosen: argparse.Namespace) -> Environment:
    options, more = read_pairs(chosen.option), {"most_steps": chosen.most_steps, "logs": chosen.logs}
    if chosen.world is not None:
        return Environment(chosen.suite, open_world(chosen.world), chosen.tasks, options, **more)
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "starter.sqlite3"
        build_starter(pack)
        return Environment(chosen.suite, open_world(pack), chosen.tasks, options, **more)


if __name__ == "__main__":
    sys.exit(main())
