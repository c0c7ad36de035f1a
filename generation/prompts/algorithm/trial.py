"""Trying versions of a prompt on a small batch before paying for a large one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from generation.diversity.algorithm.distinct import distinct
from generation.diversity.algorithm.tokenizing import split_words
from generation.prompts.algorithm.values import FilledPrompt

TRIAL_TEMPERATURE = 0.0


@dataclass(frozen=True, slots=True)
class Trial:
    """What one version brought: the messages, and figures to compare versions by."""

    version: str
    messages: tuple[str, ...]
    repeated: int
    mean_words: float | None
    distinct_2: float | None


def try_versions(
    prompts: Mapping[str, FilledPrompt],
    *,
    ask: Callable[[FilledPrompt, float], Sequence[str]],
    should_stop: Callable[[], bool] = lambda: False,
) -> list[Trial]:
    """Ask for one batch per version at temperature 0, so that the wording is the only difference.

    `ask` takes a prompt and a temperature and gives the messages, e.g. through a provider with its store.
    """
    trials = []
    for version, prompt in prompts.items():
        if should_stop():
            break
        messages = tuple(ask(prompt, TRIAL_TEMPERATURE))
        words = [split_words(message) for message in messages]
        trials.append(
            Trial(
                version=version,
                messages=messages,
                repeated=len(messages) - len(set(messages)),
                mean_words=sum(map(len, words)) / len(words) if words else None,
                distinct_2=distinct(words, 2),
            )
        )
    return trials
