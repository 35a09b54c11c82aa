"""Numbers as Chinese is written: 3500, 3,500, 3.5k, 三千五, 一万二, 两百五十, 九个半."""

from __future__ import annotations

from benchmark.text import guarded

DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {
    "〇": 0,
    "两": 2,
    "俩": 2,
    "仨": 3,
    "壹": 1,
}
HAN = "零〇一二两俩仨三四五六七八九十百千万半"
FIGURES = r"\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
NUMBER = rf"(?>(?:{FIGURES})\s*(?:[kK](?![A-Za-z])|[wW](?![A-Za-z])|万|千|百)?\d?|[{HAN}]+)"
"""A regular expression (no groups) for one written number, whole: digits of it are no number."""
LONGEST = 20
"""Characters of a number: what is longer is none."""
_SCALED = guarded.compile(rf"^({FIGURES})\s*([kKwW万千百])?(\d)?$")
_ROUGH = guarded.compile(r"^([一二两三四五六七八])([二三四五六七八九])([百千万]?)$")
_EITHER = guarded.compile("[一二两三四五六七八九](?=[一二两三四五六七八九])")
_SCALES = {"k": 1000, "千": 1000, "w": 10_000, "万": 10_000, "百": 100}


def read_number(text: str, *, loose: bool = False) -> float | None:
    """The value of a written number, None when it is none. 三千五 is 3500; a rough 三四 counts as its upper end.

    loose: estimates are numbers too: a unit alone is one of it (上千), 三五千 counts as its upper end.
    """
    text = text.strip()
    if len(text) > LONGEST:
        return None
    if loose:
        text = _upper_end(text)
    match = _SCALED.match(text)
    if match:
        return _scaled(*match.groups())
    rough = _ROUGH.match(text)
    if rough and DIGITS[rough.group(2)] == DIGITS[rough.group(1)] + 1:
        text = rough.group(2) + rough.group(3)
    return _han(text) if text and set(text) <= set(HAN) else None


def _upper_end(text: str) -> str:
    text = _EITHER.sub("", text)
    return f"一{text}" if text[:1] in tuple("百千万") else text


def _scaled(digits: str, scale: str | None, tail: str | None) -> float:
    value = float(guarded.sub("[,，]", "", digits))
    if scale is None:
        return float(f"{value:g}{tail}") if tail else value
    factor = _SCALES[scale.lower()]
    return value * factor + (int(tail) * factor / 10 if tail else 0)


def _han(text: str) -> float | None:
    half = 0.5 if text.endswith("半") and len(text) > 1 else 0.0
    text = text.removesuffix("半") if half else text
    if "万" in text:
        head, _, tail = text.partition("万")
        high, low = _below(head), _tail(tail, 1000)
        return None if high is None or low is None else high * 10_000 + low + half
    value = _below(text)
    return None if value is None else value + half


def _tail(text: str, unit: int) -> float | None:
    """What follows a unit: a lone digit counts in the next lower unit (三千五)."""
    if not text:
        return 0
    if len(text) == 1 and text in DIGITS and text not in "零〇":
        return DIGITS[text] * unit
    return _below(text)


def _below(text: str) -> float | None:
    """A number under ten thousand; digits alone are read one by one (二〇〇〇)."""
    if not text or "半" in text:
        return None
    if all(char in DIGITS for char in text):
        return float("".join(str(DIGITS[char]) for char in text))
    for name, unit in (("千", 1000), ("百", 100), ("十", 10)):
        if name in text:
            head, _, tail = text.partition(name)
            high = _below(head) if head else (1 if unit == 10 else None)
            low = _tail(
                tail.lstrip("零〇") if tail[:1] in "零〇" else tail, 1 if tail[:1] in "零〇" else unit // 10
            )
            return None if high is None or low is None else high * unit + low
    return None
