"""Products that a world keeps beside its records, each under the id of its item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from sandbox.toolsets.tripbench.records import Admission, Menu, Product, Room, Ticket
from sandbox.worlds import ExtraKind, World

ADMISSIONS = ExtraKind("tripbench", "admission", Admission)
ROOMS = ExtraKind("tripbench", "room", Room)
MENUS = ExtraKind("tripbench", "menu", Menu)
TICKETS = ExtraKind("tripbench", "ticket", Ticket)
KINDS = (ADMISSIONS, ROOMS, MENUS, TICKETS)

P = TypeVar("P", bound=Product)


def keeps(pack: World, kind: ExtraKind[Any]) -> bool:
    """Whether a world keeps products of a kind; those of one that does not are made."""
    return any((each.owner, each.kind) == (kind.owner, kind.kind) for each in pack.extra_counts())


def kept_products(pack: World, kind: ExtraKind[P], ids: Iterable[str]) -> Mapping[str, tuple[P, ...]] | None:
    """The products of these items; None where the world keeps none of the kind at all, so that they are made."""
    if not keeps(pack, kind):
        return None
    return {id_: pack.extra(kind, id_) for id_ in ids}
