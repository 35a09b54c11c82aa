"""Wishes that the agent did not learn: what completeness lost."""

from __future__ import annotations

from collections.abc import Iterator

from benchmark.misses import Miss
from benchmark.suites.grouptravel.misses.reading import LostSession
from benchmark.suites.grouptravel.preferences import CITY_FIELDS, CITY_ROOT, FIELDS, PreferenceField


def field_at(path: str) -> tuple[PreferenceField, str] | None:
    """The field of a full dotted path, with its city; None where the schema has no such field."""
    root, _dot, rest = path.partition(".")
    if root != CITY_ROOT:
        return next(((field, "") for field in FIELDS if field.path == path), None)
    tails = {".".join(field.keys): field for field in CITY_FIELDS}
    fits = ((field, rest[: -len(tail) - 1]) for tail, field in tails.items() if rest.endswith(f".{tail}"))
    return next(fits, None)


def completeness_misses(session: LostSession) -> Iterator[Miss]:
    """Each item that the agent's tables lack at the end; all items of all travellers together are 1."""
    counts = session.figures.get("per_user_completeness") or {}
    possible = sum(count for _found, count in counts.values())
    for user, entries in session.evidence.get("completeness", {}).get("users", {}).items():
        for entry in entries:
            found = field_at(entry["path"])
            if found is None or not entry["counted"]:
                continue
            field, city = found
            misplaced = [item for item, _path in entry["wrong_tier"]]
            for item in entry["missed"]:
                heard = session.knowledge_of(user, field, city, item)
                cause = "wrong_tier" if item in misplaced else "stale" if entry["stale"] else heard.cause
                words = f"{item} ({city})" if city else str(item)
                kind = ".".join(field.keys)
                yield Miss("pc", kind, cause, 1 / possible, user, words, heard.seqs)
