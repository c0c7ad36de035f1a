"""transformers prints progress bars and load reports on stderr; ours is the only progress people should see."""

from __future__ import annotations

from typing import Any


def hush() -> None:
    """Switch them off for this process. Errors still come as exceptions."""
    from transformers import utils

    logging: Any = utils.logging
    logging.set_verbosity_error()
    logging.disable_progress_bar()
