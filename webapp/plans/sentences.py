"""What is said of places in a plan."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from benchmark.plans.view import Where


def cell_id(at: Where) -> str:
    """The id of a place of a plan on a page, by its positions in lists; "" for the plan itself."""
    positions = [str(part) for part in at if isinstance(part, int)]
    return "-".join(["cell", *positions]) if positions else ""


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One thing that is wrong with a plan, or worth knowing, as a reader sees it."""

    at: Where
    text: str
    place: str = ""
    """What stands there, "" where it has no name."""
    users: tuple[str, ...] = ()
    """Whom it befalls, () for everybody."""
    mend: str = ""
    """What would set it right, "" where nothing is known."""
    stricter: bool = False
    """Only the stricter rules mind it."""

    @property
    def cell(self) -> str:
        """The id of its place on the page of the plan."""
        return cell_id(self.at)

    @property
    def sentence(self) -> str:
        """The sentence without the day: `平江路: no transport from 得月楼 for User3, User4`."""
        said = f"{self.place}: {self.text}" if self.place else self.text
        return (
            _("%(said)s for %(users)s") % {"said": said, "users": ", ".join(self.users)}
            if self.users
            else said
        )
