"""The traveller that speaks through a model, and the version of its prompts."""

from benchmark.participants.users.llm.prompts import prompt_version
from benchmark.participants.users.llm.user import LlmUser

__all__ = ["LlmUser", "prompt_version"]
