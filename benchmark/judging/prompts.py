"""The words that judges are given: template files, one folder a language, and their version."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template

from sandbox.tools.language import Language

_DIGEST = 8


@dataclass(frozen=True, slots=True)
class Prompts:
    """The templates of an input form.

    folder: has LANGUAGE/NAME.txt, and a version.txt. own: a folder with files that the form has in place of those.
    Judges are asked by judge_system and judge_user, meta-judges by meta_system and meta_user; `rubric` is part of
    both system messages, and lines.txt has a pattern a line.
    """

    folder: Path
    own: Path | None = None

    def fill(self, language: Language, name: str, /, **fields: object) -> str:
        """The template LANGUAGE/NAME.txt with its `$fields` filled, without the newline at its end.

        Raises:
            KeyError: a field of the template is not given.
        """
        return _template(self.file(language, f"{name}.txt")).substitute(fields)

    def line(self, language: Language, key: str, /, **fields: object) -> str:
        """The pattern `key` of lines.txt with its `$fields` filled.

        Raises:
            KeyError: there is no such pattern, or a field of it is not given.
        """
        return _lines(self.file(language, "lines.txt"))[key].substitute(fields)

    def file(self, folder: str, name: str) -> Path:
        """The form's own file, else the one that it shares."""
        own = self.own / folder / name if self.own else None
        return own if own is not None and own.exists() else self.folder / folder / name

    def version(self, language: Language) -> str:
        """The number in version.txt and a digest of all that the form says in a language: `1-0f3a9c21`.

        The number is raised by hand when the way prompts are put together changes; the digest follows the words.
        """
        return _version(self, language)


@lru_cache(maxsize=16)
def _version(prompts: Prompts, language: Language) -> str:
    digest = hashlib.sha256()
    for name in sorted(path.name for path in (prompts.folder / language).glob("*.txt")):
        digest.update(f"{name}\n{prompts.file(language, name).read_text(encoding='utf-8')}\n".encode())
    number = prompts.file("", "version.txt").read_text(encoding="utf-8").strip()
    return f"{number}-{digest.hexdigest()[:_DIGEST]}"


@lru_cache(maxsize=64)
def _template(file: Path) -> Template:
    return Template(file.read_text(encoding="utf-8").rstrip("\n"))


@lru_cache(maxsize=16)
def _lines(file: Path) -> dict[str, Template]:
    written = file.read_text(encoding="utf-8").splitlines()
    return {key: Template(pattern) for key, _, pattern in (each.partition(" = ") for each in written)}
