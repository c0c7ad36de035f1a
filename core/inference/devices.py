"""Where a local model runs, and what that machine can really do."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

from core.inference.errors import ModelUnusable
from core.text import _

if TYPE_CHECKING:
    import torch

TRY_BF16 = "import torch; m = torch.ones(64, 64, dtype=torch.bfloat16); torch.nn.functional.linear(m, m, m[0])"


def choose_device(name: str) -> torch.device:
    """Return the device of that name; `auto` is a GPU if there is one. Refuses a GPU that is not there."""
    import torch

    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise ModelUnusable(
            _("device '%(device)s' was asked for, but this machine has no usable GPU. Use cpu or auto.", device=name)
        )
    return torch.device(name)


@cache
def bf16_is_safe() -> bool:
    """Return whether this CPU multiplies in bf16: some virtual machines announce the instructions and crash on them.

    Tried once in a process of its own, because a wrong instruction cannot be caught.
    """
    tried = subprocess.run([sys.executable, "-c", TRY_BF16], capture_output=True, timeout=120, check=False)
    return tried.returncode == 0
