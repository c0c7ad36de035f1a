"""Headers of answers."""

NEVER_KEPT = {"Cache-Control": "no-store"}  # the answer holds a secret that is shown once
