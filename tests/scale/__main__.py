"""Write synthetic data: `python -m tests.scale cache FOLDER [TOTAL]`, `python -m tests.scale world FILE [PLACES]`."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from tests.scale import cache, world


def main() -> None:
    """Read the command line and write."""
    parser = ArgumentParser(prog="python -m tests.scale", description="Write synthetic data at full size.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    folder = kinds.add_parser("cache", help="a tool cache in the published layout")
    folder.add_argument("path", type=Path, metavar="FOLDER")
    folder.add_argument("count", type=int, nargs="?", default=cache.TOTAL, metavar="TOTAL")
    file = kinds.add_parser("world", help="a world")
    file.add_argument("path", type=Path, metavar="FILE")
    file.add_argument("count", type=int, nargs="?", default=world.PLACES, metavar="PLACES")
    given = parser.parse_args()
    if given.kind == "cache":
        cache.write_published(given.path, given.count)
    else:
        world.build(given.path, given.count)


if __name__ == "__main__":
    main()
