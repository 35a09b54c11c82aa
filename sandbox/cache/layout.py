"""The published layout: one `TOOL_cache.json` a tool, and `TOOL_missed.json` for what was missed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import orjson

from sandbox.cache.building import Progress, building, counted, merged, switch_to
from sandbox.cache.cache import POINTER, Cache
from sandbox.cache.entries import MissedCall
from sandbox.cache.errors import CacheError
from sandbox.cache.keys import KeyProblem, read_key
from sandbox.cache.learned import Learned
from sandbox.cache.pack import write_pack
from sandbox.calls import Call

_CACHE, _MISSED = "_cache.json", "_missed.json"
_TOOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FIELDS = ("params", "simulated_result", "timestamp")
_SHOWN = 80


@dataclass
class ImportReport:
    """What came in, by tool. entries: of the new pack. missed: of the directory's logs of misses."""

    entries: dict[str, int] = field(default_factory=dict)
    missed: dict[str, int] = field(default_factory=dict)


def import_published(source: Path, folder: Path, progress: Progress, *, merge: bool = False) -> ImportReport:
    """Read a directory of the published layout into the cache of a folder, which is made where there is none.

    The directory replaces what the cache holds, or is added to it with `merge`; of two answers the directory's
    stands. One file is in memory at a time (all of them with `merge`). Nothing changes unless every file is right.

    Raises:
        CacheError: a file, and the place in it, that is wrong.
        OSError: the directory can't be read.
    """
    files = _files(source, _CACHE)
    missed = {tool: _read_missed(path, tool) for tool, path in _files(source, _MISSED).items()}
    if not files and not (merge and missed):
        raise CacheError(f"{source} holds no TOOL{_CACHE}; name the directory that does")
    with building(folder) as scratch, closing(Learned(folder)) as learned:
        upto, known = learned.last_id(), _known(folder) if merge else None
        if known is None:
            tools = _tools(files, progress)
        else:
            tools = merged(known.pack, _added(known, files), progress, added_wins=True)
        digest = write_pack(scratch / "pack", tools, learned_from=upto)
        learned.take_misses(each for tool in missed for each in missed[tool])
        switch_to(folder, scratch / "pack", digest, upto)
        if known is not None:
            known.close()
    return _report(folder, missed)


def _known(folder: Path) -> Cache | None:
    return Cache.open(folder) if (folder / POINTER).exists() else None


def _added(known: Cache, files: Mapping[str, Path]) -> dict[str, dict[str, str]]:
    """What was learned, overlaid by the directory."""
    added = known.learned_pairs()
    for tool, path in files.items():
        added[tool] = added.get(tool, {}) | _read_entries(path)
    return added


def _report(folder: Path, missed: Mapping[str, list[MissedCall]]) -> ImportReport:
    with closing(Cache.open(folder)) as cache:
        return ImportReport(dict(cache.pack.counts), {tool: len(misses) for tool, misses in missed.items()})


def _tools(files: Mapping[str, Path], progress: Progress) -> Iterator[tuple[str, Iterable[tuple[str, str]]]]:
    for tool, path in files.items():
        progress(tool, 0, 0)
        entries = _read_entries(path)
        yield tool, counted(sorted(entries.items()), tool, len(entries), progress)


def _files(source: Path, ending: str) -> dict[str, Path]:
    """The directory's files of one kind by tool, in order of tools."""
    if not source.is_dir():
        raise CacheError(f"{source} is no directory")
    found = {path.name.removesuffix(ending): path for path in source.iterdir() if path.name.endswith(ending)}
    for tool, path in found.items():
        if not _TOOL.fullmatch(tool):
            raise CacheError(f"{path}: {tool!r} is no name of a tool; use letters, digits and underscores")
    return dict(sorted(found.items()))


def _read_entries(path: Path) -> dict[str, str]:
    """Key to result; of a key that stands twice the last, as the published code reads it."""
    entries = _parsed(path)
    if not isinstance(entries, dict):
        raise CacheError(f"{path}: one object from key to result is expected, and this is {_kind(entries)}")
    for number, (key, result) in enumerate(entries.items(), 1):
        if not isinstance(result, str):
            raise CacheError(
                f"{path}: entry {number} ({_short(key)}): the result is {_kind(result)}, not a string"
            )
        try:
            read_key(key)
        except KeyProblem as problem:
            raise CacheError(f"{path}: entry {number}: the key {_short(key)} {problem}") from problem
    return entries


def _parsed(path: Path) -> Any:
    """A file's JSON. orjson refuses half surrogate pairs, which could not be stored."""
    try:
        return orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise CacheError(
            f"{path}, {where}: no valid JSON ({error.msg}); mend the file or leave it out"
        ) from error


def _read_missed(path: Path, tool: str) -> list[MissedCall]:
    misses = _parsed(path)
    if not isinstance(misses, list):
        raise CacheError(f"{path}: a list is expected, and this is {_kind(misses)}")
    return [_missed(path, number, each, tool) for number, each in enumerate(misses, 1)]


def _missed(path: Path, number: int, entry: Any, tool: str) -> MissedCall:
    if not isinstance(entry, dict):
        raise CacheError(f"{path}: entry {number}: an object is expected, and this is {_kind(entry)}")
    params, simulated, timestamp = (entry.get(name) for name in _FIELDS)
    if not isinstance(params, str):
        raise CacheError(f"{path}: entry {number}: params must be a string, and this is {_kind(params)}")
    if not isinstance(simulated, str | None):
        raise CacheError(
            f"{path}: entry {number}: simulated_result must be a string or null, and this is {_kind(simulated)}"
        )
    if not isinstance(timestamp, str | int | float):
        raise CacheError(f"{path}: entry {number}: timestamp must be a string or a number")
    return MissedCall(
        tool, params, simulated, str(timestamp), 1, Call(tool, _arguments(path, number, params))
    )


def _arguments(path: Path, number: int, params: str) -> dict[str, Any]:
    """The arguments of a missed call: an object, or pairs as in a key."""
    try:
        told = orjson.loads(params)
        return told if isinstance(told, dict) else read_key(params)
    except (orjson.JSONDecodeError, KeyProblem) as problem:
        where = f"{path}: entry {number}: params {_short(params)}"
        raise CacheError(f"{where} is no JSON object of arguments ({problem})") from problem


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def export_published(
    cache: Cache, target: Path, progress: Progress, *, overwrite: bool = False
) -> dict[str, int]:
    """Write a cache in the published layout; how many entries of each tool were written.

    Each file appears whole, sorted by key; exported again, it has the same bytes.

    Raises:
        CacheError: the target holds files of the layout already, and `overwrite` was not said.
    """
    target.mkdir(parents=True, exist_ok=True)
    present = [*target.glob(f"*{_CACHE}"), *target.glob(f"*{_MISSED}")]
    if present and not overwrite:
        raise CacheError(
            f"{target} holds {present[0].name} already; name an empty directory, or allow --overwrite"
        )
    written = {}
    for tool, pairs in merged(cache.pack, cache.learned_pairs(), progress):
        written[tool] = _write(target / f"{tool}{_CACHE}", "{}", map(_line, pairs))
    misses: dict[str, list[MissedCall]] = {}
    for miss in cache.misses():
        misses.setdefault(miss.tool, []).append(miss)
    for tool, logged in misses.items():
        _write(target / f"{tool}{_MISSED}", "[]", map(_missed_line, logged))
    _remove([path for path in present if not _belongs(path, written, misses)])
    return written


def _belongs(path: Path, written: Mapping[str, int], misses: Mapping[str, Any]) -> bool:
    name = path.name
    if name.endswith(_CACHE):
        return name.removesuffix(_CACHE) in written
    return name.removesuffix(_MISSED) in misses


def _remove(paths: Iterable[Path]) -> None:
    """Files of tools that the cache does not have; they would come back with the next import."""
    for path in paths:
        path.unlink()


def _line(pair: tuple[str, str]) -> str:
    return f"{_json(pair[0])}: {_json(pair[1])}"


def _missed_line(miss: MissedCall) -> str:
    return _json(dict(zip(_FIELDS, (miss.params, miss.simulated_result, miss.timestamp), strict=True)))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write(path: Path, brackets: str, lines: Iterable[str]) -> int:
    """A JSON object or list with an item a line, atomically; the number of items."""
    count = 0
    with NamedTemporaryFile(
        "w", dir=path.parent, prefix=".writing-", encoding="utf-8", delete=False
    ) as draft:
        try:
            draft.write(brackets[0])
            for count, line in enumerate(lines, 1):
                draft.write((",\n" if count > 1 else "\n") + line)
            draft.write("\n" + brackets[1] + "\n")
        except BaseException:
            Path(draft.name).unlink()
            raise
    Path(draft.name).chmod(0o644)
    Path(draft.name).replace(path)
    return count
