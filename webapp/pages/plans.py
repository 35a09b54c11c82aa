"""What a benchmark brings to the pages of its plans, which `webapp.plans` shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from benchmark.core.setting import AnySetting
from benchmark.plans.view import CostLine, Mark, Where
from webapp.pages.kinds import Context, Json, Reading


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
    rules: Promise | str = ""
    """Which rules alone mind it, in a word or two; "" for those that are shown first."""
    times: int = 1
    """As how many marks it is counted."""

    @property
    def stricter(self) -> bool:
        """Whether only other rules than those that are shown first mind it."""
        return bool(self.rules)

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


@dataclass(frozen=True)
class CostWords:
    """What stands above and below the lines of `PlanView.costs`."""

    title: Promise
    note: Promise | str = ""


@dataclass(frozen=True)
class PlanPages:
    """What a benchmark brings to the pages of its plans. Functions of a reading get one that holds a plan.

    words: of a mark, those that are alike but for whom they befall become one sentence. marks: of a session, None for
    those under `marks` in the evidence of its scores. costs: of a session's plan, None for those of its view.
    cost_words: None where plans tell no costs. more: a template for what is told of the plan as a whole, after the
    event that proposed it; more_context: what it needs beside `sentences`, all of the plan. sources: what finds the
    event that names a place, before an event; None where nobody asks where places come from. add: puts one more thing
    into a draft at the agent's desk, None before there is one, from what a form chose (`add` names the thing), and
    says where it stands; ValueError says why not. None where the desk offers nothing to add.
    """

    words: Callable[[Mark], Sentence]
    marks: Callable[[Reading], Sequence[Mark]] | None = None
    costs: Callable[[Reading], Sequence[CostLine]] | None = None
    cost_words: CostWords | None = None
    more: str = ""
    more_context: Callable[[Reading, Sequence[Sentence]], Context] = lambda reading, sentences: {}
    sources: Callable[[Reading], Callable[[str, int | None], int | None]] | None = None
    add: Callable[[Json, Mapping[str, str], AnySetting], tuple[Json, str]] | None = None
