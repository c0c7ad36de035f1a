"""Runs a task in inspect_ai with its mock model and prints the accuracy: TASK LOG_FOLDER eval|json."""

import itertools
import json
import sys

from inspect_ai import eval as run
from inspect_ai.model import ModelOutput, ModelUsage, get_model

ANSWERS = itertools.cycle(
    ["hateful", "Non-hateful.", "I would say: hateful", "no idea", "It is not hateful.", "I'm sorry, but I can't."]
)


def answer(messages, tools, tool_choice, config):
    output = ModelOutput.from_content("mockllm/model", next(ANSWERS))
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # counting would fetch a vocabulary
    return output


task, folder, log_format = sys.argv[1:4]
model = get_model("mockllm/model", custom_outputs=answer)
(log,) = run(task, model=model, log_dir=folder, log_format=log_format, display="none", score_display=False)
(score,) = log.results.scores
metrics = {name: metric.value for name, metric in score.metrics.items()}
sys.stdout.write("\n" + json.dumps({"status": log.status, "log": log.location, "metrics": metrics}))
