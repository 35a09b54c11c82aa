"""Sets of prompts as a zip of plain files with a manifest, out and in."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from lzma import LZMAError
from pathlib import Path
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from django.utils.translation import gettext as _

from benchmark.promptsets import digest_of, plain_text
from benchmark.promptsets.checks import LONGEST
from benchmark.suites import SUITES, suite_named
from webapp.forms import ChoiceRefused
from webapp.prompts.models import PromptSetVersion

MANIFEST: Final = "manifest.json"
FORMAT: Final = "caravan-prompt-set"
VERSION: Final = 1
_MOST_FILES: Final = 2_000
_LONGEST_MANIFEST: Final = 100_000
_MOST_BYTES: Final = LONGEST * 4
"""Of one file before it is decoded."""
_MOST_TOGETHER: Final = 16 * 1024 * 1024
"""Of all files of a zip before they are decoded, since so many of the longest would not fit into memory."""
_ZIP_ERRORS: Final = (
    BadZipFile,
    LZMAError,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    ValueError,
    EOFError,
    OSError,
)
"""What `zipfile` raises over a file that is no zip, or a damaged one."""
_FILE_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The time of all files, so that the same words make the same zip."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,60}")


@dataclass(frozen=True, slots=True)
class PackedSet:
    """What a zip holds. name, suite, comment: as its manifest says, "" where there is none. files: by path."""

    files: Mapping[str, str]
    name: str = ""
    suite: str = ""
    comment: str = ""


def file_name(version: PromptSetVersion) -> str:
    """What the zip of a version is called."""
    return f"prompts-{version.prompt_set.name}-{version.number}.zip"


def pack(version: PromptSetVersion) -> bytes:
    """A zip with every template of a version, those that are as shipped too, and a manifest."""
    made = version.prompt_set
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "suite": made.suite,
        "name": made.name,
        "number": version.number,
        "digest": version.digest,
        "comment": version.comment,
        "changed": sorted(version.files),
    }
    return pack_files(manifest, suite_named(made.suite).library.whole(version.files))


def pack_shipped(suite: str) -> bytes:
    """The same of the shipped words of a benchmark."""
    manifest = {"format": FORMAT, "version": VERSION, "suite": suite, "name": "", "digest": digest_of({})}
    return pack_files(manifest, suite_named(suite).library.whole({}))


def pack_files(manifest: Mapping[str, Any], files: Mapping[str, str]) -> bytes:
    """A zip of these."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as zipped:
        zipped.writestr(
            ZipInfo(MANIFEST, _FILE_TIME), json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
        )
        for path, text in files.items():
            zipped.writestr(ZipInfo(path, _FILE_TIME), text.encode())
    return packed.getvalue()


def unpack(file: IO[bytes]) -> PackedSet:
    """What a zip holds.

    Raises:
        ChoiceRefused: it is no zip, a file in it is no text, or too large; the message names it.
    """
    try:
        with ZipFile(file) as zipped:
            infos = [
                info for info in zipped.infolist() if not info.is_dir() and not _is_of_system(info.filename)
            ]
            if len(infos) > _MOST_FILES:
                words = _("The zip has %(count)s files, and at most %(most)s are read.")
                raise ChoiceRefused(words % {"count": len(infos), "most": _MOST_FILES}, "file")
            folder = _folder_of([info.filename for info in infos])
            texts = {}
            together = 0
            for info in infos:
                raw = _bytes(zipped, info)
                if (together := together + len(raw)) > _MOST_TOGETHER:
                    words = _("The files of the zip have more than %(most)s bytes together. Leave some out.")
                    raise ChoiceRefused(words % {"most": _MOST_TOGETHER}, "file")
                texts[info.filename.removeprefix(folder)] = _decode(raw, info.filename)
    except ChoiceRefused:
        raise
    except _ZIP_ERRORS as error:
        words = _("This is no zip file that can be read (%(why)s). Export a set to see how one looks.")
        raise ChoiceRefused(words % {"why": error}, "file") from error
    manifest = _manifest(texts.pop(MANIFEST, ""))
    if not texts:
        raise ChoiceRefused(_("The zip has no files of words. Export a set to see how one looks."), "file")
    said = {key: str(manifest.get(key) or "") for key in ("name", "suite", "comment")}
    return PackedSet({path: plain_text(text) for path, text in texts.items()}, **said)


def read_folder(folder: Path) -> PackedSet:
    """What a folder of such files holds; no file of it is changed.

    Raises:
        ChoiceRefused: as `unpack`.
        OSError: a file can't be read.
    """
    packed = BytesIO()
    with ZipFile(packed, "w") as zipped:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and (path.suffix == ".txt" or path.name == MANIFEST):
                zipped.writestr(path.relative_to(folder).as_posix(), path.read_bytes())
    return unpack(packed)


def _is_of_system(path: str) -> bool:
    """Whether a system's own packing has put it there."""
    return path.startswith("__MACOSX/") or path.rpartition("/")[2] in (".DS_Store", "Thumbs.db")


def _folder_of(paths: list[str]) -> str:
    """The one folder that all lie in, where a manifest is in it: who packs a folder packs it whole."""
    found = [path for path in paths if path == MANIFEST or path.endswith(f"/{MANIFEST}")]
    folder = min(found, key=len).removesuffix(MANIFEST) if found else ""
    return folder if all(path.startswith(folder) for path in paths) else ""


def _bytes(zipped: ZipFile, info: ZipInfo) -> bytes:
    most = _LONGEST_MANIFEST if info.filename.endswith(MANIFEST) else _MOST_BYTES
    with zipped.open(info) as opened:
        raw = opened.read(most + 1)
    if len(raw) > most:
        words = _("“%(path)s” has more than %(most)s bytes. Shorten it.")
        raise ChoiceRefused(words % {"path": info.filename, "most": most}, "file")
    return raw


def _decode(raw: bytes, path: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        words = _("“%(path)s”, line %(line)s: this is not UTF-8. Save the file in UTF-8.")
        raise ChoiceRefused(words % {"path": path, "line": line}, "file") from error


def _manifest(text: str) -> Mapping[str, Any]:
    """What a manifest says; nothing where there is none.

    Raises:
        ChoiceRefused: it is none of a set of prompts, or of a later version.
    """
    if not text:
        return {}
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ChoiceRefused(
            _("%(file)s is no JSON: %(why)s.") % {"file": MANIFEST, "why": error}, "file"
        ) from error
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        words = _("%(file)s is not of a set of prompts: its “format” is not “%(format)s”.")
        raise ChoiceRefused(words % {"file": MANIFEST, "format": FORMAT}, "file")
    if read.get("version") != VERSION:
        words = _(
            "%(file)s is of a later version of Caravan. Export the set for this one, or update Caravan."
        )
        raise ChoiceRefused(words % {"file": MANIFEST}, "file")
    suite = read.get("suite")
    if not isinstance(suite, str) or suite not in SUITES:
        words = _("%(file)s names no benchmark that is here: “suite” is “%(suite)s”.")
        raise ChoiceRefused(words % {"file": MANIFEST, "suite": suite}, "file")
    name = read.get("name")
    if name and not (isinstance(name, str) and _NAME.fullmatch(name)):
        words = _("%(file)s: “name” takes letters, digits, - and _, at most 60 of them.")
        raise ChoiceRefused(words % {"file": MANIFEST}, "file")
    return read
