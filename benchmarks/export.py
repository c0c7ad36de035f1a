"""Exporting a release: seconds per format for 36,582 cases, and peak memory and time as releases grow to a million.

Run `python benchmarks/export.py` (about a minute) or `python benchmarks/export.py --million` (several minutes). The
peer is what one would write with pandas: a DataFrame of all cases and `to_csv`, `to_json`, `to_parquet`; no checksums,
no documents. Every export also writes `cases.csv`, checksums and documents, so "csv" is the floor of all formats.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from curation.publishing.canonical import to_record
from curation.publishing.export import export_folder
from curation.publishing.values import FrozenCase, ReleaseHead
from curation.publishing.verify import verify_folder

MHC_SIZE = 36_582
LANGUAGES = ("ar", "de", "es", "fr", "hi", "it", "nl", "pl", "pt", "zh")
FORMATS = ("csv", "jsonl", "parquet", "huggingface", "croissant", "hatecheck", "mhc")
HEAD = ReleaseHead(suite="benchmark", version="1.0.0", title="Benchmark", created="2026-11-16", policy="mark")


def made_up_cases(count: int) -> Iterator[FrozenCase]:
    """Cases as long as those of Multilingual HateCheck (about 50 characters), with labels and provenance."""
    for number in range(count):
        language = LANGUAGES[number % len(LANGUAGES)]
        hateful = number % 10 < 7
        yield FrozenCase(
            key=f"{language}-{number // len(LANGUAGES):06d}",
            language=language,
            functionality=f"functionality_{number % 27}",
            functionality_class=f"class_{number % 11}",
            text=f"Sentence number {number} of this benchmark, neither kind nor unkind.",
            label="hateful" if hateful else "non-hateful",
            targets=(f"group {number % 7}",),
            template=str(number // 7),
            template_text="Sentence number [IDENT_P] of this benchmark, neither kind nor unkind.",
            refers_to_template=str(number // 9),
            labels_given=("hateful", "hateful", "non-hateful"),
            majority="hateful",
            disagreement_in_case=True,
            disagreement_in_template=number % 2 == 0,
            provenance='{"features":"Number=Plur","form":"group","template_version":3}',
        )


def measure(count: int, file_format: str) -> dict[str, float]:
    """Export in this process; seconds, peak memory in MB, and seconds to verify."""
    with tempfile.TemporaryDirectory() as folder:
        start, start_processor = time.perf_counter(), time.process_time()
        export_folder(HEAD, made_up_cases(count), Path(folder) / "out", formats=[file_format])
        exported, processor = time.perf_counter(), time.process_time() - start_processor
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        assert verify_folder(Path(folder) / "out").is_intact
        verified = time.perf_counter() - exported
        return {"seconds": exported - start, "processor": processor, "megabytes": peak, "verify": verified}


def measure_pandas(count: int, file_format: str) -> dict[str, float]:
    """The peer, in this process."""
    import pandas as pd

    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        frame = pd.DataFrame([to_record(case) | {"extra": ""} for case in made_up_cases(count)])
        if file_format == "csv":
            frame.to_csv(Path(folder) / "cases.csv", index=False)
        elif file_format == "jsonl":
            frame.to_json(Path(folder) / "cases.jsonl", orient="records", lines=True, force_ascii=False)
        else:
            frame.to_parquet(Path(folder) / "cases.parquet")
        seconds = time.perf_counter() - start
    return {"seconds": seconds, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def in_subprocess(count: int, file_format: str, peer: bool = False) -> dict[str, float]:
    """Measure in a process of its own, so that peaks do not add up."""
    command = [sys.executable, __file__, "--one", file_format, "--count", str(count), *(["--peer"] if peer else [])]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    measured: dict[str, float] = json.loads(answer.stdout.splitlines()[-1])
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--one")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--count", type=int, default=MHC_SIZE)
    options = parser.parse_args()
    if options.one:
        print(json.dumps((measure_pandas if options.peer else measure)(options.count, options.one)))
        return
    print(f"{'format':12} {'cases':>9} {'seconds':>8} {'CPU s':>6} {'MB':>6} {'verify s':>8}   pandas s    MB   ratio")
    for file_format in FORMATS:
        ours = in_subprocess(options.count, file_format)
        peer_columns = ""
        if file_format in ("csv", "jsonl", "parquet"):
            peer = in_subprocess(options.count, file_format, peer=True)
            ratio = ours["seconds"] / peer["seconds"]
            peer_columns = f"   {peer['seconds']:8.2f} {peer['megabytes']:5.0f}   {ratio:.2f}"
        print(line(file_format, options.count, ours) + peer_columns, flush=True)
    for count in (100_000, 300_000, 1_000_000) if options.million else (100_000,):
        for file_format in ("csv", "parquet"):
            ours = in_subprocess(count, file_format)
            print(f"{line(file_format, count, ours)}   {count / ours['seconds']:,.0f} cases/s", flush=True)


def line(file_format: str, count: int, ours: dict[str, float]) -> str:
    return (
        f"{file_format:12} {count:9,} {ours['seconds']:8.2f} {ours['processor']:6.2f} {ours['megabytes']:6.0f} "
        f"{ours['verify']:8.2f}"
    )


if __name__ == "__main__":
    main()
