"""How the tools write: figures, times and hits, as the conversation of appendix G shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.tools.tool import Result
from sandbox.toolsets.tripbench.arguments import PageArguments
from sandbox.toolsets.tripbench.records import Hours
from sandbox.worlds.geo import Point


class Text(Result):
    """An answer in words."""

    text: str

    def as_text(self) -> str:
        """The words alone."""
        return self.text


def join_fields(*fields: object) -> str:
    """The fields of a line."""
    return " | ".join(map(str, fields))


def write_page(hits: Sequence[str], arguments: PageArguments, nothing: str) -> Text:
    """The hits of a page below a line that counts them; nothing: what is said where there are none."""
    if not hits:
        return Text(text=nothing)
    first = (arguments.page - 1) * arguments.page_size
    shown = hits[first : first + arguments.page_size]
    if not shown:
        return Text(text=f"No results on page {arguments.page}; there are {len(hits)} results.")
    head = f"Showing {first + 1}-{first + len(shown)} of {len(hits)} results."
    return Text(text="\n".join((head, *shown)))


def decimal(figure: float | None) -> str:
    """A price, a rating or kilometres: at most two decimals, at least one."""
    return "None" if figure is None else str(round(float(figure), 2))


def whole(figure: float | None) -> str:
    """A number of things; a part of one where there is one, as in visits of 1.5 hours."""
    return "None" if figure is None else f"{round(figure, 2):g}" if abs(figure) < 1e6 else f"{figure:.0f}"


def stars(figure: float | None) -> str:
    """Out of five."""
    return f"stars: {decimal(figure)}/5"


def position(point: Point) -> str:
    """Degrees."""
    return f"longitude: {point[0]}, latitude: {point[1]}"


def opening(hours: Hours, dash: str = "-") -> str:
    """Windows of time; None where nobody knows any."""
    return ", ".join(f"{opens}{dash}{closes}" for opens, closes in hours) or "None"


def clock(time: str) -> str:
    """The hour without a leading zero."""
    return time[1:] if time.startswith("0") else time


def names(listed: Iterable[str]) -> str:
    """Names with commas between them; None for none."""
    return ", ".join(listed) or "None"
