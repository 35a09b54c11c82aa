"""Agents that speak through a model: the paper's own, and the scaffolds that it is compared with."""

from benchmark.agents.direct import DirectAgent
from benchmark.agents.llm import LlmAgent
from benchmark.agents.llm_modulo import LlmModuloAgent
from benchmark.agents.react import ReactAgent
from benchmark.agents.reflexion import ReflexionAgent
from benchmark.agents.wording import prompt_version
from benchmark.agents.zero_shot_cot import ZeroShotCotAgent

__all__ = [
    "DirectAgent",
    "LlmAgent",
    "LlmModuloAgent",
    "ReactAgent",
    "ReflexionAgent",
    "ZeroShotCotAgent",
    "prompt_version",
]
