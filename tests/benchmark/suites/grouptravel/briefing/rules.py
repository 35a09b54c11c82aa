"""Each rule of the paper's agent prompts, and the line of ours that carries it.

`python -m tests.benchmark.suites.grouptravel.briefing.rules` writes the table of docs/prompts.md anew; a test
holds the document to the files.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from benchmark.suites.grouptravel.briefing import wording
from tests import ROOT

FOLDER = Path(wording.__file__).parent / "prompts"
DOCUMENT = ROOT / "docs" / "prompts.md"
BEGIN, END = "<!-- agent rules: begin -->", "<!-- agent rules: end -->"


class Rule(NamedTuple):
    """A rule, where the paper has it, the prompt file, and words that stand in its line in each language."""

    says: str
    place: str
    file: str
    zh: str
    en: str


class Section(NamedTuple):
    """Rules of one file at one place of the paper."""

    place: str
    file: str
    rules: tuple[tuple[str, str, str], ...]


SECTIONS = (
    Section("D.3 opening", "role", (
        ("role: plans for several people through dialogue", "规划助手", "planning assistant"),
    )),
    Section("D.3 Participants", "group", (("the members and their roles", "$participants", "$participants"),)),
    Section("D.3 Travel Request", "group", (("the request, word for word", "$query", "$query"),)),
    Section("D.3 Background Information", "group", (
        ("departure date", "$time", "$time"),
        ("context", "$context", "$context"),
    )),
    Section("D.3 Background Information", "table", (
        ("structure of the preference table", "global_constraints", "global_constraints"),
    )),
    Section("D.3 Background Information", "known", (("the agent's present table", "$table", "$table"),)),
    Section("D.3 Core Responsibilities", "duties", (
        ("1 collect and organise preferences", "收集每位成员的偏好", "Collect each member's preferences"),
        ("2 find conflicts, propose compromises", "提出折中办法", "propose compromises"),
        ("3 answer questions", "回答成员的提问", "Answer members' questions"),
        ("4 query real data with tools", "用工具查询真实信息", "look up real information"),
        ("5 output a detailed plan in JSON", "详细的旅行计划", "detailed travel plan as JSON"),
    )),
    Section("D.3 Interaction Rules 1", "mentions", (
        ("@ only to ask a specific user a question", "只有一个用途", "@ has one use"),
        ("no @ in statements, summaries, answers, relays", "不用 @，直接写名字", "take no @"),
        ("at most one @ a message; more is penalised", "最多 @ 一个人", "at most one member"),
        ("when mentioned: answer directly, mention nobody else", "有人 @ 你时", "somebody mentions you"),
        ("wrong: a statement", "只是陈述", "only states"),
        ("wrong: a confirmation", "只是确认", "only confirms"),
        ("wrong: relaying", "只是转述", "only relays"),
        ("right: a direct question", "住宿方面", "What kind of hotel"),
        ("right: statement without @, question with it", "鸳鸯锅", "half-spicy pot"),
    )),
    Section("D.3 Interaction Rules 2", "speaking", (
        ("you must speak; no skipping", "没有跳过", "no skipping and no silence"),
        ("each turn: ask, mediate, query or plan", "至少做一件事", "at least one of these"),
        ("no empty content, pleasantries, placeholders", "不写空内容", "no empty message"),
        ("questions of fact: tools at once, answer from results", "先调用工具，再按返回", "call a tool first"),
        ("no thinking in the message; respond to users", "自己的思考过程", "own reasoning out"),
    )),
    Section("D.3 Interaction Rules 3", "speaking", (
        ("tools first, no fabrication", "不编造", "make nothing up"),
        ("understand the history first", "读完全部聊天记录", "Read the whole chat"),
        ("no announcements of next steps", "不预告下一步", "Do not announce"),
        ("concise, progressive, no repetition", "不重复已经说过", "do not repeat"),
    )),
    Section("D.3 Interaction Rules 4", "asking", (
        ("every field may have a value; users do not volunteer", "你不问，他们不会主动说", "they will not tell"),
        ("before planning, mention each user and complete the table", "逐一 @ 成员", "one by one"),
        ("questions specific to fields, none vague", "不问空泛的问题", "ask nothing vague"),
        ("examples: vague", "空泛：", "Vague:"),
        ("examples: specific", "具体：", "Particular:"),
        ("no field names", "不出现偏好表的字段名", "field names (must_xxx"),
        ("1 to 3 fields a question, most critical first", "1 到 3 个字段", "1 to 3 fields"),
        ("skip filled fields, `no preference` included", "已有内容的字段不再问", "Do not ask again"),
    )),
    Section("D.3 Interaction Rules 5", "decision", (
        ("the plan ends the conversation, no modification", "对话立即结束", "conversation ends at once"),
        ("before: preferences, conflicts, real data", "发出之前要做到", "Before that:"),
        ("one-shot decision; trade off, do not keep asking", "一次性的全局决定", "one decision over everything"),
        ("no comments afterwards", "不要指望事后调整", "later corrections"),
    )),
    Section("D.3 Strength and Scoring", "strengths", (
        ("item by item, sum over users, maximise", "目标是总分最高", "The aim is the highest sum"),
        ("strong tiers +2 / -2", "强偏好（满足 +2", "Strong (met +2"),
        ("weak tiers +1 / -1", "弱偏好（满足 +1", "Weak (met +1"),
        ("positive: earn when arranged, cost nothing when not", "正向偏好", "Positive preferences"),
        ("negative: cost when arranged, earn nothing when not", "负向偏好", "Negative preferences"),
        ("budget and intensity: whether the limit is exceeded", "是否超出上限", "whether the limit is exceeded"),
        ("fixed tiers of hotels and attractions", "档位是固定的", "The tiers are fixed"),
        ("wording: must", "非去不可” →", "not to be missed\" →"),
        ("wording: reject", "打死也不” →", "not for the world\" →"),
        ("wording: prefer", "挺感兴趣” →", "rather interested\" →"),
        ("wording: avoid", "能免则免” →", "if it can be helped\" →"),
    )),
    Section("D.3 Proactive Compromise", "compromise", (
        ("ask one user to compromise where scoring does not decide", "难以取舍时", "rules do not settle it"),
        ("form: conflict point, whose preference, can you accept", "问法说清三点", "Say three things"),
        ("one person, one specific field, no field names", "一条具体的偏好", "one particular preference"),
        ("any field may be asked; agreeing removes the preference", "强弱都行", "strong or weak"),
        ("refused: keep it, ask others or adjust", "明确拒绝时", "clearly refuses"),
        ("same user and conflict at most twice", "最多问两次", "Two requests to one member"),
    )),
    Section("D.3 Group-Splitting", "splitting", (
        ("together by default; split when compromise failed", "默认全体一起", "By default all stay together"),
        ('participants everywhere: ["All"] or names', "每项活动都写 participants", "Every activity has participants"),
        ("splittable types", "可以分开的活动", "May be split"),
        ("non-splittable types", "不能分开的活动", "May not be split"),
        ("one activity at a time", "同一时刻", "only one activity at a time"),
        ("no teleporting between parties", "没有瞬移", "Nobody jumps"),
        ("K teams cost K-1, accumulated; only when worth it", "扣 K-1 分，多个时段累加", "cost K-1 points, added up"),
        ("examples of the penalty", "例（6 人）", "Example (6 members)"),
    )),
    Section("D.3 Output Format", "plan", (
        ("the schema with an example", "\"city_segments\": [", "\"city_segments\": ["),
    )),
    Section("D.3 Format Constraints", "plan", (
        ("top level: days alone", "顶层只有 days", "one field days"),
        ("day, date, city_segments", "day（整数", "day (an integer"),
        ("two kinds of segments and their fields", "元素只有两种", "two kinds of entries"),
        ("a leg between two cities of a day", "一天之内换城市", "city changes within a day"),
        ("transport modes of legs (task format)", "飞机、火车、高铁、自驾", "飞机 (flight)"),
        ("activity types", "活动的 type 只能是", "type of an activity"),
        ("local transport between places", "必须有 intracity_transport", "must be an intracity_transport"),
        ("HH:MM, sorted by start", "24 小时制", "24-hour clock"),
        ("hotel last, every night but the last day", "当晚的 hotel", "that night's hotel"),
        ("avg_cost per person (A.8)", "avg_cost 是人均费用", "avg_cost is CNY per person"),
        ("every item carries a cost (A.8)", "除 rest 外每一项都要写", "required for everything but rest"),
    )),
    Section("D.3 Day Count and Date", "plan", (
        ("as many days as the trip; dates increment from departure", "逐日加一", "goes up by one day"),
    )),
    Section("D.4", "summary", (
        ("update all collected preferences", "更新并写出", "update and write down"),
        ("tiers by wording; misclassification costs", "分错档", "a wrong tier"),
        ("compromise agreed: the table shows the state after it", "而他随后答应了", "they then agreed"),
        ("examples: give up, raise the budget, another mode", "“西安城墙”", "\"Xi'an City Wall\""),
        ("no response or refusal: unchanged", "保持原来的值", "the former value stays"),
        ("1 top-level object user → preference, no wrapper", "外面不套别的键", "no other key around it"),
        ("1, 2 prescribed structure and names", "结构和字段名", "structure and field names"),
        ("3 allowed tiers", "允许的档位", "Allowed tiers"),
        ("4 city_specific_preferences is a dict", "不能写成列表", "not a list"),
        ("5 avg_budget is the individual's", "不是全组的总预算", "not the budget of the whole group"),
        ("6 unexpressed fields", "没有提到的", "What nobody mentioned"),
        ("7 city names as in the query", "写法完全一致", "exactly as in the request"),
        ("8 only JSON", "不写任何说明", "nothing but this JSON"),
    )),
    Section("D.5", "convergence", (
        ("one of three, no silence", "三件事必须做一件", "Do one of these three"),
        ("1 mediate", "调解冲突", "Mediate:"),
        ("2 collect", "收集信息", "Collect:"),
        ("3 plan", "生成计划", "Plan:"),
        ("enters the chat; concise; one @", "会进入群聊", "enters the chat"),
        ("ask when missing, plan when complete", "先追问", "Ask first"),
        ("own judgement by scoring", "如何取舍", "How to weigh"),
        ("one-shot reminder", "对话立即结束", "ends the conversation at once"),
    )),
    Section("D.6", "final", (
        ("limit reached: plan now", "已达上限", "limit of turns is reached"),
        ("1 tools for real information", "先调用工具", "with tools first"),
        ("2 maximise, with the figures", "K 队扣 K-1 分", "cost K-1 points"),
        ("3 weigh alone, explain briefly", "自己按总分权衡", "Weigh conflicting preferences"),
        ("4 reasonable assumptions", "合理假设", "reasonable assumptions"),
        ("5 the prescribed structure", "严格照系统说明", "Keep strictly"),
    )),
    Section("D.7", "force_finish", (
        ("limit reached or repetition; no further calls", "不能再调用工具", "can no longer be called"),
        ("one informative utterance from what is known", "一条有内容的发言", "one message with content"),
        ("sufficient: the plan or decision", "信息足够", "information is sufficient"),
        ("gaps: name them, recommend, @ the user", "还有缺口", "gaps remain"),
        ("no uninformative statement", "请重试", "try again"),
    )),
    Section("D.7 (in D.6)", "force_finish_final", (
        ("both at once: the plan now, without calls", "直接写出完整的计划", "Write the whole plan now"),
    )),
)  # fmt: skip

RULES = tuple(
    Rule(says, section.place, section.file, zh, en) for section in SECTIONS for says, zh, en in section.rules
)


def line_of(language: str, file: str, words: str) -> int:
    """The number of the first line that holds `words`.

    Raises:
        LookupError: no line does; it names file and words.
    """
    lines = (FOLDER / language / f"{file}.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if words in line:
            return number
    raise LookupError(f"prompts/{language}/{file}.txt has no line with {words!r}: mend tests/…/rules.py")


def table() -> str:
    """The table of docs/prompts.md."""
    rows = [
        f"| {rule.says} | {rule.place} | "
        + " | ".join(
            f"{language}/{rule.file}.txt:{line_of(language, rule.file, words)} `{words}`"
            for language, words in (("zh", rule.zh), ("en", rule.en))
        )
        + " |"
        for rule in RULES
    ]
    return "\n".join(["| rule | paper | Chinese | English |", "|---|---|---|---|", *rows])


def main() -> None:
    """Write the table into the document, between its markers."""
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
