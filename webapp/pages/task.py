"""What a benchmark brings to the pages of its tasks, and to the forms that begin sessions with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from webapp.pages.kinds import Context, Json, Row


@dataclass(frozen=True)
class UserWords:
    """What forms call those who talk with the agent.

    all: the choice of who plays them; model: of what they speak through. each: the choice for one of them, as, where
    it is not made, `same` says; `none` where the tasks leave no such choice.
    """

    all: Promise
    model: Promise
    each: Promise
    same: Promise
    none: Promise


TRAVELLERS = UserWords(
    _("Travellers"),
    _("Their model"),
    each=_("Choose each traveller"),
    same=_("like the others"),
    none=_("These tasks have no traveller name in common."),
)


@dataclass(frozen=True)
class TaskEditor:
    """How tasks of a benchmark are made and changed in a form.

    form: of a task's definition (None for an empty one), of what was sent (None before) and, by `new`, whether the
    task is a new one, whose id is chosen. It is a Django form, with `definition()` for what it holds, right or wrong,
    and `reshaped(do)` for the same with a part more or less.
    check_context: what `templates/suites/NAME/editor/checked.html` needs, from that definition. Its fields are in
    `templates/suites/NAME/editor/fields.html`. review: what else is wrong with a task over a world that has its
    cities, as places and sentences.
    """

    form: Callable[..., Json]
    check_context: Callable[[Json], Context]
    review: Callable[[Json, Json], Sequence[tuple[str, str]]] = lambda task, pack: ()


_WRITER, _BY_RULE = _("Wishes written by"), _("the built-in sampler")
_WRITER_HELP = _(
    "A model writes each preference table and opening message. It may answer differently each time."
)
_COUNT_HELP = _(
    "The paper has 650. Group sizes, lengths, numbers of cities, difficulty and kinds of "
    "groups have the paper's shares, whatever the number."
)
_USUAL_DAYS = _("Leave empty for the paper's window.")


@dataclass(frozen=True)
class SynthesisPage:
    """What the pages of tasks that are made here show of a benchmark that makes some.

    words: of a remark of a preview or a report. place: what `templates/suites/NAME/synthesis/task.html` needs of a
    place of a `Sample`; report: what `report.html` there needs of the report of a set. writer, by_rule: what a form
    calls the choice of what writes, and that of no model; writer_help: a line below. usual_days: what empty days of
    departure stand for. count, count_help: of tasks, where a form asks for it: what it begins with, and a line below.
    """

    words: Callable[[Json], str] = lambda remark: ""
    place: Callable[[Json], Context] = lambda place: {}
    report: Callable[[Json], Context] = lambda report: {}
    writer: Promise = _WRITER
    by_rule: Promise = _BY_RULE
    writer_help: Promise = _WRITER_HELP
    usual_days: Promise = _USUAL_DAYS
    count: int = 650
    count_help: Promise = _COUNT_HELP


@dataclass(frozen=True)
class TaskPage:
    """What a benchmark brings to the pages of its tasks."""

    title: Callable[[Row], str] = lambda task: ""
    """What a task is called in lists; "" for its id."""
    context: Callable[[Json], Context] = lambda definition: {}
    """What `templates/suites/NAME/task.html` needs beside `task` and `definition`."""
    users: UserWords = TRAVELLERS
    """What those who talk with the agent are called."""
    editor: TaskEditor | None = None
    """In which tasks are made and changed; None where they come from files alone."""
    synthesis: SynthesisPage = field(default_factory=SynthesisPage)
    """Of tasks that are made here."""
