"""Progress bars and tables of the command line.

`rich` is imported where something is drawn: a command that draws nothing starts sooner.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING

from django.core.management.base import OutputWrapper

if TYPE_CHECKING:
    from rich.table import Table

Report = Callable[[int, int | None, str], None]
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that steer a terminal or turn a line around; tabs and line ends are none."""


class ShownOutput(OutputWrapper):
    """Output of a command. On a terminal what models and people said is text: none of it steers the terminal."""

    def write(  # type: ignore[override]  # as Django has it
        self, msg: str = "", style_func: Callable[[str], str] | None = None, ending: str | None = None
    ) -> None:
        """Write it; into files and pipes as it is."""
        super().write(_STEERING.sub("\ufffd", msg) if self.isatty() else msg, style_func, ending)


@contextmanager
def progress_bar() -> Iterator[Report]:
    """A bar on stderr; call what it gives with (done, total, label). Silent where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total, label: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description:<28}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
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
    """A table as lines of text, its cells as they are. width: in characters, None for that of the terminal."""
    from rich.console import Console

    text = StringIO()
    Console(file=text, width=width, markup=False, emoji=False).print(shown)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"
