"""Runs lm-evaluation-harness as its command does, with its dummy model or with one that writes labels: ARGUMENTS."""

import itertools
import sys

from lm_eval.__main__ import cli_evaluate
from lm_eval.api.registry import register_model
from lm_eval.models.dummy import DummyLM

ANSWERS = itertools.cycle(["hateful", "Non-hateful.", "I would say: hateful", "no idea", "It is not hateful."])


@register_model("words")
class Words(DummyLM):
    def generate_until(self, requests, disable_tqdm=False):
        return [next(ANSWERS) for _ in requests]


sys.argv[0] = "lm_eval"
cli_evaluate()
