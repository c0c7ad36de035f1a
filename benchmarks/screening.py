"""Screening of n candidates without models: seconds with and without language identification.

Run: python benchmarks/screening.py [--candidates 10000] [--file texts.txt]
Without a file the candidates are seeded sentences, a tenth of them near or exact copies of earlier ones.
"""

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generation.checks.algorithm.screening import CHECKS, Candidate, ScreeningSettings, screen_candidates

SUBJECTS = "the bakers|our neighbours|some teachers|two pilots|my old friends|these farmers|all nurses|the singers"
VERBS = "like|carry|paint|remember|never sell|often praise|cannot find|quietly repair|always forget|slowly build"
OBJECTS = "a yellow house|the long bridge|fresh bread|an empty boat|the village church|their winter coats|cold soup"
ENDS = "every morning|before sunrise|without a word|in the old town|after the market|since last year|for no reason"


def make_texts(count: int, *, seed: int = 0) -> list[str]:
    """Sentences put together at random, every tenth a copy of an earlier one, mostly with a letter changed."""
    chance = random.Random(seed)
    parts = [part.split("|") for part in (SUBJECTS, VERBS, OBJECTS, ENDS)]
    texts: list[str] = []
    for number in range(count):
        if number % 10 == 9:
            copy = chance.choice(texts)
            position = chance.randrange(len(copy))
            texts.append(copy[:position] + chance.choice("aeiou") + copy[position + 1 :])
        else:
            one, other = (" ".join(chance.choice(part) for part in parts) for _ in range(2))
            texts.append(f"{one.capitalize()}, and {other} {chance.randint(2, 99)} times.")
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--candidates", type=int, default=10_000)
    parser.add_argument("--file", type=Path, help="one text per line")
    options = parser.parse_args()
    if options.file:
        texts = [line for line in options.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    else:
        texts = make_texts(options.candidates)
    candidates = [Candidate(str(number), text) for number, text in enumerate(texts[: options.candidates])]
    for name, checks in (("without language", frozenset(CHECKS) - {"language"}), ("all checks", frozenset(CHECKS))):
        started, on_processor = time.perf_counter(), time.process_time()
        screened = screen_candidates(candidates, settings=ScreeningSettings(checks=checks))
        seconds = time.perf_counter() - started
        processor = time.process_time() - on_processor
        found = Counter(finding.check for item in screened for finding in item.findings)
        print(
            f"{name:<18} {len(screened)} candidates in {seconds:.1f} s, processor {processor:.1f} s (wanted: under 60)"
        )
        print(f"{'':<18} found {dict(found)}")


if __name__ == "__main__":
    main()
