"""Whether this CPU does what it says: some virtual machines announce matrix instructions and then kill on them."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

TRY = "import torch; m = torch.ones(64, 64, dtype=torch.bfloat16); torch.nn.functional.linear(m, m, m[0])"


@cache
def bf16_is_safe() -> bool:
    """Tried once in a process of its own, because a wrong instruction cannot be caught."""
    tried = subprocess.run([sys.executable, "-c", TRY], capture_output=True, timeout=120, check=False)
    return tried.returncode == 0
