"""Self-BLEU 2/3/4 on n short texts: ours against NLTK, equal to 1e-9, and how many times faster.

Run: python benchmarks/self_bleu.py [--texts 3000] [--sample 10] [--file texts.txt]
Times are processor seconds. NLTK is timed on a sample of the texts (each against all others) and extrapolated.
Without a file the texts are made from a seeded vocabulary with word frequencies like those of real language.
"""

import argparse
import random
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generation.diversity.algorithm.self_bleu import self_bleu
from generation.diversity.algorithm.tokenizing import split_words

ORDERS = (2, 3, 4)


def make_texts(count: int, *, seed: int = 0) -> list[list[str]]:
    """Short texts of 4 to 24 words whose frequencies follow Zipf's law."""
    chance = random.Random(seed)
    words = [f"w{rank}" for rank in range(5000)]
    weights = [1 / (rank + 1) for rank in range(5000)]
    return [chance.choices(words, weights=weights, k=chance.randint(4, 24)) for _ in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=3000)
    parser.add_argument("--sample", type=int, default=10)
    parser.add_argument("--file", type=Path, help="one text per line")
    options = parser.parse_args()
    if options.file:
        lines = options.file.read_text(encoding="utf-8").splitlines()
        texts = [split_words(line) for line in lines if line.strip()][: options.texts]
    else:
        texts = make_texts(options.texts)

    from nltk.translate.bleu_score import sentence_bleu

    warnings.simplefilter("ignore")
    started = time.process_time()
    ours = self_bleu(texts, orders=ORDERS)
    our_seconds = time.process_time() - started

    chosen = random.Random(1).sample(range(len(texts)), min(options.sample, len(texts)))
    largest = 0.0
    started = time.process_time()
    for index in chosen:
        others = texts[:index] + texts[index + 1 :]
        for order in ORDERS:
            score = sentence_bleu(others, texts[index], weights=(1 / order,) * order)
            largest = max(largest, abs(score - ours.scores[order][index]))
    nltk_seconds = (time.process_time() - started) / len(chosen) * len(texts)

    print(f"texts                      {len(texts)}")
    print(f"self-BLEU 2 / 3 / 4        {' / '.join(f'{ours.mean(order):.4f}' for order in ORDERS)}")
    print(f"ours, all texts            {our_seconds:.2f} s")
    print(f"NLTK, all texts            {nltk_seconds:.0f} s (from {len(chosen)} texts)")
    print(f"ratio                      {nltk_seconds / our_seconds:.0f} x")
    print(f"largest difference         {largest:.1e} (wanted: at most 1e-9)")


if __name__ == "__main__":
    main()
