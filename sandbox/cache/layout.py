"""The published layout: one `TOOL_cache.json` a tool, and `TOOL_missed.json` for what was missed."""

from __future__ import annotations

import json
import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson

from sandbox.cache.building import (
    Pairs,
    Progress,
    as_it_is,
    building,
    count_pairs,
    merge_additions,
    switch_to,
)
from sandbox.cache.cache import POINTER, Cache
from sandbox.cache.keys import CacheError, KeyProblem, MissedCall, call_of, key_of, published_key
from sandbox.cache.learned_store import LearnedStore
from sandbox.cache.pack import write_pack
from sandbox.calls import Call
from sandbox.toolsets import TOOLSETS, toolset_named
from sandbox.toolsets.base import DEFAULT_TOOLSET

_CACHE, _MISSES = "_cache.json", "_missed.json"
_TOOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_FIELDS = ("params", "simulated_result", "timestamp")
_SHOWN_LENGTH = 80


@dataclass
class ImportReport:
    """What came in, by tool. entries: of the new pack. misses_by_tool: of the directory's logs of misses."""

    entries: dict[str, int] = field(default_factory=dict)
    misses_by_tool: dict[str, int] = field(default_factory=dict)


def import_published(
    source: Path, folder: Path, progress: Progress, *, merge: bool = False, toolset: str = DEFAULT_TOOLSET
) -> ImportReport:
    """Read a directory of the published layout into the cache of a folder, which is made where there is none.

    toolset: whose tools the directory's files are of; those of others are in folders of their names within it.

    The directory replaces what the cache holds, or is added to it with `merge`; of two answers the directory's
    stands. One file is in memory at a time. Nothing changes unless every file is right.

    Raises:
        CacheError: a file, and the place in it, that is wrong or can't be read.
        UnknownToolset: there is no such toolset.
        OSError: the cache's folder can't be written.
    """
    files = _files(source, _CACHE, toolset)
    missed = {tool: _read_missed(path, tool) for tool, path in _files(source, _MISSES, toolset).items()}
    if not files and not (merge and missed):
        raise CacheError(f"{source} holds no TOOL{_CACHE}; name the directory that does")
    with building(folder) as scratch, closing(LearnedStore(folder)) as learned:
        if merge and (folder / POINTER).exists():
            upto, digest = _write_merged(scratch / "pack", folder, files, progress)
        else:
            upto = learned.last_id()
            digest = write_pack(scratch / "pack", _tools(files, progress), learned_from=upto)
        learned.take_misses(each for tool in missed for each in missed[tool])
        switch_to(folder, scratch / "pack", digest, upto)
    return _report(folder, missed)


def _write_merged(
    draft: Path, folder: Path, files: Mapping[str, Path], progress: Progress
) -> tuple[int, str]:
    """Write what the cache holds, overlaid by the files; the last learned entry that is in it, and the digest."""
    with closing(as_it_is(folder)) as known:

        def pairs_to_add(tool: str) -> dict[str, str]:
            return known.learned_pairs(tool) | (_read_entries(files[tool], tool) if tool in files else {})

        upto = known.state.learned_upto
        tools = merge_additions(known.pack, {*known.counts, *files}, pairs_to_add, progress, added_wins=True)
        return upto, write_pack(draft, tools, learned_from=upto)


def _report(folder: Path, missed: Mapping[str, list[MissedCall]]) -> ImportReport:
    with closing(Cache.open(folder)) as cache:
        return ImportReport(dict(cache.pack.counts), {tool: len(misses) for tool, misses in missed.items()})


def _tools(files: Mapping[str, Path], progress: Progress) -> Iterator[tuple[str, Pairs]]:
    for tool, path in files.items():
        progress(tool, 0, 0)
        yield tool, _pairs(path, tool, progress)


def _pairs(path: Path, tool: str, progress: Progress) -> Pairs:
    """Nothing here outlives the pairs: just one file's are in memory."""
    entries = _read_entries(path, tool)
    return count_pairs(sorted(entries.items()), tool, len(entries), progress)


def _files(source: Path, ending: str, toolset: str) -> dict[str, Path]:
    """The directory's files of one kind by tool, in order of tools."""
    folders = {toolset: source} | {name: source / name for name in TOOLSETS if (source / name).is_dir()}
    path_by_name = {
        toolset_named(name).stored_name(tool): path
        for name, folder in folders.items()
        for tool, path in _files_in(folder, ending)
    }
    return dict(sorted(path_by_name.items()))


def _files_in(folder: Path, ending: str) -> Iterator[tuple[str, Path]]:
    with _reading(folder):
        matching_paths = (path for path in folder.iterdir() if path.name.endswith(ending))
        paths = [
            path for path in matching_paths if not path.name.startswith("._")
        ]  # what macOS keeps of each file
    for path in paths:
        tool = path.name.removesuffix(ending)
        if not _TOOL.fullmatch(tool):
            raise CacheError(f"{path}: {tool!r} is no name of a tool; use letters, digits and underscores")
        yield tool, path


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except PermissionError as error:
        raise CacheError(f"{path} can't be read ({error.strerror}); let this user read it") from error
    except OSError as error:
        expected = f"name a directory of TOOL{_CACHE} files"
        raise CacheError(f"{path} can't be read ({error.strerror}); {expected}") from error


def _read_entries(path: Path, tool: str) -> dict[str, str]:
    """Key to result; of a key that stands twice the last, as the published code reads it."""
    entries = _parse(path)
    if not isinstance(entries, dict):
        raise CacheError(f"{path}: one object from key to result is expected, and this is {_kind(entries)}")
    for number, (key, result) in enumerate(entries.items(), 1):
        if not isinstance(result, str):
            raise CacheError(
                f"{path}: entry {number} ({_short(key)}): the result is {_kind(result)}, not a string; mend it or "
                "leave it out"
            )
        try:
            call_of(tool, key)
        except KeyProblem as problem:
            raise CacheError(
                f"{path}: entry {number}: the key {_short(key)} {problem}; mend it or leave it out"
            ) from problem
    return entries


def _parse(path: Path) -> Any:
    """A file's JSON. orjson refuses half surrogate pairs, which could not be stored."""
    with _reading(path):
        raw = path.read_bytes().removeprefix(BOM_UTF8)
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        where, why = _no_utf8(raw) or (
            f"line {error.lineno}, column {error.colno}",
            f"no valid JSON ({error.msg})",
        )
        raise CacheError(f"{path}, {where}: {why}; mend the file or leave it out") from error


def _no_utf8(raw: bytes) -> tuple[str, str] | None:
    """Where bytes are no UTF-8, which orjson does not tell, and why not."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        begin = raw.rfind(b"\n", 0, error.start) + 1
        line, column = raw.count(b"\n", 0, begin) + 1, len(raw[begin : error.start].decode()) + 1
        return f"line {line}, column {column}", f"no UTF-8 ({error.reason}, byte {error.start})"
    return None


def _read_missed(path: Path, tool: str) -> list[MissedCall]:
    """Each missed call once, as it was missed first, with how often it was."""
    entries = _parse(path)
    if not isinstance(entries, list):
        raise CacheError(f"{path}: a list is expected, and this is {_kind(entries)}")
    misses: dict[str, MissedCall] = {}
    for number, entry in enumerate(entries, 1):
        miss = _missed_call_of(path, number, entry, tool)
        key = key_of(miss.call, "published")
        first = misses.setdefault(key, replace(miss, count=0))
        misses[key] = replace(
            first,
            count=first.count + 1,
            simulated_result=miss.simulated_result
            if first.simulated_result is None
            else first.simulated_result,
        )
    return list(misses.values())


def _missed_call_of(path: Path, number: int, entry: Any, tool: str) -> MissedCall:
    if not isinstance(entry, dict):
        raise CacheError(f"{path}: entry {number}: an object is expected, and this is {_kind(entry)}")
    params, simulated, timestamp = (entry.get(name) for name in _FIELDS)
    if not isinstance(params, str):
        raise CacheError(f"{path}: entry {number}: params must be a string, and this is {_kind(params)}")
    if not isinstance(timestamp, str | int | float) or isinstance(timestamp, bool):
        raise CacheError(f"{path}: entry {number}: timestamp must be a string or a number")
    return MissedCall(tool, params, simulated, timestamp, 1, _missed_call(path, number, tool, params))


def _missed_call(path: Path, number: int, tool: str, params: str) -> Call:
    """params: an object of what a key holds, or pairs as in a key."""
    try:
        given = json.loads(params)
        return call_of(tool, published_key(given) if isinstance(given, dict) else params)
    except (ValueError, RecursionError) as problem:
        where = f"{path}: entry {number}: params {_short(params)}"
        raise CacheError(f"{where} is not a JSON object of arguments ({problem})") from problem


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "…"


def export_published(
    cache: Cache, target: Path, progress: Progress, *, overwrite: bool = False
) -> dict[str, int]:
    """Write a cache in the published layout; how many entries of each tool were written.

    Each file appears whole, sorted by key; exported again, it has the same bytes.

    Raises:
        CacheError: the target holds files of the layout already, and `overwrite` was not said.
    """
    target.mkdir(parents=True, exist_ok=True)
    present = [
        path for folder in _folders(target) for end in (_CACHE, _MISSES) for path in folder.glob(f"*{end}")
    ]
    if present and not overwrite:
        raise CacheError(
            f"{target} holds {present[0].name} already; name an empty directory, or allow --overwrite"
        )
    written = {}
    with TemporaryDirectory(dir=target, prefix=".writing-") as folder:
        drafts = Path(folder)
        for tool, pairs in merge_additions(cache.pack, cache.counts, cache.learned_pairs, progress):
            written[tool] = _write(_place(drafts, tool, _CACHE), "{}", map(_line, pairs))
        for tool in cache.missed_counts():
            _write(_place(drafts, tool, _MISSES), "[]", map(_missed_line, cache.misses(tool)))
        _put_in_place(drafts, target, present)
    return written


def _folders(target: Path) -> list[Path]:
    """Where files of the layout are: the tools of the default toolset at the top, others in folders."""
    return [target, *(target / name for name in TOOLSETS if name != DEFAULT_TOOLSET)]


def _place(folder: Path, tool: str, ending: str) -> Path:
    """The file of a tool, told by its name in caches."""
    toolset, _, name = tool.rpartition(".")
    return folder / toolset / f"{name}{ending}"


def _put_in_place(drafts: Path, target: Path, present: Iterable[Path]) -> None:
    """All finished files at once; those of tools that the cache does not have would come back with an import."""
    finished = {path.relative_to(drafts): path for path in drafts.rglob("*.json")}
    for path in present:
        if path.relative_to(target) not in finished:
            path.unlink()
    for name, path in finished.items():
        (target / name).parent.mkdir(exist_ok=True)
        path.replace(target / name)


def _line(pair: tuple[str, str]) -> str:
    return f"{_json(pair[0])}: {_json(pair[1])}"


def _missed_line(miss: MissedCall) -> str:
    return _json(dict(zip(_FIELDS, (miss.params, miss.simulated_result, miss.timestamp), strict=True)))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write(path: Path, brackets: str, lines: Iterable[str]) -> int:
    """A JSON object or list with an item a line; the number of items."""
    count = 0
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.write(brackets[0])
        for count, line in enumerate(lines, 1):
            file.write((",\n" if count > 1 else "\n") + line)
        file.write("\n" + brackets[1] + "\n")
        file.flush()
        os.fsync(file.fileno())
    return count
