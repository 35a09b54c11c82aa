"""What can go wrong with a request, whether trying again helps, and what the agent is told.

The codes are those of AMap's table of error codes (Web 服务 API, 错误码说明).
"""

from __future__ import annotations

from sandbox.tools.errors import FailureKind, ToolFailure
from sandbox.tools.language import Says

_BUSY_CODES = frozenset(
    ("10004", "10014", "10015", "10016", "10017", "10019", "10020", "10021", "10022", "10023", "10029")
)
"""Too many requests within a second or a minute, or a server under load."""
_QUOTA_CODES = frozenset(("10003", "10010", "10044", "10045", "40000", "40002", "40003"))
"""Nothing left for the day, the address or the account."""
_UNKNOWN_SERVER_ERROR = "20003"
NO_ROUTE_CODES = frozenset(("20800", "20801", "20802", "20803"))
"""An end abroad or at sea, no road near it, no way between the two, or too far for the mode."""

TIMEOUT = Says(
    "高德服务未在时限内回应，请稍后再试", "The AMap service did not answer in time; try again later"
)
QUEUE = Says("高德请求过多，排队超时，请稍后再试", "Too many AMap requests are waiting; try again later")
UNREACHABLE = Says("无法连接高德服务，请稍后再试", "The AMap service cannot be reached; try again later")
UNCOUNTED_FAILURE = Says(
    "高德服务暂不可用，请稍后再试", "The AMap service is not available now; try again later"
)
_SERVICE_FAILURE = Says("高德服务出错，请稍后再试", "The AMap service failed; try again later")
_UNREADABLE = Says("高德服务的回应无法识别", "The AMap service gave an answer that cannot be read")
_BUSY = Says("高德服务繁忙，请稍后再试", "The AMap service is busy; try again later")
_QUOTA = Says(
    "高德服务的配额已用完，请改用其他工具", "The quota for the AMap service is used up; use another tool"
)


class AmapFailure(ToolFailure):
    """A request that got no usable answer.

    detail: for the log, without the key. passing: trying again may help. infocode: AMap's, where it gave one.
    """

    def __init__(
        self, kind: FailureKind, problem: Says, detail: str, *, passing: bool = False, infocode: str = ""
    ) -> None:
        super().__init__(kind, problem)
        self.detail, self.passing, self.infocode = detail, passing, infocode


def http_status(status: int) -> AmapFailure:
    """Any HTTP status but 200, with which AMap also reports its errors."""
    busy = status == 429
    return AmapFailure(
        "backend", _BUSY if busy else _SERVICE_FAILURE, f"HTTP {status}", passing=busy or status >= 500
    )


def unreadable(detail: str) -> AmapFailure:
    """An answer of another shape than documented."""
    return AmapFailure("backend", _UNREADABLE, detail)


def refusal_of(infocode: str, info: str) -> AmapFailure:
    """An answer with status "0"."""
    engine = infocode.startswith("3") or infocode == _UNKNOWN_SERVER_ERROR
    return AmapFailure(
        "backend",
        _refusal(infocode, info, engine=engine),
        f"{infocode} {info}",
        passing=engine or infocode in _BUSY_CODES,
        infocode=infocode,
    )


def _refusal(infocode: str, info: str, *, engine: bool) -> Says:
    if engine:
        return _SERVICE_FAILURE
    if infocode in _BUSY_CODES:
        return _BUSY
    if infocode in _QUOTA_CODES:
        return _QUOTA
    what = f"{info} {infocode}".strip()
    if infocode.startswith("1"):
        return Says(
            f"高德服务拒绝了本环境的密钥（{what}），请改用其他工具",
            f"The AMap service refuses the key that is set up here ({what}); use another tool",
        )
    return Says(
        f"高德服务拒绝了请求（{what}），请检查参数",
        f"The AMap service refuses the request ({what}); check the arguments",
    )
