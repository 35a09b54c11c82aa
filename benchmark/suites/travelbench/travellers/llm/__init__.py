"""The user that speaks through a model, and its prompts."""

from benchmark.suites.travelbench.travellers.llm.user import PROMPTS, LlmUser

__all__ = ["PROMPTS", "LlmUser"]
