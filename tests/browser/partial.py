"""The web application as a traveller named User2 would get it: only the viewer is another, nothing else."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

from webapp.asgi import application  # Django has to be set up first
from webapp.sessions import consumers, frames, views

for module in (frames, consumers, views):
    if hasattr(module, "viewer_of"):
        module.viewer_of = lambda user, session: "User2"  # type: ignore[assignment]

__all__ = ["application"]
