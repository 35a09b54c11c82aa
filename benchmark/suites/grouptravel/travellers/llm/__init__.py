"""The traveller that speaks through a model, and its prompts."""

from benchmark.suites.grouptravel.travellers.llm.request import PROMPTS
from benchmark.suites.grouptravel.travellers.llm.user import LlmUser

__all__ = ["PROMPTS", "LlmUser"]
