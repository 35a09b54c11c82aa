"""From the seats that a log records to rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from benchmark.core.events import Event, ParticipantJoined, SessionOpened
from benchmark.core.view import AGENT, SIMULATOR
from webapp.endpoints.models import ModelEndpoint
from webapp.seats.models import Role, Seat


def role_at(seat: str) -> Role:
    """The role of who sits at a seat of this name."""
    return {AGENT: Role.AGENT, SIMULATOR: Role.SIMULATOR}.get(seat, Role.TRAVELLER)


def joined_in(log: Iterable[Event], agent: str, users: str) -> list[ParticipantJoined]:
    """Who sits where at the end of a log. agent, users: the kinds in one from before seats were events."""
    bodies = [event.body for event in log]
    joined = {body.seat: body for body in bodies if isinstance(body, ParticipantJoined)}
    if joined:
        return list(joined.values())
    opened = next(body for body in bodies if isinstance(body, SessionOpened))
    kinds = {AGENT: agent} | dict.fromkeys(opened.users, users)
    return [ParticipantJoined(seat=seat, kind=kind) for seat, kind in kinds.items()]


def models_at(joined: Iterable[ParticipantJoined], rows: Iterable[Seat]) -> dict[str, ModelEndpoint | None]:
    """What those who joined a session speak through, by the name of the seat.

    rows: of a session that began with the same ones; somebody else may have taken a seat of it since.
    """
    then = {row.name: row for row in rows}
    return {body.seat: _model_at(body, then.get(body.seat)) for body in joined}


def _model_at(joined: ParticipantJoined, row: Seat | None) -> ModelEndpoint | None:
    if row is not None and row.kind == joined.kind:
        return row.model
    return ModelEndpoint.objects.filter(name=joined.model.name).first() if joined.model else None


def seat_rows(
    session_id: str, joined: Iterable[ParticipantJoined], models: Mapping[str, ModelEndpoint | None]
) -> list[Seat]:
    """The rows of those who joined a session, in their order, not stored yet. models: by the name of a seat."""
    return [
        Seat(
            session_id=session_id,
            place=place,
            name=body.seat,
            role=role_at(body.seat),
            kind=body.kind,
            model=models.get(body.seat),
            options=body.model.model_dump(mode="json") if body.model else {},
        )
        for place, body in enumerate(joined)
    ]
