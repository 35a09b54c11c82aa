"""`python -m tests.recordings.make [NAME…]`: play the recorded sessions anew, and store them here.

Built-in participants act by the code: where they are meant to act otherwise, `test_recorded.py` asks for this.
"""

from __future__ import annotations

import sys

from tests.bench.data import fresh_data
from tests.model_server import model_server
from tests.recordings import NAMES, path_of, write


def main(names: list[str]) -> None:
    """Make the file of each."""
    fresh_data()
    from tests.recordings.playing import play_anew
    from webapp.catalogue.models import World

    world = World.objects.get(name="starter")
    with model_server() as server:
        for name in names:
            write(name, play_anew(name, world, server.url))
            print(f"{name}: {path_of(name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:] or list(NAMES))
