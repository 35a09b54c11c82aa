"""The demo: one session of the shipped tasks, which anybody can replay."""

from __future__ import annotations

from webapp.catalogue.models import Task, World
from webapp.catalogue.starter import NAME
from webapp.sessions.models import Session
from webapp.sessions.services import Setup, create_session

DEMO = "demo"
"""The id of the demo."""
PACE_S = 1.5


def demo_session() -> Session | None:
    """The demo, if it was started here."""
    return Session.objects.filter(pk=DEMO).first()


def demo_task() -> Task | None:
    """The shipped task that the demo plays, None where the shipped tasks are not there."""
    return Task.objects.filter(collection__name=NAME, difficulty="medium").order_by("position").first()


def play_demo(pace: float = PACE_S) -> Session:
    """Start the demo; a second one has an id as other sessions have."""
    task = demo_task()
    if task is None:
        raise Task.DoesNotExist(f"no collection {NAME}")
    named = None if demo_session() else DEMO
    world = World.objects.get(name=NAME)
    return create_session(task=task, world=world, setup=Setup(seed=7, pace=pace), session_id=named)
