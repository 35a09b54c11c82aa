"""The shipped templates of a benchmark as one set of plain files: `PART/LANGUAGE/NAME.txt`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from string import Template
from typing import Final, Literal

from sandbox.prompts import Prompts, Texts, texts_in_place
from sandbox.tools.language import Language

Role = Literal["agent", "users", "simulator", "judge", "namer"]
ROLES: Final[tuple[Role, ...]] = ("agent", "users", "simulator", "judge", "namer")
"""Who is told something, in the order in which pages list them."""
Files = Mapping[str, str]
"""The words of a set, by the paths of its files. What it lacks is as shipped."""
_LANGUAGES: Final[tuple[Language, ...]] = ("en", "zh")
_KEY: Final = re.compile(r"[^\s$]+")


@dataclass(frozen=True, slots=True)
class PromptPart:
    """Templates that belong together.

    key: the first part of its files' paths, lower-case letters and `_`. role: who is told them. label: an English
    message id. read_by_rules: by template, an English message id: what reads words or answers of it by rules, so that
    other words may break it.
    """

    key: str
    role: Role
    label: str
    prompts: Prompts
    read_by_rules: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PromptFile:
    """One shipped template. text: as it is shipped, with one newline at its end."""

    part: PromptPart
    language: Language
    name: str
    text: str

    @property
    def path(self) -> str:
        """Its name in a set."""
        return f"{self.part.key}/{self.language}/{self.name}.txt"

    @property
    def place(self) -> Path:
        """Where a `Prompts` looks for other words of it."""
        return self.part.prompts.folders[0] / self.language / f"{self.name}.txt"

    @property
    def why_strict(self) -> str:
        """What reads its words or answers by rules, as an English message id; "" where nothing does."""
        return self.part.read_by_rules.get(self.name, "")

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The `$fields` that may stand in it: those of the shipped words."""
        return tuple(dict.fromkeys(fields_in(self.text)))

    @cached_property
    def patterns(self) -> Mapping[str, str] | None:
        """Of a list of patterns, each line's by its key; None of a whole text."""
        lines = [line.partition(self.part.prompts.equals) for line in self.text.splitlines()]
        if all(equals and _KEY.fullmatch(key) for key, equals, _pattern in lines):
            return {key: pattern for key, _equals, pattern in lines}
        return None


def fields_in(text: str) -> Iterator[str]:
    """The names of the `$fields` of a template, as often as they stand there."""
    for match in Template.pattern.finditer(text):
        name = match["named"] or match["braced"]
        if name:
            yield name


class PromptLibrary:
    """All templates of a benchmark that can be told in other words."""

    def __init__(self, parts: Iterable[PromptPart]) -> None:
        self.parts: Sequence[PromptPart] = tuple(parts)

    def in_place(self, files: Files) -> AbstractContextManager[None]:
        """Have whoever is asked until the end of the block be told these words in place of the shipped ones."""
        return texts_in_place(self.texts(files))

    @cached_property
    def files(self) -> Mapping[str, PromptFile]:
        """Every template by its path: by part, language and name."""
        return {file.path: file for part in self.parts for file in self._files_of(part)}

    def _files_of(self, part: PromptPart) -> Iterator[PromptFile]:
        """Those that no other part lists: a part leaves out what it shares with one whose folder it looks into."""
        own, *others = part.prompts.folders
        shared = {
            folder
            for other in self.parts
            if other is not part and other.prompts.folders[0] in others
            for folder in other.prompts.folders
        }
        for language in _LANGUAGES:
            listed = {
                path.stem
                for folder in (own, *others)
                if folder not in shared
                for path in (folder / language).glob("*.txt")
            }
            for name in sorted(listed):
                yield PromptFile(part, language, name, plain_text(part.prompts.source(language, name)))

    def changed_files(self, files: Files) -> dict[str, str]:
        """Those of these files whose words are not as shipped, in the order of paths; those that are unknown too."""
        shipped = {path: file.text for path, file in self.files.items()}
        return {path: files[path] for path in sorted(files) if files[path] != shipped.get(path)}

    def whole(self, files: Files) -> dict[str, str]:
        """Every template's words by its path, with these in place of the shipped ones."""
        return {path: files.get(path, file.text) for path, file in self.files.items()}

    def texts(self, files: Files) -> Texts:
        """The words of a set as `texts_in_place` takes them; files that this version does not have are left out."""
        return {self.files[path].place: text for path, text in files.items() if path in self.files}

    def role_of(self, path: str) -> Role | None:
        """Who is told a file; None for one that this version does not have."""
        return self.files[path].part.role if path in self.files else None

    def of_roles(self, files: Files, roles: Iterable[Role]) -> dict[str, str]:
        """The files that these are told."""
        wanted = set(roles)
        return {path: text for path, text in files.items() if self.role_of(path) in wanted}

    def digests(self, files: Files) -> dict[Role, str]:
        """By role that has other words than the shipped ones, the digest of its files."""
        changed = self.changed_files(files)
        own = {role: self.of_roles(changed, (role,)) for role in ROLES}
        return {role: digest_of(files) for role, files in own.items() if files}


def digest_of(files: Files) -> str:
    """SHA-256, in hexadecimal digits, of the paths and words of a set."""
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(f"{path}\0{files[path]}\0".encode())
    return digest.hexdigest()


def plain_text(text: str) -> str:
    """A text as sets hold it: lines end in a newline alone, no byte order mark, and one newline at the end."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return f"{lines.rstrip(chr(10))}\n"
