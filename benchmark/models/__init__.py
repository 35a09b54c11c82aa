"""Calling language models over any OpenAI-compatible chat endpoint.

Here is what a request and an answer are. What does the calling loads a large library, so it is imported from its own
modules: `client` (one attempt), `bridge` (from threads), `probe` (what works).
"""

from benchmark.models.chat import ChatRequest, Delta, Model, Reply, RequestedCall, Usage
from benchmark.models.cost import cost
from benchmark.models.digest import canonical, digest
from benchmark.models.failures import FAILURES, ModelFailure
from benchmark.models.setup import ModelSetup
