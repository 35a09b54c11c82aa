"""The words that a model is given. The sandbox, whose simulator is one too, has the class; it knows no benchmark."""

from __future__ import annotations

from sandbox.prompts import Prompts, prompt_language, prompts_of

__all__ = ["Prompts", "prompt_language", "prompts_of"]
