"""Progress bars and tables of the command line.

`rich` is imported where something is drawn: a command that draws nothing starts sooner.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

Report = Callable[[int, int | None, str], None]


@contextmanager
def progress_bar() -> Iterator[Report]:
    """A bar on stderr; call what it gives with (done, total, label). Silent where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total, label: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def report(done: int, total: int | None, label: str) -> None:
            bar.update(task, completed=done, total=total, description=label)

        yield report


def table(first: str, *others: str) -> Table:
    """A table whose columns have these heads; all but the first stand to the right."""
    from rich import box
    from rich.table import Table

    made = Table(first, box=box.SIMPLE_HEAD, pad_edge=False)
    for name in others:
        made.add_column(name, justify="right")
    return made


def text_of(shown: Table, width: int | None = 120) -> str:
    """A table as lines of text. width: in characters, None for that of the terminal."""
    from rich.console import Console

    text = StringIO()
    Console(file=text, width=width).print(shown)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"
