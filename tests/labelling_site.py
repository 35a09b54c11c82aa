"""Studies of labels inside a running installation, for browser tests and benches: call through `Site`."""

from __future__ import annotations

import json
from typing import Any

from tests.installation import Installation


class Site:
    """An installation, asked from inside by the functions of this module."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation

    def ask(self, function: str, /, **arguments: Any) -> Any:
        """What a function of this module gives."""
        code = (
            "import json\nfrom tests import labelling_site as inside\n"
            f"print(json.dumps(inside.{function}(**json.loads({json.dumps(json.dumps(arguments))}))))"
        )
        return json.loads(self.installation.inside.run(code))


def make_study(runs: list[str], items: int, kind: str = "pairwise", **fields: Any) -> str:
    """An open study over the finished sessions of these runs, task by task; its id.

    Where there are fewer pairs than items, pairs come again: each item has slots and sides of its own. An earlier
    study of this name, left by a test that is run once more, makes way.
    """
    from django.db.models import F

    from tests.labelling import add_item
    from tests.labelling import make_study as made
    from webapp.labelling.models import LabelStudy
    from webapp.sessions.models import Session

    if "name" in fields:
        LabelStudy.objects.filter(name=fields["name"]).update(name=F("pk"))
    study = made(kind, **fields)
    left: dict[Any, list[Any]] = {}
    right: dict[Any, list[Any]] = {}
    for run, by_task in zip(runs, (left, right), strict=False):
        for session in Session.objects.filter(run__name=run).select_related("task").order_by("pk"):
            by_task.setdefault(session.task, []).append(session)
    pairs = [
        (task, one, other if kind == "pairwise" else None)
        for task, ones in left.items()
        for one in ones
        for other in (right.get(task, []) if kind == "pairwise" else [None])
    ]
    for number in range(items):
        task, one, other = pairs[number % len(pairs)]
        add_item(
            study,
            task,
            one,
            other,
            left_agent=f"reference ({runs[0]})",
            right_agent=f"reference ({runs[-1]})",
        )
    return str(study.pk)


def make_message_study(name: str) -> str:
    """An open study of one message of TRIP-Bench's user, by yes and no; its id."""
    from django.utils.crypto import get_random_string

    from tests.labelling import make_study as made
    from tests.rated_messages import trip_run
    from webapp.catalogue.models import World
    from webapp.labelling.items import ItemRequest, add_from_runs

    study = made("rubric", name=f"{name} {get_random_string(6)}", suite="tripbench", rubric="issued")
    add_from_runs(study=study, wanted=ItemRequest([trip_run(World.objects.earliest("pk"))]))
    study.items.exclude(number=2).delete()
    return str(study.pk)


def add_known(study: str, purpose: str, answer: dict[str, Any], explanation: str = "") -> None:
    """An item of another purpose, of the same sessions as the study's first one."""
    from tests.labelling import add_item
    from webapp.labelling.models import LabelStudy

    found = LabelStudy.objects.get(pk=study)
    first = found.items.earliest("number")
    fields = {"purpose": purpose, "answer": answer, "explanation": explanation}
    add_item(found, first.task, first.left, first.right, **fields)


def change(study: str, **fields: Any) -> None:
    """Change a study."""
    from webapp.labelling.models import LabelStudy

    LabelStudy.objects.filter(pk=study).update(**fields)


def invite(study: str, name: str, **fields: Any) -> dict[str, str]:
    """Somebody new: their id and the path of their link."""
    from django.urls import reverse

    from webapp.labelling.annotators import invite as invited
    from webapp.labelling.models import LabelStudy

    annotator = invited(study=LabelStudy.objects.get(pk=study), name=name, **fields)
    return {"id": annotator.pk, "link": reverse("annotator_link", args=[annotator.token])}


def run_out(annotator: str) -> int:
    """Have the leases of an annotator run out now; how many."""
    from django.utils import timezone

    from webapp.labelling.models import Assignment

    mine = Assignment.objects.filter(annotator_id=annotator, status=Assignment.Status.OPEN)
    return mine.update(leased_until=timezone.now())


def labels(study: str) -> list[dict[str, Any]]:
    """Every current answer of a study with the slot and the side that it was given on."""
    from webapp.labelling.models import Label

    columns = ("item__number", "rater__name", "choice", "rationale", "assignment__slot", "swapped", "seconds")
    found = Label.objects.filter(item__study=study, current=True).order_by("pk")
    return [
        dict(zip(("item", "rater", *columns[2:4], "slot", *columns[5:]), row, strict=True))
        for row in found.values_list(*columns)
    ]


def assignments(study: str) -> list[dict[str, Any]]:
    """Every assignment of a study."""
    from webapp.labelling.models import Assignment

    columns = ("item__number", "annotator__rater__name", "slot", "status", "swapped", "seconds")
    found = Assignment.objects.filter(item__study=study).order_by("pk")
    return [
        dict(zip(("item", "rater", *columns[2:]), row, strict=True)) for row in found.values_list(*columns)
    ]


def vote(study: str, votes: dict[str, str]) -> None:
    """Have people say of items what `tests.labelling.vote` takes, by the item's number."""
    from tests.labelling import vote as voted
    from webapp.labelling.models import LabelStudy

    voted(LabelStudy.objects.get(pk=study), {int(number): said for number, said in votes.items()})
