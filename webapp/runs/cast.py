"""Who plays the sessions of a run."""

from __future__ import annotations

from collections.abc import Iterable

from benchmark.core.participant import INBOX
from webapp.people.exports import programs_in
from webapp.sessions.models import Run


def programs_by_session(run: Run, name: str) -> dict[str, list[str]]:
    """The programs in the seats of its `agent` or `users`, by session."""
    if run.setup.get(name) != INBOX:
        return {}
    return programs_in({"seat__session__run": run.pk}, agents=name == "agent")


def programs_of(run: Run) -> dict[str, str]:
    """The programs in the seats of its `agent` and `users`, as far as there are such."""
    programs_by_role = {name: programs_by_session(run, name).values() for name in ("agent", "users")}
    named = {
        name: sorted({program for each in lists for program in each})
        for name, lists in programs_by_role.items()
    }
    return {name: ", ".join(programs) for name, programs in named.items() if programs}


def cast_of(run: Run) -> dict[str, str]:
    """Who plays its sessions, and over which models; a program stands in the place of one."""
    kinds = {name: run.setup.get(name, "") for name in ("agent", "users")}
    models = {name: (run.setup.get(name) or {}).get("name", "") for name in ("agent_model", "user_model")}
    for name, programs in programs_of(run).items():
        models["agent_model" if name == "agent" else "user_model"] = programs
    apart = (
        (seat["name"], seat["kind"], seat["model"] and seat["model"]["name"]) for seat in run.seat_overrides
    )
    return kinds | models | {"seats": seats_in_words(apart)}


def seats_in_words(apart: Iterable[tuple[str, str, str | None]]) -> str:
    """The travellers that are something else than `users`, by name, kind and model, as `--seat` takes each."""
    return " ".join(f"{name}={kind}:{model}" if model else f"{name}={kind}" for name, kind, model in apart)
