"""The words that go through gettext, and the catalogues of them, which `python -m tests.messages` brings up to date.

New words come in without a translation, words that are gone go, and translations stay. No gettext binary is needed.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import polib
from babel.messages.extract import extract

from tests import ROOT

Key = tuple[str, str, str]
"""Context, msgid and plural; "" where there is none."""
CATALOGUES = ("locale/zh_Hans/LC_MESSAGES/django.po",)
CODE = ("webapp", "worker", "benchmark", "sandbox")
KEYWORDS = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "ngettext_noop": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}


def messages() -> dict[Key, list[str]]:
    """Every message of code and templates, with the files that hold it."""
    found: dict[Key, list[str]] = {}
    for file in _files():
        name = str(file.relative_to(ROOT))
        for key in _of_file(file):
            places = found.setdefault(key, [])
            if name not in places:
                places.append(name)
    return found


def _files() -> Iterator[Path]:
    for folder in CODE:
        yield from sorted((ROOT / folder).rglob("*.py"))
    for folder in ("templates", *CODE):
        yield from sorted((ROOT / folder).rglob("*.html"))


def _of_file(file: Path) -> Iterator[Key]:
    source, keywords = file.read_text(), dict(KEYWORDS)
    if file.suffix == ".html":
        from django.utils.translation.template import templatize

        source = f"({templatize(source)}\n)"  # in brackets, or its indentation would have to be Python's
        keywords["_"] = None
    elif "gettext" not in source:  # most files: parsing them takes long
        return
    else:
        keywords |= {alias: KEYWORDS[name] for name, alias in _aliases(source)}
    for _line, told, _comments, context in extract("python", io.BytesIO(source.encode()), keywords):
        parts = [told] if isinstance(told, str) else [part for part in told if isinstance(part, str)]
        if parts[0]:
            yield (context or "", parts[0], parts[1] if len(parts) > 1 else "")


def _aliases(source: str) -> Iterator[tuple[str, str]]:
    """What a file calls the functions of gettext: (name, alias)."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            yield from (
                (name.name, name.asname) for name in node.names if name.asname and name.name in KEYWORDS
            )


def update(path: Path) -> list[polib.POEntry]:
    """Bring one catalogue up to date; those of its messages that lack a translation."""
    old = polib.pofile(str(path))
    known = {(entry.msgctxt or "", entry.msgid): entry for entry in old}
    made = polib.POFile(wrapwidth=110)
    made.metadata, made.header = old.metadata, old.header
    for (context, msgid, plural), places in messages().items():
        entry = polib.POEntry(
            msgid=msgid, msgctxt=context or None, occurrences=[(place, "") for place in places]
        )
        _translate(entry, plural, known.get((context, msgid)))
        made.append(entry)
    made.save(str(path))
    return list(made.untranslated_entries())


def _line_of(entry: polib.POEntry) -> str:
    """An entry and the files that hold it, on one line: `"Hour" (benchmark/one.py, templates/two.html)`."""
    places = ", ".join(place for place, _line in entry.occurrences)
    return f"{json.dumps(entry.msgid, ensure_ascii=False)} ({places})"


def _translate(entry: polib.POEntry, plural: str, known: polib.POEntry | None) -> None:
    if "%(" in entry.msgid:
        entry.flags = ["python-format"]
    if plural:
        entry.msgid_plural = plural
        entry.msgstr_plural = {0: ""}
    if known is None:
        return
    if plural:
        entry.msgstr_plural = known.msgstr_plural or {0: known.msgstr}
    else:
        entry.msgstr = known.msgstr or next(iter(known.msgstr_plural.values()), "")


def main() -> None:
    import django

    django.setup()
    lacking = {name: update(ROOT / name) for name in CATALOGUES}
    for name, entries in lacking.items():
        for entry in entries:
            print(f"  {_line_of(entry)}")
        print(f"{name}: {len(entries)} without a translation" if entries else f"{name}: complete")
    sys.exit(1 if any(lacking.values()) else 0)


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    main()
