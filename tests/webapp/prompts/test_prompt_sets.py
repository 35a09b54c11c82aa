"""Sets of prompts on pages, in commands and in zips, and what sessions and runs keep of them."""

from __future__ import annotations

import json
from html import unescape
from io import BytesIO, StringIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from benchmark.core.events import PromptSetChosen
from benchmark.suites import suite_named
from tests.markup import tight
from webapp.accounts.models import User
from webapp.catalogue.models import Task, World
from webapp.endpoints.services import create_endpoint
from webapp.forms import ChoiceRefused
from webapp.prompts.models import PromptSet, PromptSetVersion
from webapp.prompts.packing import pack, unpack
from webapp.prompts.services import create_set, save_version
from webapp.runs.conditions import settings_of, unlike_conditions
from webapp.runs.control import set_trials
from webapp.runs.services import create_run
from webapp.seats.models import Seat
from webapp.sessions.log import whole_log
from webapp.sessions.models import Session
from webapp.sessions.scoring import record_file
from webapp.sessions.services import Setup, create_session

pytestmark = pytest.mark.django_db
PATH = "agent/zh/role.txt"
USERS = "users/zh/rules.txt"


@pytest.fixture
def warm(db: None) -> PromptSetVersion:
    return create_set(name="warm", suite="grouptravel", files={PATH: "要热情。"}, comment="Warmer")


def text(client: Client, path: str, **sent: str) -> str:
    answer = client.post(path, sent, follow=True) if sent else client.get(path)
    assert answer.status_code == 200
    return tight(unescape(answer.content.decode()))


def test_shipped_words_are_read_copied_and_edited(as_researcher: Client) -> None:
    shown = text(as_researcher, "/prompts/")
    assert "GroupTravelBench" in shown and "/prompts/new/?of=tripscore" in shown
    assert "$participants" in text(as_researcher, "/prompts/shipped/grouptravel/agent/en/group.txt")
    assert "The plan is read by rules" in text(
        as_researcher, "/prompts/shipped/grouptravel/agent/en/plan.txt"
    )
    as_researcher.post(f"/prompts/new/?of=grouptravel&file={PATH}", {"name": "mine", "comment": "for a test"})
    edit = f"/prompts/mine/edit/{PATH}"
    assert "你是多人旅行的规划助手" in text(as_researcher, edit)
    text(as_researcher, edit, text="你好。\r\n要热情。", comment="Warmer", after="1")
    newest = PromptSetVersion.objects.get(prompt_set__name="mine", number=2)
    assert newest.files == {PATH: "你好。\n要热情。\n"} and newest.comment == "Warmer"
    assert newest.created_by is not None and newest.created_by.username == "researcher"
    assert PromptSetVersion.objects.get(prompt_set__name="mine", number=1).files == {}
    page = text(as_researcher, f"/prompts/mine/2/{PATH}")
    assert (
        'id="told">你好。' in page
        and "要热情。" in page
        and "要热情" not in text(as_researcher, f"/prompts/mine/1/{PATH}")
    )


def test_what_is_wrong_is_told_by_line_and_nothing_is_saved(
    as_researcher: Client, warm: PromptSetVersion
) -> None:
    edit = "/prompts/warm/edit/agent/en/group.txt"
    told = text(as_researcher, edit, text="Hello\n$querry", after="1")
    assert "agent/en/group.txt, line 2: There is no field “$querry” here. Do you mean “$query”?" in told
    assert "is not used" in told and "$querry</textarea>" in told
    assert "Nothing is different from version 1" in text(
        as_researcher, f"/prompts/warm/edit/{PATH}", text="要热情。", after="1"
    )
    checked = text(as_researcher, edit, text="$participants $query $time $context", after="1", check="1")
    assert "Nothing is wrong with these words." in checked
    assert PromptSetVersion.objects.count() == 1


def test_two_who_edit_the_same_version_learn_of_each_other(
    as_researcher: Client, warm: PromptSetVersion
) -> None:
    save_version(prompt_set=warm.prompt_set, files={PATH: "要客气。"}, after=1)
    told = text(as_researcher, f"/prompts/warm/edit/{PATH}", text="要冷静。", after="1")
    assert "Version 2 was saved in the meantime." in told and "要冷静。" in told
    assert PromptSetVersion.objects.count() == 2


def test_markup_in_words_is_text(as_researcher: Client) -> None:
    create_set(name="bold", suite="grouptravel", files={PATH: "<b>热情</b>"}, comment="<i>x</i>")
    for path in (
        "/prompts/",
        "/prompts/bold/",
        f"/prompts/bold/1/{PATH}",
        "/prompts/compare/grouptravel/?other=bold@1",
    ):
        raw = as_researcher.get(path).content.decode()
        assert "<b>热情" not in raw and "<i>x" not in raw


def test_versions_are_compared_line_by_line(as_researcher: Client, warm: PromptSetVersion) -> None:
    save_version(prompt_set=warm.prompt_set, files={PATH: "要客气。", USERS: "短。"})
    page = text(as_researcher, "/prompts/compare/grouptravel/?one=warm@1&other=warm@2")
    assert "要<del>热情</del>。" in page and "要<ins>客气</ins>。" in page and "users/zh/rules.txt" in page
    assert "Both say the same." in text(
        as_researcher, "/prompts/compare/grouptravel/?one=warm@1&other=warm@1"
    )
    for bad in ("one=nope@1", "one=warm@9", "one=warm@x"):
        assert as_researcher.get(f"/prompts/compare/grouptravel/?{bad}").status_code == 404
    assert as_researcher.get("/prompts/compare/tripscore/?one=warm@1").status_code == 404


def test_a_zip_brings_the_same_words_back(as_researcher: Client, warm: PromptSetVersion) -> None:
    packed = as_researcher.get("/prompts/warm/1/export.zip").content
    with ZipFile(BytesIO(packed)) as zipped:
        assert json.loads(zipped.read("manifest.json"))["digest"] == warm.digest
        assert zipped.read(PATH).decode() == "要热情。\n"
        assert len(zipped.namelist()) == len(suite_named("grouptravel").library.files) + 1
    sent = {"file": SimpleUploadedFile("x.zip", packed), "name": "again"}
    as_researcher.post("/prompts/import/", sent)
    again = PromptSetVersion.objects.get(prompt_set__name="again")
    assert (again.files, again.digest, again.comment) == (warm.files, warm.digest, "Warmer")
    assert pack(warm) == packed


def zip_of(**files: bytes) -> BytesIO:
    packed = BytesIO()
    with ZipFile(packed, "w") as zipped:
        for name, content in files.items():
            zipped.writestr(name.replace("__", "/"), content)
    packed.seek(0)
    return packed


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"no zip", "This is no zip file"),
        (zip_of().getvalue(), "no files of words"),
        (
            zip_of(**{"agent__zh__role.txt": "a\n你".encode("gb18030")}).getvalue(),
            "line 2: this is not UTF-8",
        ),
        (zip_of(**{"agent__zh__role.txt": b"x"}).getvalue(), "choose its benchmark"),
        (zip_of(**{"manifest.json": b"{"}).getvalue(), "is no JSON"),
        (zip_of(**{"manifest.json": b'{"format": "other"}'}).getvalue(), "is not of a set of prompts"),
        (
            zip_of(
                **{"manifest.json": b'{"format": "caravan-prompt-set", "version": 1, "suite": ["x"]}'}
            ).getvalue(),
            "names no benchmark that is here",
        ),
    ],
)
def test_a_zip_that_is_refused_changes_nothing(as_researcher: Client, content: bytes, words: str) -> None:
    sent = {"file": SimpleUploadedFile("x.zip", content), "name": "again"}
    assert words in unescape(as_researcher.post("/prompts/import/", sent).content.decode())
    assert not PromptSet.objects.exists()


def test_a_zip_that_unfolds_to_far_more_than_its_size_is_refused() -> None:
    """A few hundred kilobytes of it would take hundreds of megabytes of memory."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as zipped:
        for number in range(75):
            zipped.writestr(f"{number}.txt", b"x" * 239_000)
    with pytest.raises(ChoiceRefused, match="more than 16777216 bytes together"):
        unpack(packed)


@pytest.mark.parametrize("method", [ZIP_DEFLATED, ZIP_LZMA])
def test_a_damaged_zip_is_refused_in_words(method: int) -> None:
    packed = BytesIO()
    with ZipFile(packed, "w", method) as zipped:
        zipped.writestr("a.txt", b"hello, this is a text" * 50)
    content = bytearray(packed.getvalue())
    content[40:52] = b"\xff" * 12
    with pytest.raises(ChoiceRefused, match="no zip file that can be read"):
        unpack(BytesIO(bytes(content)))


def test_a_refused_file_of_many_takes_all_with_it(as_researcher: Client, warm: PromptSetVersion) -> None:
    files = {"agent__zh__role.txt": "要客气。".encode(), "agent__zh__group.txt": b"$nobody"}
    sent = {"file": SimpleUploadedFile("x.zip", zip_of(**files).getvalue()), "into": "warm"}
    told = unescape(as_researcher.post("/prompts/import/", sent).content.decode())
    assert "agent/zh/group.txt, line 1: There is no field “$nobody”" in told
    assert PromptSetVersion.objects.count() == 1


def test_the_command_takes_folders_and_zips(tmp_path: Path, warm: PromptSetVersion) -> None:
    out = StringIO()
    call_command("prompt_set", "export", "warm", str(tmp_path / "w.zip"), stdout=out)
    with ZipFile(tmp_path / "w.zip") as zipped:
        zipped.extractall(tmp_path / "w")
    (tmp_path / "w" / PATH).write_text("要客气。", encoding="utf-8")
    call_command(
        "prompt_set", "import", str(tmp_path / "w"), "--into", "warm", "--comment", "Kinder", stdout=out
    )
    call_command("prompt_set", "list", stdout=out)
    assert "warm@2: 1 files are not as shipped" in out.getvalue() and "Kinder" in out.getvalue()
    with pytest.raises(CommandError, match="There is a set “warm” already"):
        call_command("prompt_set", "import", str(tmp_path / "w.zip"), stdout=out)
    with pytest.raises(CommandError, match="There is no set of prompts “cold”; there are: warm"):
        call_command("prompt_set", "export", "cold", str(tmp_path / "c.zip"), stdout=out)


def test_a_session_keeps_the_words_in_its_log(
    warm: PromptSetVersion, starter_tasks: list[Task], starter_world: World, as_researcher: Client
) -> None:
    task = next(task for task in starter_tasks if task.language == "zh")
    model = create_endpoint(name="m", base_url="http://127.0.0.1:9/v1", model="x")
    plain = {"agent": "llm", "agent_model": model, "users": "scripted"}
    made = [
        create_session(task=task, world=starter_world, setup=Setup(**plain, **more), start=False)
        for more in ({}, {"prompt_set": warm})
    ]
    logs = [whole_log(session.pk) for session in made]
    assert [event.body.type for event in logs[1][:2]] == ["session_opened", "prompt_set_chosen"]
    body = logs[1][1].body
    assert isinstance(body, PromptSetChosen) and logs[1][1].audience == "research"
    assert (body.name, body.set_version, body.digest, body.files) == ("warm", 1, warm.digest, warm.files)
    versions = [next(e.body.prompts for e in log if e.body.type == "participant_joined") for log in logs]
    assert versions[0] != versions[1]
    record = json.loads(record_file(made[1]))
    assert record["prompt_set"] == {"name": "warm", "version": 1, "digest": warm.digest}
    assert "prompt_set" not in json.loads(record_file(made[0]))
    page = text(as_researcher, f"/sessions/{made[1].pk}/")
    assert "prompts warm@1" in page and warm.digest in page
    told = text(as_researcher, "/prompts/warm/delete/", really="1")
    assert "can't be deleted" in told and PromptSet.objects.exists()


def test_a_set_is_deleted_by_who_made_it_or_an_administrator(
    as_researcher: Client, as_local: Client, researcher: User
) -> None:
    for name, maker in (("own", researcher), ("other", User.objects.create_user("ada"))):
        create_set(name=name, suite="grouptravel", created_by=maker)
    assert "/prompts/own/delete/" in text(as_researcher, "/prompts/own/")
    assert "/prompts/other/delete/" not in text(as_researcher, "/prompts/other/")
    told = text(as_researcher, "/prompts/other/delete/", really="1")
    assert "Only who made the set" in told and PromptSet.objects.count() == 2
    text(as_researcher, "/prompts/own/delete/", really="1")
    text(as_local, "/prompts/other/delete/", really="1")
    assert not PromptSet.objects.exists()


def test_a_set_of_another_benchmark_or_for_other_templates_is_refused(
    warm: PromptSetVersion, starter_tasks: list[Task], starter_world: World
) -> None:
    task = starter_tasks[0]
    other = create_set(name="other", suite="tripscore")
    with pytest.raises(ChoiceRefused, match="for sessions of TripScore, not of GroupTravelBench"):
        create_session(task=task, world=starter_world, setup=Setup(prompt_set=other), start=False)
    PromptSetVersion.objects.filter(pk=warm.pk).update(files={"agent/zh/gone.txt": "x\n"})
    warm.refresh_from_db()
    with pytest.raises(ChoiceRefused, match=r"agent/zh/gone.txt: This benchmark has no such file"):
        create_run(name="r", tasks=[task], world=starter_world, setup=Setup(prompt_set=warm), start=False)
    assert not Session.objects.exists()


def test_the_form_of_a_run_chooses_words_and_sampling(
    warm: PromptSetVersion, starter_tasks: list[Task], starter_world: World, as_researcher: Client
) -> None:
    create_endpoint(name="m", base_url="http://127.0.0.1:9/v1", model="x", temperature=0.5)
    sent = {
        "name": "r",
        "tasks": "starter_01",
        "trials": "2",
        "seed": "0",
        "world": "starter",
        "agent": "llm",
    }
    sent |= {"agent_model": "m", "users": "scripted", "protocol": "published", "prompt_set": "warm@1"}
    drawn = text(as_researcher, "/runs/new/", **sent, look="1")
    assert "warm@1: Warmer" in drawn and 'name="agent_temperature"' in drawn
    assert 'name="users_temperature"' not in drawn
    bad = {"agent_temperature": "3", "agent_top_p": "0", "agent_seed": "-1", "prompt_set": "warm@4"}
    told = text(as_researcher, "/runs/new/", **{**sent, **bad})
    assert (
        "less than or equal to 2" in told
        and "Write a number above 0" in told
        and "has no version “4”" in told
    )
    chosen = {"agent_temperature": "0", "agent_top_p": "0.9", "agent_seed": "7", "agent_thinking": "off"}
    page = text(as_researcher, "/runs/new/", **sent, **chosen)
    assert (
        "prompts warm@1" in page and "agent's model: temperature 0.0, top_p 0.9, seed 7, thinking off" in page
    )
    seeds = Seat.objects.filter(role="agent").order_by("session__trial_id").values_list("options", flat=True)
    assert [(asked["temperature"], asked["seed"], asked["thinking"]) for asked in seeds] == [
        (0.0, 7, "off"),
        (0.0, 8, "off"),
    ]
    run = Session.objects.latest("trial_id").run
    assert run is not None
    set_trials(run, 3)
    last = Session.objects.get(run=run, trial_id=2)
    assert last.prompt_set == warm and last.sampling["agent"]["seed"] == 9
    assert Seat.objects.get(session=last, role="agent").options["seed"] == 9


def test_another_set_and_another_sampling_are_other_conditions(
    warm: PromptSetVersion, starter_tasks: list[Task], starter_world: World
) -> None:
    both = save_version(prompt_set=warm.prompt_set, files={PATH: "要热情。", USERS: "短。"})
    model = create_endpoint(name="m", base_url="http://127.0.0.1:9/v1", model="x")
    plain = {"agent": "llm", "agent_model": model, "users": "llm", "user_model": model}
    given = {"tasks": starter_tasks[:1], "world": starter_world, "start": False}
    runs = [
        create_run(name="r", setup=Setup(**plain, prompt_set=version), **given)
        for version in (None, warm, both)
    ]
    settings = settings_of(runs)
    assert "agent_prompts" not in settings[runs[0].pk] or not settings[runs[0].pk]["agent_prompts"]
    assert settings[runs[1].pk]["agent_prompts"].startswith("warm@1 (")
    unlike = unlike_conditions(runs)
    assert unlike[runs[1].pk] == [] and unlike[runs[2].pk] == ["user_prompts"]
