"""Model fields that Django does not have."""

from __future__ import annotations

import json
import secrets
import unicodedata
from typing import Any

from django.db import models
from pydantic_core import from_json, to_json

NUL = "\x00"
"""The one character that PostgreSQL stores and compares in no text."""


def readable_id(length: int) -> str:
    """As many random characters, none of which is taken for another one when it is read aloud."""
    return "".join(secrets.choice("23456789abcdefghjkmnpqrstuvwxyz") for _ in range(length))


_JOINERS = "\u200c\u200d"
"""Characters without a form of their own that scripts and emoji need."""


def plain_name(text: str, most: int) -> str:
    """A name on one line of at most so many characters, without any that nobody sees or that turn others around."""
    line = " ".join(text.replace(NUL, "").split())
    kept = (c for c in line if c in _JOINERS or unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return "".join(kept).strip()[:most]


class OrderedJSONField(models.TextField):  # type: ignore[type-arg]  # django-stubs makes it generic, Django does not
    """JSON kept as the text it is: the order of keys survives, which PostgreSQL's jsonb would lose.

    Half of a surrogate pair, which JSON can hold and no encoding of text, is kept as its escape.
    """

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        return None if value is None else _decode_json(value)

    def to_python(self, value: Any) -> Any:
        return _decode_json(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else _encode_json(value)


def _encode_json(value: Any) -> str:
    """JSON text of `value`, NaN and infinity by name; half a surrogate pair only the slower encoder writes."""
    try:
        return to_json(value, inf_nan_mode="constants").decode()
    except ValueError:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.encode(errors="backslashreplace").decode()


def _decode_json(text: str) -> Any:
    """The JSON value of `text`, integers of any size exact; half a surrogate pair only the slower decoder reads."""
    try:
        return from_json(text)
    except ValueError:
        return json.loads(text)
