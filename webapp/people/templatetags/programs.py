"""What programs in the seats of sessions and runs call themselves, where lists would say `inbox`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import template

from benchmark.core.participant import INBOX
from webapp.people.exports import programs_in
from webapp.sessions.models import Run, Session
from webapp.wording.lists import join_items

register = template.Library()
ROLES = ("agent", "users")


@register.simple_tag
def programs_of_sessions(sessions: Iterable[Session]) -> dict[str, dict[str, str]]:
    """Of each session in a list, by `agent` and `users`; see `at`. Nothing is asked where no such seats are."""
    rows = list(sessions)
    played = {role: [row.pk for row in rows if getattr(row, role) == INBOX] for role in ROLES}
    return _by_key(played, "seat__session")


@register.simple_tag
def programs_of_runs(runs: Iterable[Run]) -> dict[str, dict[str, str]]:
    """The same of the runs in a list."""
    rows = list(runs)
    played = {role: [row.pk for row in rows if row.setup.get(role) == INBOX] for role in ROLES}
    return _by_key(played, "seat__session__run")


@register.simple_tag
def programs_of(subject: Session | Run) -> dict[str, str]:
    """Of one session or run, by `agent` and `users`."""
    programs = programs_of_runs([subject]) if isinstance(subject, Run) else programs_of_sessions([subject])
    return programs.get(subject.pk, {})


@register.filter
def firsts(rows: Iterable[Sequence[Any]]) -> list[Any]:
    """The sessions or runs that the rows of a table begin with."""
    return [row[0] for row in rows]


@register.filter
def at(programs: dict[str, dict[str, str]], of: Session | Run) -> dict[str, str]:
    """Those of one session or run."""
    return programs.get(of.pk, {})


def _by_key(played: dict[str, list[str]], key: str) -> dict[str, dict[str, str]]:
    programs_by_key: dict[str, dict[str, str]] = {}
    for role, wanted in played.items():
        programs = programs_in({f"{key}__in": wanted}, agents=role == "agent", by=key) if wanted else {}
        for pk, names in programs.items():
            programs_by_key.setdefault(pk, {})[role] = join_items(names)
    return programs_by_key
