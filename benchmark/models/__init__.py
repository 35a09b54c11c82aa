"""Calling language models over any OpenAI-compatible chat endpoint."""

from benchmark.models.chat import ChatRequest, Model, Reply, RequestedCall, Usage
from benchmark.models.failures import FAILURES, FailureKind, ModelFailure
from benchmark.models.setup import ModelSetup

__all__ = [
    "FAILURES",
    "ChatRequest",
    "FailureKind",
    "Model",
    "ModelFailure",
    "ModelSetup",
    "Reply",
    "RequestedCall",
    "Usage",
]
