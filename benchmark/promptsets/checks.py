"""What is wrong with the words of a set, by line, before anybody is told them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from string import Template
from typing import Final

from benchmark.promptsets.library import Files, PromptFile, PromptLibrary, fields_in
from benchmark.remarks import Remark
from benchmark.remarks import gettext_noop as _

LONGEST: Final = 60_000
"""Characters of one file."""
LONGEST_SET: Final = 300_000
"""Characters of all files of a set together: the log of each session that is played by it holds them."""
_CONTROL: Final = frozenset({*range(0x20), 0x7F} - {0x09, 0x0A})
_SURROGATES: Final = range(0xD800, 0xE000)


@dataclass(frozen=True, slots=True)
class Problem:
    """path: of the file, "" for all of the set. line: from 1, 0 for the whole file. field: the `$field` or key that
    it is about, "" for none. is_serious: the words can't be told; else they can, and may not do what is wanted.
    """

    remark: Remark
    path: str = ""
    line: int = 0
    field: str = ""
    is_serious: bool = True


def serious(problems: Iterable[Problem]) -> list[Problem]:
    """Those with which a set can't be kept."""
    return [problem for problem in problems if problem.is_serious]


def check_files(library: PromptLibrary, files: Files) -> list[Problem]:
    """All that is wrong with a set."""
    problems = [problem for path, text in files.items() for problem in _check_file(library, path, text)]
    if (length := sum(map(len, files.values()))) > LONGEST_SET:
        text = _("The changed files have %(length)s characters together, and at most %(most)s are allowed.")
        problems.append(Problem(Remark(text, {"length": length, "most": LONGEST_SET})))
    return problems


def _check_file(library: PromptLibrary, path: str, text: str) -> list[Problem]:
    if (file := library.files.get(path)) is not None:
        return check_text(file, text)
    close = get_close_matches(path, library.files, 1, 0.5)
    if close:
        said = _("This benchmark has no such file. Do you mean “%(close)s”?")
        return [Problem(Remark(said, {"close": close[0]}), path)]
    return [Problem(Remark(_("This benchmark has no such file. Leave it out.")), path)]


def check_text(file: PromptFile, text: str) -> list[Problem]:
    """All that is wrong with the words of one file, in the order of lines."""
    problems = [*_check_characters(file, text)]
    if not problems:
        problems += _check_list(file, text) if file.patterns is not None else _check_words(file, text)
    return sorted(problems, key=lambda problem: problem.line)


def _check_characters(file: PromptFile, text: str) -> Iterator[Problem]:
    if len(text) > LONGEST:
        said = _("This file has %(length)s characters, and at most %(most)s are allowed.")
        yield Problem(Remark(said, {"length": len(text), "most": LONGEST}), file.path)
    elif not text.strip() and file.text.strip():
        yield Problem(Remark(_("This file is empty. Write something, or take the shipped words.")), file.path)
    for number, line in enumerate(text.split("\n"), 1):
        bad = next((char for char in line if ord(char) in _CONTROL or ord(char) in _SURROGATES), "")
        if bad:
            said = _("The character U+%(code)s can't be sent to a model. Delete it.")
            yield Problem(Remark(said, {"code": f"{ord(bad):04X}"}), file.path, number)


def _check_words(file: PromptFile, text: str) -> Iterator[Problem]:
    for number, line in enumerate(text.splitlines(), 1):
        yield from _check_fields(file, line, number, file.fields)
    yield from _missing(file, set(file.fields) - set(fields_in(text)), 0)


def _check_list(file: PromptFile, text: str) -> Iterator[Problem]:
    """A list keeps its keys: whoever speaks by it looks each one up."""
    assert file.patterns is not None
    equals, seen = file.part.prompts.equals, set[str]()
    for number, line in enumerate(text.rstrip("\n").splitlines(), 1):
        key, separator, pattern = line.partition(equals)
        if not separator:
            said = _("A line of this file is a key, “%(equals)s” and words, such as “%(example)s”.")
            first = file.text.splitlines()[0]
            example = first if len(first) <= 60 else f"{first[:60]}…"
            yield Problem(Remark(said, {"equals": equals.strip(), "example": example}), file.path, number)
        elif key in seen:
            said = _("The key “%(key)s” is there twice. Delete one of the lines.")
            yield Problem(Remark(said, {"key": key}), file.path, number, key)
        elif key not in file.patterns:
            said = _("No key of this file is called “%(key)s”. There are: %(known)s.")
            values = {"key": key, "known": ", ".join(file.patterns)}
            yield Problem(Remark(said, values), file.path, number, key)
        else:
            seen.add(key)
            known = list(dict.fromkeys(fields_in(file.patterns[key])))
            yield from _check_fields(file, pattern, number, known)
            yield from _missing(file, set(known) - set(fields_in(pattern)), number)
    for key in file.patterns:
        if key not in seen:
            said = _("The key “%(key)s” is missing. Add a line “%(line)s”.")
            values = {"key": key, "line": f"{key}{equals}{file.patterns[key]}"}
            yield Problem(Remark(said, values), file.path, 0, key)


def _check_fields(file: PromptFile, line: str, number: int, known: Collection[str]) -> Iterator[Problem]:
    for match in Template.pattern.finditer(line):
        if match["invalid"] is not None:
            said = _("A “$” in column %(column)s begins no field. Write “$$” for a dollar sign.")
            yield Problem(Remark(said, {"column": match.start() + 1}), file.path, number, "$")
        name = match["named"] or match["braced"]
        if name and name not in known:
            yield Problem(_unknown_field(name, known), file.path, number, name)


def _unknown_field(name: str, known: Collection[str]) -> Remark:
    values: dict[str, object] = {"name": name, "known": ", ".join(f"${each}" for each in known)}
    if not known:
        said = _("There is no field “$%(name)s” here: these words have none. Write “$$” for a dollar sign.")
        return Remark(said, values)
    if close := get_close_matches(name, known, 1):
        said = _("There is no field “$%(name)s” here. Do you mean “$%(close)s”? There are: %(known)s.")
        return Remark(said, values | {"close": close[0]})
    return Remark(_("There is no field “$%(name)s” here. There are: %(known)s."), values)


def _missing(file: PromptFile, names: Collection[str], number: int) -> Iterator[Problem]:
    for name in sorted(names):
        said = _("The field “$%(name)s” of the shipped words is not used, so the model is not told it.")
        yield Problem(Remark(said, {"name": name}), file.path, number, name, is_serious=False)
