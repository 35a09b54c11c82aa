"""The words that a model is given: template files, one folder a language, and their version."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from string import Template

from sandbox.tools.language import Language

Texts = Mapping[Path, str]
"""Words that stand in place of shipped files, by the path `FOLDER/LANGUAGE/NAME.txt`, which need not exist."""
NO_TEXTS: Texts = {}
_in_place: ContextVar[Texts] = ContextVar("texts_in_place", default=NO_TEXTS)
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


@contextmanager
def texts_in_place(texts: Texts) -> Iterator[None]:
    """Have all `Prompts` take these words before the shipped ones, in this thread and until the end of the block.

    Whoever steps a session enters it for one call: texts belong to the session, and never to the process.
    """
    token = _in_place.set(texts)
    try:
        yield
    finally:
        _in_place.reset(token)


class Prompts:
    """The templates `LANGUAGE/NAME.txt` of folders; a file of the first folder stands for those of the others, and
    texts in place (`texts_in_place`) for files.

    A template may be a list of patterns, a line each: KEY, `equals`, PATTERN. mark: what stands between names and
    texts as they are digested.
    """

    def __init__(self, *folders: Path, equals: str = " = ", mark: str = "\n") -> None:
        self._folders, self._equals, self._mark = folders, equals, mark
        _all_prompts.append(self)
        self._shipped_text, self._shipped_lines = cache(self._read), cache(self._split)
        self._shipped_version = cache(self._version)

    @property
    def as_shipped(self) -> bool:
        """Whether no words are in place of any of its files."""
        return not any(path.parent.parent in self._folders for path in _in_place.get())

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where its files are, the first one first."""
        return self._folders

    @property
    def equals(self) -> str:
        """What stands between the key and the pattern in a line of a list."""
        return self._equals

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

    def version(self, language: str) -> str:
        """The number in version.txt and a digest of all that is said in a language: `1-0f3a9c21`.

        The number is raised by hand when the way prompts are put together changes; the digest follows the words.
        """
        return self._shipped_version(language) if self.as_shipped else self._version(language)

    def _text(self, language: Language, name: str) -> str:
        return self._shipped_text(language, name) if self.as_shipped else self._read(language, name)

    def _lines(self, language: Language, name: str) -> Mapping[str, str]:
        return self._shipped_lines(language, name) if self.as_shipped else self._split(language, name)

    def _read(self, language: Language, name: str) -> str:
        return self.source(language, name).rstrip("\n")

    def _split(self, language: Language, name: str) -> dict[str, str]:
        pairs = (line.partition(self._equals) for line in self._text(language, name).splitlines())
        return {key: pattern for key, _, pattern in pairs}

    def source(self, language: Language, name: str) -> str:
        """The file of a template to the letter, or the words in place of it.

        Raises:
            FileNotFoundError: there is no such template.
        """
        texts = _in_place.get()
        for folder in self._folders:
            path = folder / language / f"{name}.txt"
            if path in texts:
                return texts[path]
            if path.exists():
                return path.read_text(encoding="utf-8")
        return (self._folders[-1] / language / f"{name}.txt").read_text(encoding="utf-8")

    def _version(self, language: str) -> str:
        digest = hashlib.sha256()
        within = prompt_language(language)
        for name in self._names(within):
            text = self.source(within, name.removesuffix(".txt"))
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
