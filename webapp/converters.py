"""Parts of addresses."""

from __future__ import annotations

from django.urls.converters import PathConverter, StringConverter


class SessionId(StringConverter):
    """A session's id: what can be none is unknown without a look."""

    regex = "[0-9a-z]{1,12}"


class TaskId(PathConverter):
    """A task's id as its file gave it: anything but the character that no database takes."""

    regex = "[^\x00]+"


class WorldName(StringConverter):
    """A world's name as its pack gave it, in the same way."""

    regex = "[^/\x00]+"
