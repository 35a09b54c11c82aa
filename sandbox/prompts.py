"""The words that a model is given: template files, one folder a language, and their version."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from string import Template

from sandbox.tools.language import Language

_DIGEST = 8
_LANGUAGES: tuple[Language, ...] = ("en", "zh")


def prompt_language(language: str) -> Language:
    """The prompts' language for a session's: Chinese for all but English, as the tools have it."""
    return "en" if language == "en" else "zh"


_all_prompts: list[Prompts] = []


def prompts_of(version: str) -> tuple[Prompts, tuple[Language, ...]] | None:
    """The prompts of a version and the languages that it is of; None for one that this code has not.

    Only those that were imported are known.
    """
    for prompts in _all_prompts:
        if version == prompts.edition:
            return prompts, ("en", "zh")
        spoken_in = tuple(language for language in _LANGUAGES if prompts.version(language) == version)
        if spoken_in:
            return prompts, spoken_in
    return None


class Prompts:
    """The templates `LANGUAGE/NAME.txt` of folders; a file of the first folder stands for those of the others.

    A template may be a list of patterns, a line each: KEY, `equals`, PATTERN. mark: what stands between names and
    texts as they are digested.
    """

    def __init__(self, *folders: Path, equals: str = " = ", mark: str = "\n") -> None:
        self._folders, self._equals, self._mark = folders, equals, mark
        _all_prompts.append(self)
        self._text, self._lines, self.version = cache(self._read), cache(self._split), cache(self._version)

    def fill(self, language: str, name: str, /, **fields: object) -> str:
        """The template with its `$fields` filled, without the newline at its end.

        Raises:
            KeyError: a field of the template is not given.
        """
        return Template(self._text(prompt_language(language), name)).substitute(fields)

    def line(self, language: str, name: str, key: str, /, **fields: object) -> str:
        """The pattern `key` of a list with its `$fields` filled.

        Raises:
            KeyError: there is no such pattern, or a field of it is not given.
        """
        return Template(self._lines(prompt_language(language), name)[key]).substitute(fields)

    def has_line(self, language: str, name: str, key: str) -> bool:
        """Whether a list has a pattern `key`."""
        return key in self._lines(prompt_language(language), name)

    def _read(self, language: Language, name: str) -> str:
        return self._file(f"{language}/{name}.txt").read_text(encoding="utf-8").rstrip("\n")

    def _split(self, language: Language, name: str) -> dict[str, str]:
        pairs = (line.partition(self._equals) for line in self._text(language, name).splitlines())
        return {key: pattern for key, _, pattern in pairs}

    def _version(self, language: str) -> str:
        """The number in version.txt and a digest of all that is said in a language: `1-0f3a9c21`.

        The number is raised by hand when the way prompts are put together changes; the digest follows the words.
        """
        digest = hashlib.sha256()
        within = prompt_language(language)
        for name in self._names(within):
            text = self._file(f"{within}/{name}").read_text(encoding="utf-8")
            digest.update(f"{name}{self._mark}{text}{self._mark}".encode())
        number = self._file("version.txt").read_text(encoding="utf-8").strip()
        return f"{number}-{digest.hexdigest()[:_DIGEST]}"

    def templates(self, language: Language) -> dict[str, str]:
        """All that is said in a language, by the name of its template."""
        return {name.removesuffix(".txt"): self._read(language, name[:-4]) for name in self._names(language)}

    def _names(self, language: Language) -> list[str]:
        return sorted({path.name for each in self._folders for path in (each / language).glob("*.txt")})

    @property
    def edition(self) -> str:
        """The versions in English and in Chinese, of whoever is asked in either: `1-0f3a9c21/1-77aa01b2`."""
        return f"{self.version('en')}/{self.version('zh')}"

    def _file(self, path: str) -> Path:
        """The first folder's file; the last folder's where none has it."""
        files = [folder / path for folder in self._folders]
        return next((file for file in files if file.exists()), files[-1])
