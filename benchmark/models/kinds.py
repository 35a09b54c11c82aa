"""Which kind of failure an error is: by its HTTP status and by its words, in English and Chinese."""

from __future__ import annotations

from benchmark.models.errors import ServerError
from benchmark.models.failures import FailureKind
from benchmark.text import guarded


def _words(*patterns: str) -> guarded.Pattern:
    return guarded.compile("|".join(patterns), guarded.IGNORECASE | guarded.DOTALL)


# How servers say that a conversation is longer than their model's context.


_WORDINGS = (
    # codes: OpenAI, Zhipu, llama.cpp, Doubao
    r"context.?length.?exceeded|context.?window.?exceeded|exceed_context_size|context_exceeded|OutofContext",
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


# How they say everything else.


NO_CREDIT = _words(
    r"(insufficient|not enough|negative|depleted|out of|used all|\bno\b).{0,20}(balance|credit|funds)",
    r"(balance|credits?|funds)\b.{0,40}(insufficient|too low|not enough|depleted|exhausted|used up|run out|expired)",
    r"insufficient_(quota|balance|funds)|spend(ing)? limit|arrear|overdue|payment (is )?required|key limit exceeded",
    r"account .{0,60}(suspended|deactivated|disabled|not active)|exceeded .{0,20}(included|monthly) .{0,10}credits",
    r"[余餘][额額]不足|欠[费費]|充值|儲值|[额額]度(不足|已用完|已用[尽盡])|(套餐|方案).{0,10}(到期|[过過]期)",
)
"""Only money helps."""
_NO_QUOTA = _words(r"exceeded_current_quota|exceeded your current quota|billing")
"""The same, but where other words say that the limit passes: Google speaks so of ordinary limits."""
_PASSING_LIMIT = _words(
    r"resource.{0,12}exhausted|rate.?limit|\b(per|a|each) (second|minute|hour|day)\b|\b(rpm|tpm|rpd|qps)\b|free_tier"
)
_TOO_LARGE = _words(r"request too large for")
MODERATION = _words(
    r"content.?filter|content management policy|moderat|flagged|data_?inspection|inappropriate",
    r"prohibited content|sensitive.?(content|word|information|material)|safety (system|filter|polic)",
    r"violat.{0,60}(polic|guideline|terms)|polic(y|ies).?violation|(input|output|text).?sensitive",
    r"敏感|[违違][规規]|[违違]禁|不[当當][内內]容|不安全|[内內]容安全",
)
OTHER_REGION = _words(
    r"(country|region|territory|location)\b.{0,60}(not (support|availab|allow|permit)|un(support|availab)|restrict)",
    r"(not (supported|available|allowed|permitted)|unsupported|unavailable|restricted|blocked).{0,60}"
    r"(country|region|territory|location|jurisdiction)",
    r"unsupported_country|(地区|区域|国家).{0,12}(不支持|不可用|受限)|不支持.{0,12}(地区|区域|国家)",
)
NOT_IN_PLAN = _words(
    r"\b(tier|plan|subscription)s?\b.{0,80}\b(not|upgrade|requires?|only|higher|include|access)\b",
    r"\b(not|only|upgrade|requires?|higher)\b.{0,80}\b(tier|plan|subscription)s?\b",
    r"(does not|doesn't|do not|don't|not) have access to .{0,40}model|must be verified|paid (account|user)s?\b",
    r"Unpurchased|未开通|未订阅|(升级|购买).{0,6}套餐|套餐.{0,12}(不支持|不包含)",
)
NO_TOOLS = _words(
    r"tool.?choice|enable-auto-tool|support.{0,24}(tool|function call)",
    r"(tools?|functions?)['`\"]? (use |calling )?(is|are) not (support|availab|enabl|allow)",
    r"(unrecognized|unknown|unsupported|extra)\b.{0,60}\b(tools|functions)\b",
    r"\b(tools|functions)\b.{0,60}(extra inputs|not permitted|unknown field|unrecognized)",
    r"不支持.{0,8}(工具|函数|tools?\b|function)",
)
NO_PROVIDER = _words(
    r"data policy|privacy settings|no allowed providers|ignored providers|guardrail restrictions"
)
NO_PARAMETERS = _words(r"can handle the requested parameters|support all (of the )?(requested )?parameters")
TERMS = _words(
    r"(accept|agree).{0,40}\b(terms|licen[sc]e|agreement)|\b(terms|licen[sc]e|agreement)\b.{0,40}(accept|agree)",
    r"gated (repo|model)|(同意|接受|签署).{0,12}(协议|条款)",
)
FIREWALL = _words(
    r"cloudflare|attention required|just a moment|web application firewall|\bwaf\b",
    r"\bip\b.{0,60}(allow|white|block|deny|denied|permit|authori[sz]ed|forbidden|白名单|黑名单|不允许|[受被].{0,4}限)",
    r"(allow|white|block|deny).?list",
)
_WRONG_KEY = _words(
    r"api.?key (is )?(not valid|invalid|expired)|(invalid|incorrect|missing|wrong) api.?key|API_KEY_INVALID",
    r"(无效|错误|过期)的? ?(api.?key|密钥|令牌)|(api.?key|密钥|令牌).{0,6}(无效|错误|过期)",
)
_NO_MODEL = _words(
    r"model_not_found|model .{0,120}(does not exist|not found|not exist)|invalid model name|模型不存在",
    r"model.{0,120}(decommissioned|deprecated|retired|no longer (available|supported)|been removed|shut ?down)",
    r"模型.{0,12}(下线|弃用|停用)",
)
_BUSY = _words(
    r"rate.?(limit|exceeded)|too many requests|throttl|\bqps\b|(requests?|usage|daily|rpm|tpm|concurren\w*) limit",
    r"限流|速率|[频頻]率|[频頻]繁|[请請]求([数數]|量)?([过過]|太)多|[并並][发發].{0,6}(超|[过過]|限)",
)
_OVERLOAD_WORDS = _words(
    r"overload|over(loaded)? capacity|at (full )?capacity|capacity (is )?exceeded|flex_tier_capacity",
    r"(server|service|system|engine|model|upstream)s?\b.{0,24}\bbusy|temporarily unavailable|try again later",
    r"high (demand|load|traffic)|no (available|healthy) \w+|(still|currently|is) loading|warming up|cold start",
    r"[过過][载載]|超[载載]|[负負][载載].{0,4}([过過]高|较高|[饱飽]和|[过過]大)|繁忙|拥挤|开小差|资源紧张|访问量过大|稍([后後候]).{0,3}[试試]|(资源|算力)不足|暂时?不可用",
)
_CODES: dict[str, FailureKind] = {
    "invalid_api_key": "auth",
    "authentication_error": "auth",
    "permission_error": "auth",
    "permission_denied": "auth",
    "not_found_error": "not_found",
    "content_filter": "refused",
    "data_inspection_failed": "refused",
    "limit_requests": "rate_limit",
    "limit_burst_rate": "rate_limit",
    "resource_exhausted": "rate_limit",
}
_MINIMAX: dict[int, FailureKind] = {
    1002: "rate_limit",
    1004: "auth",
    1008: "refused",
    1026: "refused",
    1027: "filtered",
    1039: "rate_limit",
    1041: "rate_limit",
    1042: "refused",
    2013: "refused",
    2045: "rate_limit",
    2049: "auth",
    2056: "rate_limit",
}
"""The codes of a `base_resp`; all others may pass."""
_PASSING = frozenset({408, 409, 421, 423, 424, 425, 444, 449, 460, 498, 499})
"""What a server could not do just now: TGI answers 424, Groq 498, proxies 444, 460 and 499."""
_LIMIT_STATUSES = (420, 429)
_UNCLEAR = frozenset({401, 402, 403, *_LIMIT_STATUSES})
"""Statuses that say more than words of a context."""


def kind_of_status(status: int, words: str, pause_s: float | None) -> FailureKind:
    """What an HTTP status means with the words beside it. pause_s: what the server asks to wait."""
    if status not in _UNCLEAR and status >= 400 and tells_overflow(words):
        return "overflow"
    if status in _LIMIT_STATUSES:
        return _of_limit(words, pause_s)
    if status == 413:
        return "refused" if _TOO_LARGE.search(words) or NO_CREDIT.search(words) else "overflow"
    if status in _PASSING or status >= 500:
        return "server"
    if status in (401, 402):
        return "auth" if status == 401 and not tells_no_credit(words) else "refused"
    return _of_words_beside(status, words) if status >= 400 else "not_found"


def _of_limit(words: str, pause_s: float | None) -> FailureKind:
    """Who asks for a pause can be asked again, whatever the words; money is never back by itself."""
    if pause_s:
        return "rate_limit"
    return "refused" if tells_no_credit(words) or _TOO_LARGE.search(words) else "rate_limit"


def tells_no_credit(words: str) -> bool:
    """Whether only money helps. A quota that passes is none of it."""
    if NO_CREDIT.search(words):
        return True
    return bool(_NO_QUOTA.search(words)) and not _PASSING_LIMIT.search(words)


def _of_words_beside(status: int, words: str) -> FailureKind:
    if status == 400 and _WRONG_KEY.search(words):
        return "auth"
    if any(pattern.search(words) for pattern in _REFUSING[status == 400]):
        return "refused"
    if status in (400, 404, 410, 422) and _NO_MODEL.search(words):
        return "not_found"
    if _BUSY.search(words):
        return "rate_limit"
    if _OVERLOAD_WORDS.search(words):
        return "server"
    return _BY_STATUS.get(status, "refused")


_BY_STATUS: dict[int, FailureKind] = {403: "auth", 404: "not_found", 405: "not_found", 410: "not_found"}


_REFUSING = {
    True: (NO_CREDIT, MODERATION, OTHER_REGION),
    False: (
        *(NO_CREDIT, MODERATION, OTHER_REGION, TERMS, NOT_IN_PLAN, NO_TOOLS, NO_PROVIDER, NO_PARAMETERS),
        FIREWALL,
    ),
}
"""Words that say what a status hides; a 400 is a refusal anyway."""


def kind_of_error(told: ServerError, pause_s: float | None) -> FailureKind:
    """What an error means that came in the place of an answer. Unknown ones are the server's, and may pass."""
    if tells_overflow(told.words):
        return "overflow"
    if told.minimax is not None:
        return _MINIMAX.get(told.minimax, "server")
    if told.status is not None and told.status >= 400:
        return kind_of_status(told.status, told.words, pause_s)
    return kind_of_words(told.words, pause_s) or "server"


def kind_of_words(words: str, pause_s: float | None = None) -> FailureKind | None:
    """What words alone mean, None where they say nothing of the known failures."""
    lowered = words.lower()
    if not pause_s and tells_no_credit(words):
        return "refused"
    by_code = next((kind for code, kind in _CODES.items() if code in lowered), None)
    for kind, pattern in _BY_WORDS:
        if by_code is None and pattern.search(words):
            return kind
    return by_code or ("refused" if "invalid_request_error" in lowered else "rate_limit" if pause_s else None)


_BY_WORDS: tuple[tuple[FailureKind, guarded.Pattern], ...] = (
    ("auth", _WRONG_KEY),
    ("not_found", _NO_MODEL),
    ("rate_limit", _BUSY),
    ("server", _OVERLOAD_WORDS),
    *(("refused", pattern) for pattern in (MODERATION, OTHER_REGION, NO_TOOLS)),
)
