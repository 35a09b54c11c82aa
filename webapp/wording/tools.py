"""Who answered a tool call, and what went wrong."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_MODES: dict[str, Promise] = {"world": _("world"), "isolated": _("isolated"), "online": _("online")}
_TRAVEL_MODES: dict[str, Promise] = {
    "driving": _("driving"),
    "transit": _("public transport"),
    "walking": _("walking"),
    "bicycling": _("cycling"),
}
_SOURCES: dict[str, Promise] = {
    "world": _("world"),
    "cache": _("hit"),
    "simulated": _("simulated"),
    "live": _("live"),
}
_ERROR_KINDS: dict[str, Promise] = {
    "arguments": _("bad call"),
    "answer": _("answered with an error"),
    "unanswered": _("nothing cached"),
    "simulator": _("simulator failed"),
    "schema": _("answer breaks the schema"),
    "timeout": _("timed out"),
    "backend": _("live service failed"),
}


def mode_words(mode: str) -> str:
    """A sandbox mode; an unknown one as it is."""
    return str(_MODES.get(mode, mode))


def travel_mode_words(mode: str) -> str:
    """How a route is travelled, as tools name it; an unknown way as it is."""
    return str(_TRAVEL_MODES.get(mode, mode))


def source_words(source: str) -> str:
    """Who gave an answer; an unknown source as it is."""
    return str(_SOURCES.get(source, source))


def error_kind_words(kind: str) -> str:
    """Why a call ended in an error; an unknown kind as it is."""
    return str(_ERROR_KINDS.get(kind, kind))
