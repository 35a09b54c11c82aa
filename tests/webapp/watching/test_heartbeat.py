"""How processes say that they live."""

from __future__ import annotations

from datetime import timedelta

import pytest

from webapp import clock
from webapp.processes.models import Kind, Process
from webapp.processes.selectors import living
from webapp.processes.services import KEEP_TIME, SILENT, Heartbeat, forget_gone, process_name
from webapp.version import code_version

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def test_a_process_lives_while_it_says_so_and_is_forgotten_later() -> None:
    beating = Heartbeat(Kind.WORKER, {"worlds": "x"})
    beating.beat()
    beating.beat()
    (process,) = living()
    assert (process.name, process.version, process.marks) == (process_name(), code_version(), {"worlds": "x"})
    Process.objects.update(seen_at=clock.now() - SILENT - timedelta(seconds=1))
    assert list(living()) == [] and Process.objects.count() == 1
    Process.objects.update(seen_at=clock.now() - KEEP_TIME - timedelta(seconds=1))
    forget_gone()
    assert not Process.objects.exclude(kind=Kind.ENDED).exists()
    beating.beat()
    assert [found.name for found in living()] == [process_name()]


def test_a_process_that_ends_takes_its_row_along() -> None:
    beating = Heartbeat(Kind.WEB, {})
    beating.beat()
    beating.leave()
    assert not Process.objects.exclude(kind=Kind.ENDED).exists()
