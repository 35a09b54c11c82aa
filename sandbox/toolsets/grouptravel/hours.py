"""Opening hours in words."""

from __future__ import annotations

from sandbox.tools.language import Language, Says
from sandbox.worlds.records import OpeningHours, OpeningRule

_DAYS = {
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}
_WEEK = (1, 2, 3, 4, 5, 6, 7)


def hours_text(hours: OpeningHours | None, language: Language) -> str | None:
    """All rules, season by season; None where the hours are unknown."""
    if hours is None:
        return None
    if hours.always_open:
        return Says("全天开放", "always open").to(language)
    rules = [_rule_text(rule, language) for rule in hours.rules]
    return Says("；", "; ").to(language).join(rules) or Says("不开放", "closed").to(language)


def short_hours_text(hours: OpeningHours | None, language: Language) -> str | None:
    """The first rule, and a word that others hold at other times."""
    if hours is None or hours.always_open or len(hours.rules) < 2:
        return hours_text(hours, language)
    return _rule_text(hours.rules[0], language) + Says("（其他日期不同）", " (differs on other days)").to(
        language
    )


def _rule_text(rule: OpeningRule, language: Language) -> str:
    open_at = rule.time_windows if rule.weekdays else ()
    windows = ", ".join(f"{window.open}-{window.close}" for window in open_at)
    parts = (
        f"{rule.date_range.start}~{rule.date_range.end}" if rule.date_range else "",
        _weekdays(rule.weekdays, language),
        windows or Says("不开放", "closed").to(language),
    )
    return " ".join(part for part in parts if part)


def _weekdays(weekdays: tuple[int, ...], language: Language) -> str:
    """Nothing for all days; 周二至周日 for a run; else a list."""
    days, names = sorted(set(weekdays)), _DAYS[language]
    if tuple(days) == _WEEK or not days:
        return ""
    if len(days) > 2 and days[-1] - days[0] == len(days) - 1:
        return Says("至", "-").to(language).join((names[days[0] - 1], names[days[-1] - 1]))
    return Says("、", ", ").to(language).join(names[day - 1] for day in days)
