"""Sets of prompts: what models are told in a benchmark's sessions, in a researcher's words where there are such."""

from benchmark.promptsets.checks import Problem, check_files, check_text, serious
from benchmark.promptsets.library import (
    ROLES,
    Files,
    PromptFile,
    PromptLibrary,
    PromptPart,
    Role,
    digest_of,
    plain_text,
)

__all__ = [
    "ROLES",
    "Files",
    "Problem",
    "PromptFile",
    "PromptLibrary",
    "PromptPart",
    "Role",
    "check_files",
    "check_text",
    "digest_of",
    "plain_text",
    "serious",
]
