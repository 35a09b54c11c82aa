"""The traveller that speaks through a model, and the version of its prompts."""

from benchmark.suites.grouptravel.travellers.llm.prompts import prompt_version
from benchmark.suites.grouptravel.travellers.llm.user import LlmUser

__all__ = ["LlmUser", "prompt_version"]
