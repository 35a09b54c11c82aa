"""What all processes of an installation have to have alike, as fingerprints."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.utils.crypto import salted_hmac

SHARED_FOLDERS = ("worlds", "caches", "archives")
"""Below CARAVAN_DATA: what the hosts of a served installation share."""
KEY = "CARAVAN_SECRET_KEY"
MARKER = ".shared-folder"
"""A file in each shared folder with a random text: hosts that read the same one have the same folder."""


def marks() -> dict[str, str]:
    """The fingerprints by what they are of.

    Raises:
        OSError: a shared folder can't be made or written.
    """
    return {
        KEY: _key_mark(),
        **{name: folder_mark(Path(settings.CARAVAN_DATA) / name) for name in SHARED_FOLDERS},
    }


def _key_mark() -> str:
    """Of the key, from which nobody finds the key."""
    return salted_hmac("webapp.watching.marks", "key", algorithm="sha256").hexdigest()[:16]


def folder_mark(folder: Path) -> str:
    """What is in the marker of a folder, which is made, and written to, for whoever looks first.

    Raises:
        OSError: it can't be made or written; the error names the file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / f"{MARKER}.{secrets.token_hex(8)}"
    probe.write_text(secrets.token_hex(8))
    try:
        with suppress(FileExistsError):
            os.link(probe, folder / MARKER)
    finally:
        probe.unlink()
    return (folder / MARKER).read_text().strip()
