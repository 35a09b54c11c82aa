"""python -m tests.model_server --port 8900 [--faults 0.2] [--seed 1]"""

from __future__ import annotations

import argparse
import contextlib

from tests.model_server.faults import OPTIONS
from tests.model_server.personalities import OWN_OPTIONS, PERSONALITIES
from tests.model_server.server import ModelServer


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.model_server", description=__doc__)
    parser.add_argument("--port", type=int, default=8900)
    parser.add_argument("--address", default="127.0.0.1", help="of this machine, to listen at")
    parser.add_argument("--faults", type=float, default=0.0, help="share of requests that fail, 0 to 1")
    parser.add_argument("--seed", type=int, default=0, help="which requests fail")
    given = parser.parse_args()
    server = ModelServer(address=given.address, port=given.port, faults=given.faults, seed=given.seed)
    print(_description(server.url), flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve()


def _description(url: str) -> str:
    lines = [f"Serving at {url} (ledger: {url.removesuffix('/v1')}/ledger)", "Models:"]
    for name, who in PERSONALITIES.items():
        own = "".join(f" [:{option} {what}]" for option, what in OWN_OPTIONS[name].items())
        lines.append(f"  {name:20} {who.about}{own}")
    lines += ["Options of every model, after a colon:"]
    lines += [f"  {option:20} {what}" for option, what in OPTIONS.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
