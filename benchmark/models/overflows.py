"""How servers say that a conversation is longer than their model's context."""

from __future__ import annotations

from benchmark.text import guarded

_WORDINGS = (
    # codes: OpenAI, Zhipu, llama.cpp, Doubao
    r"context.?length.?exceeded|context_window_exceeded|exceed_context_size|context_exceeded|OutofContext",
    # OpenAI, vLLM, SGLang, DeepSeek, Mistral, OpenRouter; xAI
    r"maximum context length|maximum model length|maximum prompt length is",
    # SGLang, LM Studio; llama.cpp, Ollama, MiniMax
    r"(longer|larger|greater) than the (model'?s )?(maximum )?context (length|size|window)",
    r"exceeds? (the |your )?(model'?s )?(available |maximum )?context (length|size|window|limit)",
    r"context (window|size) (exceeded|exceeds)",
    # DashScope, Poolside
    r"range of input length|input length should be|exceeds the maximum allowed input length",
    # Anthropic and Bedrock, Zhipu
    r"(prompt|input) is too long|input length and .?max_tokens.? exceed|prompt exceeds max|prompt 超长",
    # Gemini, OpenAI
    r"input token count.{0,40}exceeds|input tokens exceed",
    # Moonshot, Doubao, Groq, Text Generation Inference
    r"exceed(s|ed)? (the )?(model )?(token limit|max message tokens)",
    r"reduce the length of the (messages|input)|`?inputs`? .{0,60}must (have less than|be <=) ",
)
_OVERFLOW = guarded.compile("|".join(_WORDINGS), guarded.IGNORECASE | guarded.DOTALL)


def tells_overflow(words: str) -> bool:
    """Whether an error's code and message mean the context limit."""
    return bool(_OVERFLOW.search(words))
