"""Your own agent in the agent's seat, over the `openai` package and any server that it can talk to.

export OPENAI_API_KEY=… OPENAI_BASE_URL=…
python openai_agent.py http://127.0.0.1:8000 LINK MODEL
"""

import json
import sys

from caravan_seat import Seat
from openai import OpenAI

SYSTEM = """You are the agent of a group that plans a trip together, in a group chat. Find out what each member wants,
look things up with the tools, and give one plan that suits the group. What others say appears as "name: words".
Ask one member in a message, as "@name question". Write to the group in {language}.

[Members]
{members}

[Request]
{query}

[Background]
Departure date: {time}
{context}

"""

FORMS = """A preference table, with example values; lists may be empty:
{"global_constraints": {"avg_budget": 2000, "transport": {"must": [], "prefer": [], "avoid": [], "reject": []},
"intensity": {"max_poi_per_day": 3, "max_active_hours": 8}, "hotel_preference": {"prefer": [], "avoid": []}},
"city_specific_preferences": {"<city>": {
"attractions": {"must_visit": [], "reject_visit": [], "category_pref": {"positive": [], "negative": []}},
"food": {"must_eat": [], "prefer_eat": [], "avoid_eat": [], "reject_eat": []}}}}

The plan is one ```json block, and ends the conversation. Places and prices (per person) come from the tools:
{"days": [{"day": 1, "date": "YYYY-MM-DD", "city_segments": [
  {"type": "intercity_transport", "from_city": "A", "to_city": "B", "transport_mode": "高铁",
    "start_time": "08:00", "end_time": "10:00", "avg_cost": 120},
  {"city": "B", "activities": [
    {"type": "intracity_transport", "from": "station", "to": "sight", "transport_mode": "metro",
      "start_time": "10:10", "end_time": "10:40", "participants": ["All"], "avg_cost": 4},
    {"type": "attraction", "location": "sight", "start_time": "10:40", "end_time": "12:30",
      "participants": ["All"], "avg_cost": 60}]}]}]}
transport_mode between cities is 飞机, 火车, 高铁 or 自驾. An activity is an attraction, food, rest, hotel or
intracity_transport; the last one of each day but the last is the hotel. Who goes somewhere else gets there by an
intracity_transport whose places are named exactly as before and after it."""

ASKED = {
    "summary": "From the chat, write one JSON object from each member's name to their preference table (must_visit, "
    "avg_budget and so on), as far as you know it. Nobody but you sees it. Write nothing else.",
    "convergence": "Sum up; then mediate, ask for what is missing, or give the plan if you know enough.",
    "polled": "It is your turn: look things up, then ask, mediate, or give the plan if you know enough.",
    "mentioned": "You were asked: look it up, then answer.",
    "final": "The conversation is at its end. Look up what is missing, and give the whole plan as JSON now.",
}
CLOSED = "Tools can't be called any more in this turn: write your message now."


def chat(view):
    """The conversation as a model of OpenAI's kind reads it: words, tool calls and their results in order."""
    members = "\n".join(
        f"- {each['name']} ({each['role']})" for each in view["travellers"] + view["companions"]
    )
    facts = {name: view[name] for name in ("query", "time", "context")}
    language = "English" if view["language"] == "en" else "Chinese"
    system = {"role": "system", "content": SYSTEM.format(members=members, language=language, **facts) + FORMS}
    past = [(each["seq"], [said(each, view["me"])]) for each in view["messages"]]
    steps = {}
    for entry in view["tool_log"]:
        steps.setdefault((entry["turn"], entry["step"]), []).append(entry)
    past += [(entries[0]["seq"], called(entries)) for entries in steps.values()]
    past.sort(key=lambda each: each[0])
    asked = [{"role": "user", "content": ASKED[view["turn"]["kind"]]}]
    if view["turn"]["refused"]:
        asked += [{"role": "assistant", "content": view["turn"]["refused"][-1]}]
        asked += [{"role": "user", "content": "No plan could be read from that. Write it again, as JSON."}]
    before = [item for seq, items in past if seq < view["turn"]["seq"] for item in items]
    now = [item for seq, items in past if seq > view["turn"]["seq"] for item in items]
    return [system, *before, *asked, *now]


def said(message, me):
    if message["role"] == me:
        return {"role": "assistant", "content": message["content"]}
    return {"role": "user", "content": f"{message['role']}: {message['content']}"}


def called(entries):
    def text(arguments):
        return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)

    calls = [
        {
            "id": each["call_id"],
            "type": "function",
            "function": {"name": each["name"], "arguments": text(each["arguments"])},
        }
        for each in entries
    ]
    results = [
        {"role": "tool", "tool_call_id": each["call_id"], "content": each["result"] or ""} for each in entries
    ]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *results]


def play(seat, client, model):
    """One request to the model for each step, until the session ends."""
    for table in seat.turns():
        messages, offered = chat(table["view"]), {}
        if table["turn"]["tools_allowed"]:
            offered = {"tools": table["tools"]}
        elif table["turn"]["kind"] != "summary":
            messages.append({"role": "user", "content": CLOSED})
        answer = client.chat.completions.create(model=model, messages=messages, **offered).choices[0].message
        if answer.tool_calls:
            calls = [(call.function.name, call.function.arguments) for call in answer.tool_calls]
            seat.call_tools(calls, note=answer.content or "")
        else:
            seat.say(answer.content or "I have nothing to add.")


if __name__ == "__main__":
    url, link, model = sys.argv[1:]
    with Seat(url, link, "openai-example", model) as seat:
        play(seat, OpenAI(), model)
    print(seat.me["ended"])
