"""Agents that speak through a model: the paper's own, and the scaffolds that it is compared with."""

from benchmark.participants.agents.llm.direct import DirectAgent
from benchmark.participants.agents.llm.llm import LlmAgent
from benchmark.participants.agents.llm.llm_modulo import LlmModuloAgent
from benchmark.participants.agents.llm.react import ReactAgent
from benchmark.participants.agents.llm.reflexion import ReflexionAgent
from benchmark.participants.agents.llm.wording import prompt_version
from benchmark.participants.agents.llm.zero_shot_cot import ZeroShotCotAgent

__all__ = [
    "DirectAgent",
    "LlmAgent",
    "LlmModuloAgent",
    "ReactAgent",
    "ReflexionAgent",
    "ZeroShotCotAgent",
    "prompt_version",
]
