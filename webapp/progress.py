"""Progress bars of the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

Report = Callable[[int, int | None, str], None]


@contextmanager
def progress_bar() -> Iterator[Report]:
    """A bar on stderr; call what it gives with (done, total, label). Silent where stderr is no terminal."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)

        def report(done: int, total: int | None, label: str) -> None:
            bar.update(task, completed=done, total=total, description=label)

        yield report
