"""A run as commands take it: by its id or by its name."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.webapp.runs.conftest import make_run
from webapp.sessions.models import Run
from webapp.sessions.options import run_named

__all__ = ["make_run"]

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def test_a_run_is_found_by_its_id_or_by_a_name_that_one_run_has(make_run: Callable[..., Run]) -> None:
    one, first, second = (make_run(name=name) for name in ("my run", "twice", "twice"))
    assert run_named(one.pk) == run_named("my run") == one
    with pytest.raises(CommandError, match=f"2 runs are called “twice”.*{first.pk}, {second.pk}") as refused:
        run_named("twice")
    assert refused.value.returncode == 2
    with pytest.raises(CommandError, match="there is no run nobody; give the id"):
        run_named("nobody")


@pytest.mark.parametrize(
    "command",
    [("control_run", "show"), ("report",), ("export_notes", "--run")],
    ids=lambda command: command[0],
)
def test_commands_take_the_name(make_run: Callable[..., Run], command: tuple[str, ...]) -> None:
    make_run(name="my run")
    out = StringIO()
    call_command(*command, "my run", stdout=out)
    assert command[0] == "export_notes" or "my run" in out.getvalue()


def test_a_run_is_renamed_by_its_name(make_run: Callable[..., Run]) -> None:
    make_run(name="my run")
    out = StringIO()
    call_command("control_run", "rename", "my run", "another", stdout=out)
    assert ", another: " in out.getvalue()
