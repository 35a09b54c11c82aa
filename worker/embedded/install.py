"""Make `.venv` and install the pinned requirements. Standard library only: it runs before anything is there.

    python3 worker/embedded/install.py [requirements file]

Done once per set of pins: when nothing has changed it takes a few milliseconds.
"""

import hashlib
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
STAMP = os.path.join(VENV, "caravan-installed")
SUPPORTED = ((3, 11), (3, 12), (3, 13))
NEEDED_MIB = 700


def fail(message):
    """One clear line, and the end."""
    sys.stderr.write("caravan: %s\n" % message)
    raise SystemExit(1)


def version_of(python):
    """(major, minor) of an interpreter, None when it does not run."""
    try:
        told = subprocess.check_output(
            [python, "-c", "import sys; print('%d %d' % sys.version_info[:2])"], stderr=subprocess.DEVNULL
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return tuple(int(part) for part in told.split())


def supported_python():
    """An interpreter of a supported version: the one that runs this, else the first that the PATH has."""
    if sys.version_info[:2] in SUPPORTED:
        return sys.executable
    for minor in (12, 13, 11):
        found = shutil.which("python3.%d" % minor)
        if found and version_of(found) in SUPPORTED:
            return found
    return fail(
        "Python 3.11, 3.12 or 3.13 is needed; this is %d.%d. Install one, or name it: make run PYTHON=/path/to/python3.12"
        % sys.version_info[:2]
    )


def fingerprint(requirements):
    """What an installed environment depends on."""
    digest = hashlib.sha256()
    for name in requirements:
        with open(os.path.join(ROOT, name), "rb") as pins:
            digest.update(pins.read())
    return digest.hexdigest()


def installed():
    """The fingerprints that the environment was installed for."""
    try:
        with open(STAMP) as stamp:
            known = stamp.read().split()
    except OSError:
        return []
    return known if version_of(PYTHON) in SUPPORTED else []


def check_room():
    """Stop early where the disk could not hold the environment."""
    free = shutil.disk_usage(ROOT).free // 2**20
    if free < NEEDED_MIB:
        fail(
            "the disk is too full: %d MiB are free under %s and about %d are needed; make room and try again"
            % (free, ROOT, NEEDED_MIB)
        )


def run(command, doing):
    """Run a step with its own output as the progress; on failure say in one line what it was."""
    code = subprocess.call(command, cwd=ROOT)
    if code == 0:
        return
    if shutil.disk_usage(ROOT).free < 50 * 2**20:
        fail("the disk is full; make room and try again")
    fail("%s failed (exit %d); what it said stands above" % (doing, code))


def make_venv(python, uv):
    """An empty environment of a supported Python; what stood there before is replaced."""
    if uv:
        return run([uv, "venv", "--quiet", "--clear", "--python", python, VENV], "making .venv")
    probe = [python, "-c", "import venv, ensurepip"]
    if subprocess.call(probe, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) != 0:
        fail(
            "%s has no venv module; on Debian or Ubuntu: apt install python3-venv (or put uv on the PATH)"
            % python
        )
    return run([python, "-m", "venv", "--clear", VENV], "making .venv")


def install(requirements, uv):
    """The pins into the environment."""
    pins = [part for name in requirements for part in ("-r", name)]
    if uv:
        return run([uv, "pip", "install", "--python", PYTHON] + pins, "uv pip install")
    quiet = ["--disable-pip-version-check", "--no-input"]
    return run([PYTHON, "-m", "pip", "install"] + quiet + pins, "pip install")


def main(requirements):
    """Bring the environment to these pins, if it is not there already."""
    wanted = fingerprint(requirements)
    known = installed()
    if wanted in known:
        return
    python, uv = supported_python(), shutil.which("uv")
    check_room()
    tool = "uv" if uv else "pip"
    print("caravan: installing %s with %s, once ..." % (" and ".join(requirements), tool), flush=True)
    if not known:
        make_venv(python, uv)
    install(requirements, uv)
    with open(STAMP, "w") as stamp:
        stamp.write("\n".join(known + [wanted]))


if __name__ == "__main__":
    try:
        main(sys.argv[1:] or ["requirements.txt"])
    except KeyboardInterrupt:
        fail("interrupted; run it again to go on")
    except OSError as error:
        fail("cannot install: %s" % error)
