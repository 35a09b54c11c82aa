"""A local server that speaks the chat completions protocol and plays scripted personalities, for tests."""

from tests.model_server.ledger import Entry, Ledger
from tests.model_server.server import ModelServer, model_server

__all__ = ["Entry", "Ledger", "ModelServer", "model_server"]
