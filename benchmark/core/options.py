"""Values of what is chosen for a session, as logs and views hold them; `suites.base.options` checks them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Value = bool | int | float | str
Options = Mapping[str, Value]
"""What is chosen, by the keys of the options; it is read-only."""
NO_OPTIONS: Options = MappingProxyType({})
